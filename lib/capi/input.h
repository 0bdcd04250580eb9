// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The structs that the C interface is given, checked and as C++ has them.
#pragma once

#include "clockwise/clockwise.h"
#include "clockwise/clockwise_c.h"

namespace clockwise::capi {

// kInvalidArgument for NULL, here and in what the node points to.
Result<Node> ReadNode(const cw_node* given);

// Null: the defaults. kInvalidArgument for a struct of no known size, with an
// unknown field that is set, or with NULL in it; kInvalidOptions for numbers
// that name nothing.
Result<RingOptions> ReadOptions(const cw_ring_options* given);

}  // namespace clockwise::capi
