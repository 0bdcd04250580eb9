// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// MD5 of many texts at once, in SIMD lanes.
#pragma once

#include "compat/hash/md5_digest.h"
#include "compat/hash/texts.h"

namespace clockwise::compat_internal {

// digests[i] = Md5(texts[i]). Texts may be of any lengths, and those of like
// cost are not sought: a lane that has done its text takes the next one.
void Md5Batch(const Texts& texts, Md5Digest* digests) noexcept;

}  // namespace clockwise::compat_internal
