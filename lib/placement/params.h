// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Parameters on their way into a ring.
#pragma once

#include <string>

#include "clockwise/params.h"

namespace clockwise {

// Why the parameters cannot be taken: "parameter 'x': …"; empty if they can.
std::string RefusalOf(const Params& params);

// What a ParamsView views. The parameters can be taken.
std::string Pack(const Params& params);

}  // namespace clockwise
