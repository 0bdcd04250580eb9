// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The C interface of clockwise-compat.
#pragma once

#include "clockwise/clockwise_c.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

// Lets members name the schemes of other systems, such as "nginx-consistent":
// cw_ring_load_members and cw_placement_load_members build them then. See
// RegisterPeerSchemes in compat.h. Any thread; called again, it does nothing.
cw_status cw_register_peer_schemes(cw_error* error);

#ifdef __cplusplus
}  // extern "C"
#endif
#pragma GCC visibility pop
