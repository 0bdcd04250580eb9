// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Members as the files of tests/golden have them, and placements of peers
// against the owners that the peers chose: single lookups, batches, and walks
// where a file has them.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "clockwise/compat.h"
#include "clockwise/scheme.h"
#include "vectors.h"

namespace clockwise {

using nlohmann::json;

inline std::string TextOf(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// The members of a case; ids are made distinct by their place.
struct CaseMembers {
  Members members;
  std::map<std::string, size_t, std::less<>> index;  // in the case's nodes

  CaseMembers(std::string_view scheme, Params params) {
    members.source = "golden";
    members.options.scheme = scheme;
    members.options.params = std::move(params);
  }
  Node& Add(const std::string& id, double weight, size_t i) {
    Node node;
    node.id = index.contains(id) ? id + "#" + std::to_string(i) : id;
    node.weight =
        Weight::Thousandths(static_cast<uint64_t>(weight * 1000 + 0.5));
    if (weight > 1e6) {  // more than a Weight can be
      node.weight = Weight();
      node.params["weight"] = std::to_string(static_cast<uint64_t>(weight));
    }
    index[node.id] = i;
    members.nodes.push_back(node);
    return members.nodes.back();
  }
};

// FNV-1a-64 of the whole ring as files have it: of each point the position, in
// as many bytes as the ring is wide, and its node's place in the list.
inline std::string RingFnv(const Ring& ring, const CaseMembers& wanted) {
  std::string bytes;
  const auto append = [&bytes](uint64_t number, uint32_t size) {
    for (uint32_t i = 0; i < size; ++i) {
      bytes += static_cast<char>(number >> 8 * i & 255);
    }
  };
  for (size_t i = 0; i < ring.point_count(); ++i) {
    append(ring.PositionAt(i) >> (64 - ring.width()), ring.width() / 8);
    append(wanted.index.find(ring.node(ring.OwnerAt(i)).id)->second, 4);
  }
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx",
                static_cast<unsigned long long>(Fnv1a64(bytes)));
  return hex;
}

// Returns how many answers of the case are not the ring's.
inline size_t Mismatches(const CaseMembers& wanted,
                         const std::vector<std::string>& keys,
                         const json& answers) {
  EXPECT_TRUE(RegisterPeerSchemes().ok());
  const auto built = BuildPlacement(wanted.members);
  EXPECT_TRUE(built.ok()) << built.status().message();
  if (!built.ok()) return keys.size();
  const AnyPlacement& placement = built.value();
  const auto index_of = [&](NodeIndex slot) {
    return wanted.index.find(placement.node(slot).id)->second;
  };
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  std::vector<NodeIndex> batch(keys.size());
  placement.Owners(views.data(), views.size(), batch.data());
  size_t wrong = 0;
  if (answers.contains("ring_fnv1a64")) {
    EXPECT_EQ(RingFnv(*placement.ring(), wanted), answers.at("ring_fnv1a64"));
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    if (answers.contains("owner")) {
      const size_t owner = index_of(placement.Owner(views[i]));
      wrong += owner != answers.at("owner")[i].get<size_t>();
    }
    wrong += batch[i] != placement.Owner(views[i]);
    if (!answers.contains("replicas")) continue;
    const json& expected = answers.at("replicas")[i];
    std::vector<NodeIndex> nodes(expected.size());
    placement.Replicas(placement.HashOf(views[i]), nodes.size(), nodes.data());
    for (size_t n = 0; n < nodes.size(); ++n) {
      wrong += index_of(nodes[n]) != expected[n].get<size_t>();
    }
  }
  return wrong;
}

using MembersOfCase = std::function<std::optional<CaseMembers>(const json&)>;
// What the peer was configured to hash of a key, where that is not the key.
using KeyOfCase = std::function<std::string(const json&, const std::string&)>;

// Every case of the file that has members.
inline void ExpectOwners(const std::string& file,
                         const MembersOfCase& members_of, size_t least_cases,
                         const KeyOfCase& key_of = nullptr) {
  const Vectors vectors(file);
  size_t cases = 0;
  for (const json& c : vectors["cases"]) {
    const auto members = members_of(c);
    if (!members) continue;
    ++cases;
    std::vector<std::string> keys = vectors.keys();
    for (std::string& key : keys) {
      if (key_of) key = key_of(c, key);
    }
    EXPECT_EQ(Mismatches(*members, keys, c), 0u) << file << " " << c.at("name");
  }
  EXPECT_GE(cases, least_cases) << file;
}

// A node of each in the case, with these of its fields as parameters.
inline CaseMembers NodesOf(const json& c, std::string_view scheme,
                           Params params,
                           const std::vector<std::string>& fields = {}) {
  CaseMembers wanted(scheme, std::move(params));
  for (size_t i = 0; i < c.at("nodes").size(); ++i) {
    const json& n = c.at("nodes")[i];
    Node& node = wanted.Add(TextOf(n.at("id")), n.value("weight", 1.0), i);
    for (const std::string& field : fields) {
      if (n.contains(field)) node.params[field] = TextOf(n.at(field));
    }
  }
  return wanted;
}

}  // namespace clockwise
