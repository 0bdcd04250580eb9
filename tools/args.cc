// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "args.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "text.h"

namespace clockwise::tool {

CLI::App* AddVerb(CLI::App& app, const char* name, const char* help, Action run,
                  Action& action) {
  CLI::App* verb = app.add_subcommand(name, help);
  verb->callback([run = std::move(run), &action] { action = run; });
  return verb;
}

CLI::Option* AddRepeated(CLI::App& app, const std::string& flags,
                         std::vector<std::string>& values,
                         const std::string& help) {
  // The callback gets the texts as given; conversion to a vector would read
  // some of them, such as "[a,b]" and "{}", as lists.
  const auto take = [&values](const CLI::results_t& texts) {
    values = texts;
    return true;
  };
  return app.add_option(flags, take, help)
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->allow_extra_args(false);
}

void AddMembersOptions(CLI::App& app, MembersArgs& args) {
  app.add_option("-m,--members", args.file, "Members file (JSON)")
      ->type_name("FILE")
      ->group("Members, from a file");
  const std::string ring_group = "Members, from a ring file (clockwise pack)";
  app.add_option("-r,--ring", args.ring_file,
                 "Ring file, of which nothing is hashed or built")
      ->type_name("FILE")
      ->group(ring_group);
  app.add_flag("--copy", args.is_copied,
               "Read it into memory: for files that others may write into or "
               "truncate")
      ->group(ring_group);
  app.add_flag("--trusted", args.is_trusted,
               "Check its header, sizes and digest only: a file that this "
               "host's own writer did not seal may then crash the command or "
               "answer wrongly")
      ->group(ring_group);
  const std::string group = "Members, in place of a file";
  const auto add = [&](const char* flag, std::optional<std::string>& value,
                       const char* type, const char* help) {
    app.add_option(flag, value, help)->type_name(type)->group(group);
  };
  AddRepeated(app, "--node", args.nodes,
              "A node: cache-1, cache-1=1.5, cache-1=1.5@zone-a; repeatable")
      ->type_name("ID[=WEIGHT][@ZONE]")
      ->group(group);
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
      ->type_name("NAME=VALUE")
      ->group(group);
}

void AddKeyFileOptions(CLI::App& app, KeyArgs& args) {
  app.add_option("FILE", args.files,
                 "Files of keys, a key a line; - is standard input")
      ->type_name("");
  AddKeyFormOptions(app, args);
}

void AddKeyFormOptions(CLI::App& app, KeyArgs& args) {
  app.add_flag("-0,--null", args.nul_separated,
               "Keys end with NUL instead of a newline")
      ->group("Keys");
  app.add_flag("--hex", args.hex, "Keys are hex, two digits a byte")
      ->group("Keys");
}

void AddExcludeOption(CLI::App& app, std::vector<std::string>& ids) {
  AddRepeated(app, "--exclude", ids,
              "Pass over these nodes, as if they were down; other keys stay")
      ->type_name("ID,...");
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
