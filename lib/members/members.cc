// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/members.h"

#include <new>
#include <utility>

#include "base/out_of_memory.h"
#include "members/file.h"

namespace clockwise {
namespace {

// `status` with the source of the members before its message.
Status From(const Members& members, const Status& status) {
  if (members.source.empty()) return status;
  return {status.code(), members.source + ": " + status.message()};
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
  Result<RingBuilder> builder = RingBuilder::Create(members.options);
  if (!builder.ok()) return From(members, builder.status());
  for (const Node& node : members.nodes) {
    const Status status = builder.value().Add(node);
    if (!status.ok()) return From(members, status);
  }
  Result<Ring> ring = builder.value().Build(members.epoch, source);
  if (!ring.ok()) return From(members, ring.status());
  return ring;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace clockwise
