// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What of members a scheme does not read, and so must not be given.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "clockwise/members.h"
#include "clockwise/scheme.h"

namespace clockwise {

// "unknown parameter 'x'; scheme s reads 'a', 'b'"; empty if it is known.
std::string RefusalOfParam(std::string_view name, std::string_view scheme,
                           std::span<const std::string_view> known);

// Refuses parameters that the scheme does not read; and, where it is not
// clockwise-1, a seed, and options that it decides itself.
Status CheckAgainst(const Scheme& scheme, const Members& members);

}  // namespace clockwise
