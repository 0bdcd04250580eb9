// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Parameters on their way into a ring.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "clockwise/params.h"

namespace clockwise {

// Why the parameters cannot be taken: "parameter 'x': …"; empty if they can.
std::string RefusalOf(const Params& params);

// Bytes of what a ParamsView views.
size_t PackedBytes(const Params& params);

// Why a parameter cannot be taken beside others of `bytes` bytes; if it can,
// adds its own to them.
std::string RefusalOf(std::string_view name, std::string_view value,
                      size_t& bytes);

// What a ParamsView views. The parameters can be taken.
std::string Pack(const Params& params);

}  // namespace clockwise
