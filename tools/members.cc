// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "members.h"

#include <fmt/format.h>

#include "failure.h"
#include "text.h"

namespace clockwise::tool {
namespace {

constexpr KeyHash kKeyHashes[] = {KeyHash::kXxh3, KeyHash::kFnv1aFmix,
                                  KeyHash::kMurmur3_32};
constexpr Layout kLayouts[] = {Layout::kSorted, Layout::kEytzinger,
                               Layout::kSplus, Layout::kLine};

// "unknown WHAT 'text'; known: a, b".
template <typename Kinds, typename Name>
std::string Unknown(const char* what, std::string_view text, const Kinds& kinds,
                    Name name) {
  std::string known;
  for (const auto kind : kinds) {
    known += known.empty() ? "" : ", ";
    known += name(kind);
  }
  return fmt::format("unknown {} '{}'; known: {}", what, text, known);
}

std::string TooLong(std::string_view text, size_t limit) {
  return fmt::format("{} bytes; at most {}", text.size(), limit);
}

}  // namespace

std::string SetScheme(std::string_view text, RingOptions& options) {
  if (text != kNativeScheme) {
    return fmt::format("unknown scheme '{}'; known: {}", text, kNativeScheme);
  }
  options.scheme = text;
  return {};
}

std::string SetKeyHash(std::string_view text, RingOptions& options) {
  const auto key_hash = ParseKeyHash(text);
  if (!key_hash) return Unknown("key hash", text, kKeyHashes, KeyHashName);
  options.key_hash = *key_hash;
  return {};
}

std::string SetLayout(std::string_view text, RingOptions& options) {
  options.layout = ParseLayout(text);
  if (options.layout) return {};
  return Unknown("layout", text, kLayouts, LayoutName);
}

std::string SetVnodes(uint64_t value, RingOptions& options) {
  if (value < 1 || value > kMaxVnodes) {
    return fmt::format("{}; 1 to {}", value, kMaxVnodes);
  }
  options.vnodes = static_cast<uint32_t>(value);
  return {};
}

std::string SetWidth(uint64_t value, RingOptions& options) {
  if (value != 32 && value != 64) return fmt::format("{}; 32 or 64", value);
  options.width = static_cast<uint32_t>(value);
  return {};
}

std::string SetRingName(std::string_view text, RingOptions& options) {
  if (text.size() > kMaxLabelBytes) return TooLong(text, kMaxLabelBytes);
  options.name = text;
  return {};
}

std::string SetId(std::string_view text, Node& node) {
  if (text.empty()) return "an id has 1 to 255 bytes, and this one is empty";
  if (text.size() > kMaxIdBytes) return TooLong(text, kMaxIdBytes);
  if (HasControlByte(text)) {
    return fmt::format("'{}' has a control character", text);
  }
  node.id = text;
  return {};
}

std::string SetLabel(std::string_view text, std::string& label) {
  if (text.size() > kMaxLabelBytes) return TooLong(text, kMaxLabelBytes);
  label = text;
  return {};
}

std::string UnknownParameter(std::string_view name) {
  return fmt::format("unknown parameter '{}'; scheme {} has none", name,
                     kNativeScheme);
}

Members ReadMembers(const MembersArgs& args) {
  const bool is_inline = args.name || args.scheme || args.vnodes ||
                         args.width || args.seed || args.key_hash ||
                         args.layout || !args.nodes.empty() ||
                         !args.params.empty();
  if (args.file.empty()) {
    if (is_inline) return ReadInlineMembers(args);
    throw Failure(Exit::kMisuse,
                  "no members: give a file with -m FILE, or --node ID");
  }
  if (is_inline) {
    throw Failure(Exit::kMisuse,
                  "-m FILE excludes --node and the other options of a ring");
  }
  return ReadMembersFile(args.file);
}

Ring BuildRing(const Members& members) {
  Result<RingBuilder> builder = RingBuilder::Create(members.options);
  ThrowIfError(builder.status(), members.source);
  for (const Node& node : members.nodes) {
    ThrowIfError(builder.value().Add(node), members.source);
  }
  Result<Ring> ring = builder.value().Build(members.epoch);
  ThrowIfError(ring.status(), members.source);
  return std::move(ring).value();
}

}  // namespace clockwise::tool
