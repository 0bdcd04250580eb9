// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What verbs include, compiled once for all of them; but not JSON, which takes
// longer to load than the rest, and which few of them use.
#include <fmt/format.h>

#include "clockwise/clockwise.h"
