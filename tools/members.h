// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The members of a ring as the command line gives them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "clockwise/members.h"

namespace clockwise::tool {

// A file, or the options in its place. What was not given is empty.
struct MembersArgs {
  std::string file;
  std::optional<std::string> name, scheme, vnodes, width, seed, key_hash,
      layout;
  std::vector<std::string> nodes;   // ID[=WEIGHT][@ZONE]
  std::vector<std::string> params;  // NAME=VALUE
};

// Reads the file or the options. Throws Failure: kRefused for what a file
// holds, kMisuse for what the command line does.
Members ReadMembers(const MembersArgs& args);

}  // namespace clockwise::tool
