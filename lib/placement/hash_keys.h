// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Hashes of keys, by a hash that is built in or one that was registered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "clockwise/hash.h"
#include "clockwise/key_hasher.h"

namespace clockwise {

// A key hash as those use it who hash many keys.
struct KeyHashing {
  KeyHash key_hash;
  uint32_t width;  // 32 or 64
  uint64_t seed;

  // Null where it is built in.
  [[nodiscard]] const KeyHasher* foreign() const noexcept {
    return static_cast<uint8_t>(key_hash) < kFirstForeignKeyHash
               ? nullptr
               : FindKeyHasher(key_hash);
  }
  [[nodiscard]] uint64_t One(std::string_view key) const noexcept;
  void Many(const std::string_view* keys, size_t count,
            uint64_t* hashes) const noexcept;
  void Fixed(FixedKeys keys, uint64_t* hashes) const noexcept;
};

}  // namespace clockwise
