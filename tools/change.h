// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What two members or ring files place differently: exactly, on real keys, or
// both.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "args.h"
#include "clockwise/plan.h"
#include "members.h"

namespace clockwise::tool {

struct ChangeArgs {
  MembersArgs before, after;
  KeyArgs keys;
  std::string replicas = "1";
  bool ranges = false;
  bool json = false;
  std::optional<std::string> picture;  // of `diff` alone
};

// BEFORE, AFTER, --keys, --replicas, --ranges and --json.
void AddChangeOptions(CLI::App& app, ChangeArgs& args);

// Keys, counted by who had them and who has them.
struct KeyMoves {
  uint64_t keys = 0;
  uint64_t moved = 0;  // another owner
  // Of those, by the ids of both owners; "" where there is none.
  std::map<std::pair<std::string, std::string>, uint64_t> by_pair;
  // By move of the plan, if there is one: more than `moved` in all where there
  // are several replicas.
  std::vector<uint64_t> by_move;
};

struct Change {
  AnyPlacement before, after;
  // Where both are rings that hash keys alike.
  std::optional<MigrationPlan> plan;
  std::optional<KeyMoves> keys;  // if there were any to count
};

// Reads a members file, or a ring file by its first bytes. Throws Failure.
MembersOrRing ReadSide(MembersArgs args);

// Builds what both sides describe; their members stay. Throws Failure where
// there is neither a plan nor a key.
Change MakeChange(MembersOrRing& before, MembersOrRing& after,
                  const ChangeArgs& args);

// Counts the keys of the files in one pass. Memory depends on pairs of nodes
// and on moves, not on keys. Throws Failure, also where there are none.
KeyMoves CountKeyMoves(const Change& change, const KeyArgs& args);

}  // namespace clockwise::tool
