// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Short ways to make placements in tests, and to hold them against references.
#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clockwise/clockwise.h"
#include "ring_maker.h"

namespace clockwise {

// The two hashes of keys that placements may have.
inline constexpr KeyHash kWideKeyHashes[] = {KeyHash::kXxh3,
                                             KeyHash::kFnv1aFmix};

template <typename T>
T Built(Result<T> result) {
  EXPECT_TRUE(result.ok()) << result.status().message();
  return std::move(result).value();
}

inline nlohmann::json GoldenFile(const std::string& name) {
  return nlohmann::json::parse(std::ifstream(GOLDEN_DIR "/" + name));
}

// Distinct random ids of 1 to 20 bytes, in random order.
inline std::vector<Node> RandomNodes(std::mt19937_64& random, size_t count) {
  std::set<std::string> ids;
  while (ids.size() < count) {
    std::string id(1 + random() % 20, '\0');
    for (char& c : id) c = static_cast<char>(random() % 256);
    ids.insert(id);
  }
  std::vector<Node> nodes;
  for (const std::string& id : ids) nodes.push_back(MakeNode(id));
  std::shuffle(nodes.begin(), nodes.end(), random);
  return nodes;
}

// The same, of weight 0 one in `drained` times.
inline std::vector<Node> SomeDrained(std::mt19937_64& random, size_t count,
                                     unsigned drained) {
  std::vector<Node> nodes = RandomNodes(random, count);
  for (Node& node : nodes) {
    if (random() % drained == 0) node.weight = Weight::Thousandths(0);
  }
  return nodes;
}

// Ids of the nodes that are not drained, as they are listed.
inline std::vector<std::string> PlacedIds(const std::vector<Node>& nodes) {
  std::vector<std::string> ids;
  for (const Node& node : nodes) {
    if (node.weight.thousandths() != 0) ids.push_back(node.id);
  }
  return ids;
}

inline std::vector<std::string> SortedIds(const std::vector<Node>& nodes) {
  std::vector<std::string> ids = PlacedIds(nodes);
  std::sort(ids.begin(), ids.end());
  return ids;
}

inline std::vector<uint64_t> RandomHashes(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> hashes(count);
  for (uint64_t& hash : hashes) hash = random();
  return hashes;
}

template <typename P, typename... Args>
std::string IdOfOwner(const P& placement, Args... args) {
  return std::string(placement.node(placement.Owner(args...)).id);
}

// Every batch form, at edges of blocks and with every target that the CPU has,
// answers as single lookups do.
template <NamedPlacement P>
void ExpectBatchesAgree(const P& placement, uint64_t seed) {
  const std::vector<uint64_t> hashes = RandomHashes(seed, 300);
  const std::vector<std::string> texts = Keys("key:", 1000, 300);
  const std::vector<std::string_view> keys(texts.begin(), texts.end());
  std::string packed;
  for (const std::string& text : texts) packed += text + "|";
  const size_t stride = texts[0].size() + 1;
  for (int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    SCOPED_TRACE(hwy::TargetName(target));
    for (size_t count : {0u, 1u, 3u, 7u, 16u, 17u, 33u, 127u, 128u, 300u}) {
      std::vector<NodeIndex> owners(count + 1, 12345);
      placement.Owners(hashes.data(), count, owners.data());
      for (size_t i = 0; i < count; ++i) {
        ASSERT_EQ(owners[i], placement.Owner(hashes[i])) << i;
      }
      placement.Owners(keys.data(), count, owners.data());
      for (size_t i = 0; i < count; ++i) {
        ASSERT_EQ(owners[i], placement.Owner(keys[i])) << i;
      }
      placement.Owners(FixedKeys{packed.data(), stride - 1, stride, count},
                       owners.data());
      for (size_t i = 0; i < count; ++i) {
        ASSERT_EQ(owners[i], placement.Owner(keys[i])) << i;
      }
      ASSERT_EQ(owners[count], 12345u);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

// How many of `count` keys each id owns.
template <typename P>
std::map<std::string, int> KeyCounts(const P& placement, int count) {
  std::map<std::string, int> counts;
  for (const uint64_t hash : RandomHashes(77, static_cast<size_t>(count))) {
    ++counts[IdOfOwner(placement, hash)];
  }
  return counts;
}

}  // namespace clockwise
