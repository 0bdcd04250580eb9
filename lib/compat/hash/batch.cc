// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Batches: MD5 and slots by kernels of their own, else loops over single keys.
#include <algorithm>

#include "clockwise/compat_hash.h"
#include "compat/hash/crc16.h"
#include "compat/hash/kinds.h"
#include "compat/hash/md5_batch.h"
#include "hash/placed.h"

namespace clockwise {
namespace compat_internal {
namespace {

using hash_internal::Placed;

template <class Out>
void Loop(PeerHash hash, const Texts& keys, Out* hashes) noexcept {
  const auto one = KindOf(hash).hash;
  for (size_t i = 0; i < keys.count(); ++i) {
    hashes[i] = Placed<Out>(one(keys[i]));
  }
}

// Calls take(digest, i) for each key, part by part: digests are larger than
// hashes and need room.
template <class Take>
void ForDigests(const Texts& keys, Take take) noexcept {
  constexpr size_t kPart = 256;
  Md5Digest digests[kPart];
  for (size_t first = 0; first < keys.count(); first += kPart) {
    const size_t count = std::min(kPart, keys.count() - first);
    Md5Batch(keys.Part(first, count), digests);
    for (size_t i = 0; i < count; ++i) take(digests[i], first + i);
  }
}

hash_internal::Hashes ToEither(uint32_t* hashes) { return {hashes, nullptr}; }
hash_internal::Hashes ToEither(uint64_t* hashes) { return {nullptr, hashes}; }

template <class Out>
void Batch(PeerHash hash, const Texts& keys, Out* hashes) noexcept {
  if (hash == PeerHash::kMd5Word) {
    ForDigests(keys, [hashes](const Md5Digest& digest, size_t i) noexcept {
      hashes[i] = Placed<Out>(digest.words[0]);
    });
  } else if (hash == PeerHash::kMd5High64) {
    ForDigests(keys, [hashes](const Md5Digest& digest, size_t i) noexcept {
      hashes[i] = Placed<Out>(digest.High64());
    });
  } else if (hash == PeerHash::kRedisSlot) {
    RedisSlotBatch(keys, ToEither(hashes));
  } else {
    Loop(hash, keys, hashes);
  }
}

}  // namespace
}  // namespace compat_internal

void PeerHashBatch(PeerHash hash, const std::string_view* keys, size_t count,
                   uint64_t* hashes) noexcept {
  compat_internal::Batch(hash, compat_internal::Texts(keys, count), hashes);
}
void PeerHashBatch(PeerHash hash, FixedKeys keys, uint64_t* hashes) noexcept {
  compat_internal::Batch(hash, compat_internal::Texts(keys), hashes);
}
void PeerHashBatch(PeerHash hash, const std::string_view* keys, size_t count,
                   uint32_t* hashes) noexcept {
  compat_internal::Batch(hash, compat_internal::Texts(keys, count), hashes);
}
void PeerHashBatch(PeerHash hash, FixedKeys keys, uint32_t* hashes) noexcept {
  compat_internal::Batch(hash, compat_internal::Texts(keys), hashes);
}

}  // namespace clockwise
