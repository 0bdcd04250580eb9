// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The members of a ring as the user gave them, and the ring built from them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clockwise/node.h"
#include "clockwise/ring.h"
#include "clockwise/ring_builder.h"

namespace clockwise::tool {

struct Members {
  std::string source;  // a file's name or "command line", for messages
  RingOptions options;
  uint64_t epoch = 0;
  std::vector<Node> nodes;  // ids differ
};

// How the command line gives members: a file, or the options in its place. What
// was not given is empty.
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

// The two halves of it.
Members ReadMembersFile(const std::string& path);
Members ReadInlineMembers(const MembersArgs& args);

// Builds the ring. Throws Failure with the library's reason.
Ring BuildRing(const Members& members);

// What options, and fields of the same meaning, accept. Each returns why the
// text is refused; empty where it was taken.
std::string SetScheme(std::string_view text, RingOptions& options);
std::string SetKeyHash(std::string_view text, RingOptions& options);
std::string SetLayout(std::string_view text, RingOptions& options);
std::string SetVnodes(uint64_t value, RingOptions& options);
std::string SetWidth(uint64_t value, RingOptions& options);
std::string SetRingName(std::string_view text, RingOptions& options);
std::string SetId(std::string_view text, Node& node);
std::string SetLabel(std::string_view text, std::string& label);
std::string UnknownParameter(std::string_view name);

}  // namespace clockwise::tool
