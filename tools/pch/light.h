// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What verbs include, compiled once for all of them; but not the arguments,
// whose header is code that each file would compile.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "clockwise/clockwise.h"
