// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/key_hasher.h"

#include <atomic>
#include <mutex>
#include <string>

#include "clockwise/ring.h"
#include "placement/hash_keys.h"

namespace clockwise {
namespace {

// Read by lookups. Constant-initialized, so there before any constructor.
constinit std::atomic<const KeyHasher*> hashers[256] = {};
constinit std::mutex registering;

Status Refuse(KeyHash number, const std::string& why) {
  return {Code::kInvalidArgument,
          "key hash " + std::to_string(static_cast<int>(number)) + ": " + why};
}

Status Check(KeyHash number, const KeyHasher& hasher) {
  if (static_cast<uint8_t>(number) < kFirstForeignKeyHash) {
    return Refuse(number, "numbers below " +
                              std::to_string(kFirstForeignKeyHash) +
                              " are built in");
  }
  if (hasher.name.empty() || hasher.name.size() > 255) {
    return Refuse(number, "the name has " + std::to_string(hasher.name.size()) +
                              " bytes; 1 to 255");
  }
  if (hasher.one == nullptr || hasher.many == nullptr ||
      hasher.fixed == nullptr) {
    return Refuse(number, "not all of its forms are there");
  }
  const auto other = ParseKeyHash(hasher.name);
  if (other && *other != number) {
    return Refuse(number, "'" + std::string(hasher.name) + "' is key hash " +
                              std::to_string(static_cast<int>(*other)));
  }
  return {};
}

}  // namespace

Status RegisterKeyHasher(KeyHash number, const KeyHasher& hasher) {
  const std::lock_guard lock(registering);
  if (Status refused = Check(number, hasher); !refused.ok()) return refused;
  std::atomic<const KeyHasher*>& place = hashers[static_cast<uint8_t>(number)];
  const KeyHasher* there = place.load(std::memory_order_relaxed);
  if (there == &hasher) return {};
  if (there != nullptr) {
    return Refuse(number, "is '" + std::string(there->name) + "' already");
  }
  // Pairs with FindKeyHasher.
  place.store(&hasher, std::memory_order_release);
  return {};
}

const KeyHasher* FindKeyHasher(KeyHash number) noexcept {
  return hashers[static_cast<uint8_t>(number)].load(std::memory_order_acquire);
}

uint64_t KeyHashing::One(std::string_view key) const noexcept {
  if (const KeyHasher* hasher = foreign()) return hasher->one(key, seed);
  return Hash(HashKindOf(key_hash, width), key, seed);
}

void KeyHashing::Many(const std::string_view* keys, size_t count,
                      uint64_t* hashes) const noexcept {
  if (const KeyHasher* hasher = foreign()) {
    hasher->many(keys, count, seed, hashes);
  } else {
    HashBatch(HashKindOf(key_hash, width), seed, keys, count, hashes);
  }
}

void KeyHashing::Fixed(FixedKeys keys, uint64_t* hashes) const noexcept {
  if (const KeyHasher* hasher = foreign()) {
    hasher->fixed(keys, seed, hashes);
  } else {
    HashBatch(HashKindOf(key_hash, width), seed, keys, hashes);
  }
}

}  // namespace clockwise
