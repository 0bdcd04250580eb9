// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/members.h"

#include <new>
#include <utility>

#include "base/out_of_memory.h"
#include "clockwise/scheme.h"
#include "members/check_scheme.h"
#include "members/file.h"

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

}  // namespace

Result<Members> LoadMembers(const std::string& path) try {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return text.status();
  return ParseMembers(text.value(), path);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Result<Ring> BuildRing(const Members& members, BlockSource* source) try {
  const Scheme* scheme = FindScheme(members.options.scheme);
  if (scheme == nullptr) {
    return From(members, {Code::kInvalidOptions,
                          "scheme '" + members.options.scheme +
                              "' was not registered by any library"});
  }
  if (Status refused = CheckAgainst(*scheme, members); !refused.ok()) {
    return From(members, refused);
  }
  Result<Ring> ring = scheme->build != nullptr ? scheme->build(members, source)
                                               : BuildNative(members, source);
  if (!ring.ok()) return From(members, ring.status());
  return ring;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace clockwise
