// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The members of a ring as the command line gives them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "clockwise/any_placement.h"
#include "clockwise/members.h"
#include "clockwise/ring.h"

namespace clockwise::tool {

// A members file, a ring file, or the options in their place. What was not
// given is empty.
struct MembersArgs {
  std::string file;
  std::string ring_file;
  bool is_trusted = false;  // the ring file
  bool is_copied = false;   // not mapped
  std::optional<std::string> name, scheme, vnodes, width, seed, key_hash,
      layout;
  std::vector<std::string> nodes;   // ID[=WEIGHT][@ZONE]
  std::vector<std::string> params;  // NAME=VALUE
};

// Members, and the ring where it came ready from a file.
struct MembersOrRing {
  Members members;
  std::optional<Ring> ring;
};

// Reads the file or the options. Throws Failure: kRefused for what a file
// holds, kMisuse for what the command line does. Of a ring file, members are
// listed by id.
MembersOrRing ReadMembers(const MembersArgs& args);

// Their placement: the file's ring, or built. `members` is to be read first.
// Throws Failure.
AnyPlacement PlacementOf(MembersOrRing& read);
AnyPlacement ReadPlacement(const MembersArgs& args);

}  // namespace clockwise::tool
