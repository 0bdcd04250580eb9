// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Of clockwise-compat.
#include "capi/guard.h"
#include "clockwise/clockwise_compat_c.h"
#include "clockwise/compat.h"

cw_status cw_register_peer_schemes(cw_error* error) {
  return clockwise::capi::Guarded(
      error, [] { return clockwise::RegisterPeerSchemes(); });
}
