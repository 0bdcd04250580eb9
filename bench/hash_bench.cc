// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What hashing a key costs, per key:
//
//   Hash/kind:xxh3-64/bytes:13/mode:latency
//   Hash/kind:murmur3-32/bytes:13/stride:13/mode:batch/target:AVX2
//
// In mode `latency` the number of the next key is xor-ed with the last hash.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hash/kinds.h"
#include "keys.h"
#include "modes.h"
#include "rounds.h"
#include "target.h"

namespace clockwise::bench {
namespace {

// Few enough for the second-level cache: hashing is measured, not memory.
constexpr size_t kKeys = 4096;
constexpr size_t kPasses = 64;
constexpr size_t kItems = kKeys * kPasses;

std::vector<HashKind> Kinds() {
  std::vector<HashKind> kinds;
  for (int i = 0; i < kHashKinds; ++i)
    kinds.push_back(static_cast<HashKind>(i));
  return kinds;
}

std::string KindName(HashKind kind) {
  return "kind:" + std::string(HashName(kind));
}

const TextKeys& KeysOf(size_t least, size_t most) {
  static std::map<std::pair<size_t, size_t>, std::unique_ptr<TextKeys>> all;
  auto& kept = all[{least, most}];
  if (!kept) kept = std::make_unique<TextKeys>(least, most, kKeys);
  return *kept;
}

const KeyBlock& BlockOf(size_t size, size_t stride) {
  static std::map<std::pair<size_t, size_t>, std::unique_ptr<KeyBlock>> all;
  auto& kept = all[{size, stride}];
  if (!kept) kept = std::make_unique<KeyBlock>(size, stride, kKeys);
  return *kept;
}

// Single keys of run-time length, the hash inlined in the loop.
Contender SingleOf(HashKind kind, size_t least, size_t most, Mode mode) {
  const auto run = [=](size_t first, size_t count) {
    const std::string_view* keys = KeysOf(least, most).keys().data();
    return hash_internal::WithKind(kind, 0, [=](auto hash) noexcept {
      const auto hash_of = [=](size_t i, NodeIndex last) {
        const std::string_view key = keys[(i ^ last) % kKeys];
        return static_cast<NodeIndex>(hash(key.data(), key.size()));
      };
      return RunSingle(mode, hash_of, first, count);
    });
  };
  return {KindName(kind), run};
}

Group SingleGroup(size_t least, size_t most, Mode mode) {
  std::string bytes = std::to_string(least);
  if (most != least) bytes.append("-").append(std::to_string(most));
  Group group = {"bytes:" + bytes + "/mode:" + ModeName(mode),
                 kItems,
                 kKeys,
                 [=] { KeysOf(least, most); },
                 {}};
  for (HashKind kind : Kinds()) {
    group.contenders.push_back(SingleOf(kind, least, most, mode));
  }
  return group;
}

Contender BatchOf(HashKind kind, size_t size, size_t stride, int64_t target) {
  const auto run = [=](size_t first, size_t count) {
    const KeyBlock& block = BlockOf(size, stride);
    const auto hashes_of = [&block, kind](size_t i, size_t some,
                                          NodeIndex* hashes) {
      HashBatch(kind, 0, block.Keys(i % kKeys, some), hashes);
    };
    return RunBatches(hashes_of, first, count);
  };
  return {KindName(kind), run, target};
}

// Each kind and target against single hashes.
void CheckBatches(size_t size, size_t stride) {
  const KeyBlock& block = BlockOf(size, stride);
  std::vector<uint64_t> hashes(kKeys);
  for (HashKind kind : Kinds()) {
    for (int64_t target : Targets()) {
      UseTarget(target);
      HashBatch(kind, 0, block.Keys(0, kKeys), hashes.data());
      for (size_t i = 0; i < kKeys; ++i) {
        Require(hashes[i] == Hash(kind, {block.At(i), size}), KindName(kind));
      }
    }
  }
}

Group BatchGroup(size_t size, size_t stride) {
  Group group = {"bytes:" + std::to_string(size) +
                     "/stride:" + std::to_string(stride) + "/mode:batch",
                 kItems,
                 kKeys,
                 [=] { CheckBatches(size, stride); },
                 {}};
  for (HashKind kind : Kinds()) {
    for (int64_t target : Targets()) {
      group.contenders.push_back(BatchOf(kind, size, stride, target));
    }
  }
  return group;
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  for (Mode mode : {Mode::kLatency, Mode::kIndependent}) {
    for (size_t bytes : {8u, 13u, 16u, 32u, 37u, 64u, 128u}) {
      groups.push_back(SingleGroup(bytes, bytes, mode));
    }
    groups.push_back(SingleGroup(5, 40, mode));
  }
  groups.push_back(BatchGroup(13, 13));
  groups.push_back(BatchGroup(13, 16));
  groups.push_back(BatchGroup(37, 40));
  groups.push_back(BatchGroup(64, 64));
  return groups;
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  return Main(argc, argv, "Hash", Groups());
}
