// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Key hashes that are not built in: those of systems whose rings are to be
// reproduced, or a program's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "clockwise/detail/api.h"
#include "clockwise/detail/ring_image.h"
#include "clockwise/hash.h"
#include "clockwise/status.h"

namespace clockwise {

// Three forms of one function of a key's bytes and the ring's seed. Hashes are
// left-aligned: one of 32 bits is given as its value * 2^32. Called by any
// thread, also at once; must not throw or allocate.
struct KeyHasher {
  std::string_view name;  // 1 to 255 bytes; part of the digest of rings
  uint64_t (*one)(std::string_view key, uint64_t seed) noexcept;
  // hashes[i] = one(key i, seed).
  void (*many)(const std::string_view* keys, size_t count, uint64_t seed,
               uint64_t* hashes) noexcept;
  void (*fixed)(FixedKeys keys, uint64_t seed, uint64_t* hashes) noexcept;
};

// The first number that is not built in, and the first that is a program's own;
// those between them are for libraries of this project.
inline constexpr uint8_t kFirstForeignKeyHash = 32;
inline constexpr uint8_t kFirstOwnKeyHash = 192;

// Lets rings of this process hash keys by `hasher`, under a number of at least
// kFirstForeignKeyHash that means the same function wherever such rings are.
// `hasher` must live as long as the process. kInvalidArgument for a smaller
// number, for a form or a name that is missing, for a name that another number
// has or that is built in, and where the number has another hasher already;
// registering one again changes nothing. Any thread.
CW_API Status RegisterKeyHasher(KeyHash number, const KeyHasher& hasher);

// Returns what was registered under the number; null for nothing, and for
// those that are built in. Wait-free.
[[nodiscard]] CW_API const KeyHasher* FindKeyHasher(KeyHash number) noexcept;

}  // namespace clockwise
