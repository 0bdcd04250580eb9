// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Points of the ketama family: the four words of the MD5 of "name-i".
#pragma once

#include <cstdint>
#include <string>

#include "compat/hash/md5_digest.h"
#include "members.h"

namespace clockwise::bench {

inline constexpr uint32_t kPeerDigests = kPeerPoints / 4;

// Calls add(position) for each point of a node.
template <typename Add>
void ForMd5Points(const std::string& name, uint32_t digests, Add add) {
  for (uint32_t j = 0; j < digests; ++j) {
    const auto digest = compat_internal::Md5(name + '-' + std::to_string(j));
    for (const uint32_t word : digest.words) add(word);
  }
}

}  // namespace clockwise::bench
