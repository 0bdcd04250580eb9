// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "members.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "clockwise/ring_file.h"
#include "clockwise/scheme.h"
#include "failure.h"
#include "text.h"

namespace clockwise::tool {
namespace {

// The options that stand for one field of a members file each.
struct FieldOption {
  const char* flag;
  const char* field;
  std::optional<std::string> MembersArgs::*value;
};
constexpr FieldOption kFieldOptions[] = {
    {"--name", "name", &MembersArgs::name},
    {"--scheme", "scheme", &MembersArgs::scheme},
    {"--key-hash", "key_hash", &MembersArgs::key_hash},
    {"--layout", "layout", &MembersArgs::layout},
    {"--seed", "seed", &MembersArgs::seed},
    {"--vnodes", "vnodes", &MembersArgs::vnodes},
    {"--width", "width", &MembersArgs::width},
};

[[noreturn]] void Refuse(const char* flag, std::string_view why) {
  throw Failure(Exit::kMisuse, fmt::format("{}: {}", flag, why));
}

void CheckUtf8(const char* flag, std::string_view text) {
  if (!IsUtf8(text)) Refuse(flag, fmt::format("'{}' is not UTF-8", text));
}

// Takes a field of a ring.
void Take(const char* flag, std::string_view field, std::string_view text,
          Members& members) {
  CheckUtf8(flag, text);
  const Status status = SetField(field, text, members);
  if (!status.ok()) Refuse(flag, status.message());
}

void TakeParam(std::string_view param, Members& members) {
  const size_t equals = param.find('=');
  if (equals == std::string_view::npos) {
    Refuse("--param", fmt::format("'{}' is not NAME=VALUE", param));
  }
  Take("--param", fmt::format("params.{}", param.substr(0, equals)),
       param.substr(equals + 1), members);
}

// Cuts `text` at the last `mark` and returns what follows it, if there is one.
std::optional<std::string_view> CutLast(std::string_view& text, char mark) {
  const size_t at = text.rfind(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view tail = text.substr(at + 1);
  text = text.substr(0, at);
  return tail;
}

// Reads ID[=WEIGHT][@ZONE] from the right. Whatever follows the last '=' must
// be a weight: an id that was silently taken with its mistyped weight would be
// another node.
Node ParseNode(std::string_view text) {
  CheckUtf8("--node", text);
  Node node;
  const auto take = [&](const char* field, std::string_view value,
                        const char* hint = "") {
    const Status status = SetField(field, value, node);
    if (status.ok()) return;
    Refuse("--node",
           fmt::format("'{}': {}: {}{}", text, field, status.message(), hint));
  };
  std::string_view rest = text;
  if (const auto zone = CutLast(rest, '@')) {
    if (zone->find('=') != std::string_view::npos) {
      Refuse("--node", fmt::format("'{}': the zone comes last, as in "
                                   "ID=WEIGHT@ZONE; other ids need a members "
                                   "file",
                                   text));
    }
    take("zone", *zone);
  }
  if (const auto weight = CutLast(rest, '=')) {
    take("weight", *weight, " (an id with '=' in it needs a members file)");
  }
  take("id", rest);
  return node;
}

void TakeNodes(const std::vector<std::string>& texts, Members& members) {
  std::set<std::string> ids;
  for (const std::string& text : texts) {
    Node node = ParseNode(text);
    if (!ids.insert(node.id).second) {
      Refuse("--node",
             fmt::format("'{}': the id '{}' is given twice", text, node.id));
    }
    members.nodes.push_back(std::move(node));
  }
}

// Where a scheme of a peer lets its user choose the key hash, --key-hash takes
// the peer's own name for it. Returns whether it was that.
bool TakePeerHash(const std::string& name, Members& members) {
  const Scheme* scheme = FindScheme(members.options.scheme);
  if (scheme == nullptr || scheme->takes_key_hash) return false;
  const auto reads = [&](std::string_view param) {
    return std::ranges::find(scheme->ring_params, param) !=
           scheme->ring_params.end();
  };
  for (const char* param : {"hash", "hash_function"}) {
    if (!reads(param)) continue;
    Take("--key-hash", std::string("params.") + param, name, members);
    return true;
  }
  if (!reads("hash_type")) return false;
  const char* method =
      scheme->id == "haproxy-map" ? "map-based " : "consistent ";
  Take("--key-hash", "params.hash_type", method + name, members);
  return true;
}

Members ReadOptions(const MembersArgs& args) {
  Members members;
  members.source = "command line";
  for (const auto& [flag, field, value] : kFieldOptions) {
    if (!(args.*value)) continue;
    const bool is_peers = value == &MembersArgs::key_hash &&
                          TakePeerHash(*args.key_hash, members);
    if (!is_peers) Take(flag, field, *(args.*value), members);
  }
  for (const std::string& param : args.params) TakeParam(param, members);
  TakeNodes(args.nodes, members);
  return members;
}

bool HasOptions(const MembersArgs& args) {
  return !args.nodes.empty() || !args.params.empty() ||
         std::ranges::any_of(kFieldOptions, [&](const FieldOption& option) {
           return (args.*option.value).has_value();
         });
}

RingLoadOptions LoadOptionsOf(const MembersArgs& args) {
  RingLoadOptions options;
  if (args.is_copied) options.mode = LoadMode::kCopy;
  if (args.is_trusted) options.check = RingFileCheck::kTrustedWriterOnly;
  if (args.layout) {
    options.layout = ParseLayout(*args.layout);
    if (!options.layout) {
      Refuse("--layout", fmt::format("'{}'; sorted, eytzinger, splus or line",
                                     *args.layout));
    }
  }
  return options;
}

// A layout is the only option that a ring file leaves open.
MembersOrRing ReadRingFile(const MembersArgs& args) {
  MembersArgs others = args;
  others.layout.reset();
  if (!args.file.empty() || HasOptions(others)) {
    throw Failure(Exit::kMisuse,
                  "-r FILE excludes -m, --node and the options of a ring but "
                  "--layout");
  }
  MembersOrRing read;
  read.ring = ValueOf(LoadRing(args.ring_file, LoadOptionsOf(args)));
  read.members = ValueOf(MembersOf(*read.ring));
  read.members.source = args.ring_file;
  return read;
}

}  // namespace

MembersOrRing ReadMembers(const MembersArgs& args) {
  if (!args.ring_file.empty()) return ReadRingFile(args);
  if (args.is_trusted || args.is_copied) {
    throw Failure(Exit::kMisuse, "--trusted and --copy are for -r FILE");
  }
  if (args.file.empty()) {
    if (HasOptions(args)) return {ReadOptions(args), std::nullopt};
    throw Failure(Exit::kMisuse,
                  "no members: give a file with -m FILE, or --node ID");
  }
  if (HasOptions(args)) {
    throw Failure(Exit::kMisuse,
                  "-m FILE excludes --node and the other options of a ring");
  }
  return {ValueOf(LoadMembers(args.file)), std::nullopt};
}

AnyPlacement PlacementOf(MembersOrRing& read) {
  if (read.ring) return AnyPlacement(*std::exchange(read.ring, std::nullopt));
  return ValueOf(BuildPlacement(read.members));
}

AnyPlacement ReadPlacement(const MembersArgs& args) {
  MembersOrRing read = ReadMembers(args);
  return PlacementOf(read);
}

}  // namespace clockwise::tool
