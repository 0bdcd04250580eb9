// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "args.h"

#include <fmt/format.h>

#include "text.h"

namespace clockwise::tool {

void AddMembersOptions(CLI::App& app, MembersArgs& args) {
  AddOption(app, "-m,--members", args.file, "Members file (JSON)")
      .Type("FILE")
      .Group("Members, from a file");
  const char* ring_group = "Members, from a ring file (clockwise pack)";
  AddOption(app, "-r,--ring", args.ring_file,
            "Ring file, of which nothing is hashed or built")
      .Type("FILE")
      .Group(ring_group);
  AddFlag(app, "--copy", args.is_copied,
          "Read it into memory: for files that others may write into or "
          "truncate")
      .Group(ring_group);
  AddFlag(app, "--trusted", args.is_trusted,
          "Check its header, sizes and digest only: a file that this "
          "host's own writer did not seal may then crash the command or "
          "answer wrongly")
      .Group(ring_group);
  const char* group = "Members, in place of a file";
  const auto add = [&](const char* flag, std::optional<std::string>& value,
                       const char* type, const char* help) {
    AddOption(app, flag, value, help).Type(type).Group(group);
  };
  AddRepeated(app, "--node", args.nodes,
              "A node: cache-1, cache-1=1.5, cache-1=1.5@zone-a; repeatable")
      .Type("ID[=WEIGHT][@ZONE]")
      .Group(group);
  add("--scheme", args.scheme, "NAME",
      "Placement scheme; `clockwise schemes` lists them "
      "(clockwise-1)");
  add("--vnodes", args.vnodes, "N", "Points of weight 1, 1 to 65536 (512)");
  add("--width", args.width, "BITS", "Bits of a position, 64 or 32 (64)");
  add("--seed", args.seed, "N", "Seed of keys and points (0)");
  add("--key-hash", args.key_hash, "NAME",
      "xxh3, fnv1a-fmix or, at width 32, murmur3-32 (xxh3); what the scheme's "
      "own users call it where that is another system's");
  add("--layout", args.layout, "NAME",
      "Arrangement in memory: sorted, eytzinger, splus or line; changes speed, "
      "never an answer");
  add("--name", args.name, "NAME", "Name of the ring; part of its digest");
  AddRepeated(app, "--param", args.params,
              "Parameter of the scheme; repeatable")
      .Type("NAME=VALUE")
      .Group(group);
}

void AddKeyFileOptions(CLI::App& app, KeyArgs& args) {
  AddRest(app, "FILE", args.files,
          "Files of keys, a key a line; - is standard input")
      .Type("");
  AddKeyFormOptions(app, args);
}

void AddKeyFormOptions(CLI::App& app, KeyArgs& args) {
  AddFlag(app, "-0,--null", args.nul_separated,
          "Keys end with NUL instead of a newline")
      .Group("Keys");
  AddFlag(app, "--hex", args.hex, "Keys are hex, two digits a byte")
      .Group("Keys");
}

void AddExcludeOption(CLI::App& app, std::vector<std::string>& ids) {
  AddRepeated(app, "--exclude", ids,
              "Pass over these nodes, as if they were down; other keys stay")
      .Type("ID,...");
}

SlotSet::SlotSet(const AnyPlacement& placement,
                 const std::vector<std::string>& ids)
    : is_in_(placement.slot_count(), false) {
  for (std::string_view list : ids) {
    // An id may hold commas itself.
    if (placement.Find(list) != kNoNode) {
      Add(placement, list);
      continue;
    }
    while (true) {
      const size_t comma = list.find(',');
      Add(placement, list.substr(0, comma));
      if (comma == std::string_view::npos) break;
      list.remove_prefix(comma + 1);
    }
  }
}

void SlotSet::Add(const AnyPlacement& placement, std::string_view id) {
  const NodeIndex slot = placement.Find(id);
  if (slot == kNoNode) {
    throw Failure(Exit::kRefused, fmt::format("--exclude: no node '{}'", id));
  }
  is_in_[slot] = true;
  is_empty_ = false;
}

uint64_t ParseCount(const char* option, std::string_view text, uint64_t least) {
  const auto count = ParseUnsigned(text);
  if (!count || *count < least) {
    throw Failure(Exit::kMisuse,
                  fmt::format("{}: '{}' is not a whole number of {} or more",
                              option, text, least));
  }
  return *count;
}

void CheckReplicas(const AnyPlacement& placement, uint64_t wanted,
                   const SlotSet& excluded) {
  if (placement.has_replicas() || (wanted <= 1 && excluded.is_empty())) return;
  throw Failure(
      Exit::kMisuse,
      fmt::format("{}: scheme {} has no node after the owner",
                  wanted > 1 ? "--replicas" : "--exclude", placement.scheme()));
}

}  // namespace clockwise::tool
