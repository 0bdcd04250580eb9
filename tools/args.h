// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Options that several verbs share, and their checks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "clockwise/any_placement.h"
#include "failure.h"
#include "keys.h"
#include "members.h"

// Declared alone: the header is code that each file would compile.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace clockwise::tool {

// What the verb on the command line does, once everything is parsed.
using Action = std::function<Exit()>;

// Adds a verb to the command. `run` becomes `action` when it is the one given.
CLI::App* AddVerb(CLI::App& app, const char* name, const char* help, Action run,
                  Action& action);
// The same of a function of `args`, which it keeps: what the options write to.
template <typename Args>
CLI::App* AddVerb(CLI::App& app, const char* name, const char* help,
                  const std::shared_ptr<Args>& args, Exit (*run)(const Args&),
                  Action& action) {
  return AddVerb(
      app, name, help, [=] { return run(*args); }, action);
}

// Adds an option that may be repeated, with one value each time.
CLI::Option* AddRepeated(CLI::App& app, const std::string& flags,
                         std::vector<std::string>& values,
                         const std::string& help);

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
