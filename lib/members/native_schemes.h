// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The schemes of this library beside clockwise-1.
#pragma once

#include <span>

#include "clockwise/scheme.h"

namespace clockwise {

std::span<const Scheme> NativeSchemes();

}  // namespace clockwise
