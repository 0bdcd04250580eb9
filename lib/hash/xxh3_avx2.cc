// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Built with -mavx2.
#include "hash/xxh3_long-inl.h"

namespace clockwise::hash_internal {

const Xxh3LongCode kXxh3LongAvx2 = {"avx2", Hash64, Hash128};

}  // namespace clockwise::hash_internal
