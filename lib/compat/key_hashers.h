// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The hashes of peers as key hashes of rings.
#pragma once

#include "clockwise/compat_hash.h"
#include "clockwise/key_hasher.h"

namespace clockwise::compat_internal {

// The number under which rings know a hash.
constexpr KeyHash KeyHashFor(PeerHash hash) noexcept {
  return static_cast<KeyHash>(kFirstForeignKeyHash + static_cast<int>(hash));
}

// What a peer does to a key before it hashes it: takes what lies between the
// first `tag_begin` and the first `tag_end` after it, if it is something; and
// gives the empty key hash 0 whatever the function is.
struct KeyRule {
  bool has_tag() const { return tag_begin != '\0'; }

  bool empty_is_zero = false;
  char tag_begin = '\0';  // no tag
  char tag_end = '\0';
};

// The rule as the seed of a ring, which peers have no other use for: 0 for
// none.
uint64_t SeedOf(KeyRule rule) noexcept;

// Makes all of them known to the process, once.
Status RegisterKeyHashers();

}  // namespace clockwise::compat_internal
