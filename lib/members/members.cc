// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/members.h"

#include <new>
#include <utility>

#include "base/out_of_memory.h"
#include "clockwise/scheme.h"
#include "members/check_scheme.h"
#include "members/file.h"
#include "placement/build.h"

namespace clockwise {
namespace {

// `status` with the source of the members before its message.
Status From(const Members& members, const Status& status) {
  if (members.source.empty()) return status;
  return {status.code(), members.source + ": " + status.message()};
}

Result<Ring> BuildNative(const Members& members, BlockSource* source) {
  Result<RingBuilder> builder = RingBuilder::Create(members.options);
  if (!builder.ok()) return builder.status();
  for (const Node& node : members.nodes) {
    const Status status = builder.value().Add(node);
    if (!status.ok()) return status;
  }
  return builder.value().Build(members.epoch, source);
}

Result<Ring> MakeRing(const Scheme& scheme, const Members& members,
                      BlockSource* source) {
  return scheme.build_ring != nullptr ? scheme.build_ring(members, source)
                                      : BuildNative(members, source);
}

// The scheme that the members name, if they may name it with what they give.
Result<const Scheme*> SchemeFor(const Members& members) {
  const Scheme* scheme = FindScheme(members.options.scheme);
  if (scheme == nullptr) {
    return Status(Code::kInvalidOptions,
                  "scheme '" + members.options.scheme +
                      "' was not registered by any library");
  }
  if (Status refused = CheckAgainst(*scheme, members); !refused.ok()) {
    return refused;
  }
  return scheme;
}

}  // namespace

Result<Members> LoadMembers(const std::string& path) try {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return text.status();
  return ParseMembers(text.value(), path);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Result<Ring> BuildRing(const Members& members, BlockSource* source) try {
  const auto scheme = SchemeFor(members);
  if (!scheme.ok()) return From(members, scheme.status());
  if (!scheme.value()->is_ring()) {
    return From(members, {Code::kInvalidOptions,
                          "scheme '" + members.options.scheme +
                              "' is not a ring but another placement"});
  }
  Result<Ring> ring = MakeRing(*scheme.value(), members, source);
  if (!ring.ok()) return From(members, ring.status());
  return ring;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Result<Members> MembersOf(const Ring& ring) try {
  Members members;
  members.options = OptionsOf(ring);
  members.epoch = ring.epoch();
  members.nodes.reserve(ring.node_count());
  for (NodeIndex slot : ring.slots_by_id()) {
    members.nodes.push_back(ring.node(slot).ToNode());
  }
  return members;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Result<AnyPlacement> BuildPlacement(const Members& members,
                                    BlockSource* source) try {
  const auto scheme = SchemeFor(members);
  if (!scheme.ok()) return From(members, scheme.status());
  if (scheme.value()->is_ring()) {
    auto ring = MakeRing(*scheme.value(), members, source);
    if (!ring.ok()) return From(members, ring.status());
    return AnyPlacement(std::move(ring).value());
  }
  auto placement = scheme.value()->build_placement(members, source);
  if (!placement.ok()) return From(members, placement.status());
  return placement;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace clockwise
