// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Members given on the command line.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "failure.h"
#include "members.h"
#include "text.h"

namespace clockwise::tool {
namespace {

// Throws unless `why` is empty.
void Check(const char* option, const std::string& why) {
  if (why.empty()) return;
  throw Failure(Exit::kMisuse, fmt::format("{}: {}", option, why));
}

uint64_t Number(const char* option, std::string_view text) {
  const auto value = ParseUnsigned(text);
  if (!value) {
    Check(option, fmt::format("'{}' is not a whole number below 2^64", text));
  }
  return *value;
}

void CheckUtf8(const char* option, std::string_view text) {
  if (!IsUtf8(text)) Check(option, fmt::format("'{}' is not UTF-8", text));
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
  const auto refuse = [text](std::string_view why) {
    Check("--node", fmt::format("'{}': {}", text, why));
  };
  CheckUtf8("--node", text);
  Node node;
  std::string_view rest = text;
  if (const auto zone = CutLast(rest, '@')) {
    if (zone->find('=') != std::string_view::npos) {
      refuse(
          "the zone comes last, as in ID=WEIGHT@ZONE; "
          "other ids need a members file");
    }
    if (std::string why = SetLabel(*zone, node.zone); !why.empty()) {
      refuse("zone: " + why);
    }
  }
  if (const auto weight = CutLast(rest, '=')) {
    const Result<Weight> parsed = Weight::Parse(*weight);
    if (!parsed.ok()) {
      refuse(parsed.status().message() +
             " (an id with '=' in it needs a members file)");
    }
    node.weight = parsed.value();
  }
  if (std::string why = SetId(rest, node); !why.empty()) refuse("id: " + why);
  return node;
}

RingOptions ParseOptions(const MembersArgs& args) {
  RingOptions options;
  if (args.name) {
    CheckUtf8("--name", *args.name);
    Check("--name", SetRingName(*args.name, options));
  }
  if (args.scheme) Check("--scheme", SetScheme(*args.scheme, options));
  if (args.key_hash) Check("--key-hash", SetKeyHash(*args.key_hash, options));
  if (args.layout) Check("--layout", SetLayout(*args.layout, options));
  if (args.seed) options.seed = Number("--seed", *args.seed);
  if (args.vnodes) {
    Check("--vnodes", SetVnodes(Number("--vnodes", *args.vnodes), options));
  }
  if (args.width) {
    Check("--width", SetWidth(Number("--width", *args.width), options));
  }
  return options;
}

}  // namespace

Members ReadInlineMembers(const MembersArgs& args) {
  Members members{.source = "command line",
                  .options = ParseOptions(args),
                  .epoch = 0,
                  .nodes = {}};
  for (const std::string& param : args.params) {
    const size_t equals = param.find('=');
    Check("--param", equals == std::string::npos
                         ? fmt::format("'{}' is not NAME=VALUE", param)
                         : UnknownParameter(param.substr(0, equals)));
  }
  std::set<std::string> ids;
  for (const std::string& text : args.nodes) {
    Node node = ParseNode(text);
    if (!ids.insert(node.id).second) {
      Check("--node",
            fmt::format("'{}': the id '{}' is given twice", text, node.id));
    }
    members.nodes.push_back(std::move(node));
  }
  return members;
}

}  // namespace clockwise::tool
