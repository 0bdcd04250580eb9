// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Whether one ring may follow another.
#pragma once

#include <cstdint>

#include "clockwise/ring.h"
#include "clockwise/router.h"
#include "clockwise/status.h"

namespace clockwise {

// Returns the epoch that `next` is to be published under; 0 if it is the newest
// ring already, and there is nothing to do. Refuses as Router::Publish says.
// `newest` is null before the first ring.
Result<uint64_t> NextEpoch(const Ring* newest, const Ring& next,
                           const PublishOptions& options);

}  // namespace clockwise
