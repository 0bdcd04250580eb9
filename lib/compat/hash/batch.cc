// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/compat_hash.h"
#include "compat/hash/kinds.h"
#include "hash/placed.h"

namespace clockwise {
namespace compat_internal {
namespace {

template <class Out>
void Loop(PeerHash hash, const std::string_view* keys, size_t count,
          Out* hashes) noexcept {
  const auto one = KindOf(hash).hash;
  for (size_t i = 0; i < count; ++i) {
    hashes[i] = hash_internal::Placed<Out>(one(keys[i]));
  }
}

template <class Out>
void Loop(PeerHash hash, const FixedKeys& keys, Out* hashes) noexcept {
  const auto one = KindOf(hash).hash;
  const auto* key = static_cast<const char*>(keys.data);
  for (size_t i = 0; i < keys.count; ++i, key += keys.stride) {
    hashes[i] = hash_internal::Placed<Out>(one({key, keys.size}));
  }
}

}  // namespace
}  // namespace compat_internal

void PeerHashBatch(PeerHash hash, const std::string_view* keys, size_t count,
                   uint64_t* hashes) noexcept {
  compat_internal::Loop(hash, keys, count, hashes);
}
void PeerHashBatch(PeerHash hash, FixedKeys keys, uint64_t* hashes) noexcept {
  compat_internal::Loop(hash, keys, hashes);
}
void PeerHashBatch(PeerHash hash, const std::string_view* keys, size_t count,
                   uint32_t* hashes) noexcept {
  compat_internal::Loop(hash, keys, count, hashes);
}
void PeerHashBatch(PeerHash hash, FixedKeys keys, uint32_t* hashes) noexcept {
  compat_internal::Loop(hash, keys, hashes);
}

}  // namespace clockwise
