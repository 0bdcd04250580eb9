// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Options that several verbs share, and their checks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/any_placement.h"
#include "command_line.h"
#include "failure.h"
#include "keys.h"
#include "members.h"

namespace clockwise::tool {

// -m, -r, or --node and the options of a ring.
void AddMembersOptions(CLI::App& app, MembersArgs& args);

// [FILE…], -0 and --hex.
void AddKeyFileOptions(CLI::App& app, KeyArgs& args);
// -0 and --hex.
void AddKeyFormOptions(CLI::App& app, KeyArgs& args);

// --exclude ID,…
void AddExcludeOption(CLI::App& app, std::vector<std::string>& ids);

// A set of slots.
class SlotSet {
 public:
  // Reads what --exclude was given: each value an id, or ids with commas
  // between them. Throws Failure for an id that is no member's.
  SlotSet(const AnyPlacement& placement, const std::vector<std::string>& ids);

  [[nodiscard]] bool Contains(NodeIndex slot) const noexcept {
    return is_in_[slot];
  }
  [[nodiscard]] bool is_empty() const noexcept { return is_empty_; }

 private:
  void Add(const AnyPlacement& placement, std::string_view id);

  std::vector<bool> is_in_;
  bool is_empty_ = true;
};

// Reads the value of `option`. Throws Failure (kMisuse) for a text that is no
// whole number of at least `least`.
uint64_t ParseCount(const char* option, std::string_view text, uint64_t least);

// Throws Failure (kMisuse) where more nodes than the owner are asked for, or
// other nodes than it, and the scheme has none.
void CheckReplicas(const AnyPlacement& placement, uint64_t wanted,
                   const SlotSet& excluded);

}  // namespace clockwise::tool
