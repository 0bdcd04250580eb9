// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Built with the flags of the whole library: SSE2, NEON or plain C.
#include "hash/xxh3_long-inl.h"

namespace clockwise::hash_internal {

const Xxh3LongCode kXxh3LongBaseline = {"baseline", Hash64, Hash128};

}  // namespace clockwise::hash_internal
