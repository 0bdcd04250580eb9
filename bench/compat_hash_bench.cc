// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What hashing a key as other systems do costs, per key, 256 at a time:
//
//   Hash/hash:md5-32/md5/bytes:13/target:AVX2
//   Hash/hash:byte_table/slot/bytes:8-40
//
// Groups `md5` and `slot` hold the batches against what such systems run: one
// digest of libmd after the other, and Redis's own loop over a table of bytes.
// Group `each` has all hashes, to compare.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "clockwise/compat_hash.h"
#include "compat/hash/md5_digest.h"
#include "keys.h"
#include "modes.h"
#include "peers/redis_slot.h"
#include "rounds.h"
#include "target.h"

namespace clockwise::bench {
namespace {

// Few enough for the second-level cache: hashing is measured, not memory.
constexpr size_t kKeys = 4096;
constexpr size_t kPasses = 32;
constexpr size_t kItems = kKeys * kPasses;

using KeyList = std::vector<std::string_view>;

const KeyList& KeysOf(size_t least, size_t most) {
  static std::map<std::pair<size_t, size_t>, std::unique_ptr<TextKeys>> all;
  auto& kept = all[{least, most}];
  if (!kept) kept = std::make_unique<TextKeys>(least, most, kKeys);
  return kept->keys();
}

// The same, with a part in braces.
const KeyList& TaggedKeysOf(size_t least, size_t most) {
  static std::map<std::pair<size_t, size_t>, KeyList> all;
  static std::vector<std::unique_ptr<std::string>> texts;
  KeyList& kept = all[{least, most}];
  if (!kept.empty()) return kept;
  for (const std::string_view key : KeysOf(least, most)) {
    auto text = std::make_unique<std::string>(key);
    text->insert(key.size() / 4, "{").insert(key.size() / 2, "}");
    kept.emplace_back(*text);
    texts.push_back(std::move(text));
  }
  return kept;
}

uint32_t LibmdWord(std::string_view key) {
  return compat_internal::Md5(key).words[0];
}

using Keys = const KeyList& (*)(size_t least, size_t most);

// One key after the other.
template <uint32_t (*kHash)(std::string_view)>
Contender SingleOf(const char* name, Keys keys_of, size_t least, size_t most) {
  return {name, [=](size_t first, size_t count) {
            const std::string_view* keys = keys_of(least, most).data();
            return RunBatchesOfSingle(
                [keys](size_t i, NodeIndex) { return kHash(keys[i % kKeys]); },
                first, count);
          }};
}

Contender BatchOf(PeerHash hash, Keys keys_of, size_t least, size_t most,
                  int64_t target) {
  const auto run = [=](size_t first, size_t count) {
    const std::string_view* keys = keys_of(least, most).data();
    const auto hashes_of = [=](size_t i, size_t some, NodeIndex* hashes) {
      PeerHashBatch(hash, keys + i % kKeys, some, hashes);
    };
    return RunBatches(hashes_of, first, count);
  };
  return {"hash:" + std::string(PeerHashName(hash)), run, target};
}

std::string BytesName(size_t least, size_t most) {
  const std::string bytes = "/bytes:" + std::to_string(least);
  return most == least ? bytes : bytes + "-" + std::to_string(most);
}

// Batches of a hash, by every target, against single hashes.
Group AgainstSingle(const std::string& name, PeerHash hash,
                    const Contender& single, uint32_t (*one)(std::string_view),
                    Keys keys_of, size_t least, size_t most) {
  const auto check = [=] {
    const KeyList& keys = keys_of(least, most);
    std::vector<uint32_t> hashes(keys.size());
    for (int64_t target : Targets()) {
      UseTarget(target);
      PeerHashBatch(hash, keys.data(), keys.size(), hashes.data());
      for (size_t i = 0; i < keys.size(); ++i) {
        Require(hashes[i] == one(keys[i]), name);
      }
    }
  };
  Group group = {name + BytesName(least, most), kItems, kKeys, check, {single}};
  for (int64_t target : Targets()) {
    group.contenders.push_back(BatchOf(hash, keys_of, least, most, target));
  }
  return group;
}

Group Md5Group(size_t least, size_t most) {
  return AgainstSingle("md5", PeerHash::kMd5Word,
                       SingleOf<LibmdWord>("hash:libmd", KeysOf, least, most),
                       LibmdWord, KeysOf, least, most);
}

Group SlotGroup(const std::string& name, Keys keys_of, size_t least,
                size_t most) {
  const Contender single =
      SingleOf<RedisLoop>("hash:byte_table", keys_of, least, most);
  return AgainstSingle(name, PeerHash::kRedisSlot, single, RedisLoop, keys_of,
                       least, most);
}

Group EachGroup(size_t least, size_t most) {
  Group group = {"each" + BytesName(least, most),
                 kItems,
                 kKeys,
                 [=] { KeysOf(least, most); },
                 {}};
  for (int i = 0; i < kPeerHashes; ++i) {
    const auto hash = static_cast<PeerHash>(i);
    group.contenders.push_back(BatchOf(hash, KeysOf, least, most, 0));
  }
  return group;
}

std::vector<Group> Groups() {
  std::vector<Group> groups;
  const std::pair<size_t, size_t> kBytes[] = {{13, 13}, {8, 40}, {1, 200}};
  for (const auto& [least, most] : kBytes) {
    groups.push_back(Md5Group(least, most));
  }
  for (const auto& [least, most] : kBytes) {
    groups.push_back(SlotGroup("slot", KeysOf, least, most));
  }
  groups.push_back(SlotGroup("slot_tagged", TaggedKeysOf, 8, 40));
  groups.push_back(EachGroup(8, 40));
  return groups;
}

}  // namespace
}  // namespace clockwise::bench

int main(int argc, char** argv) {
  using namespace clockwise::bench;
  return Main(argc, argv, "Hash", Groups());
}
