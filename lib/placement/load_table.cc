// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/load_table.h"

#include <new>
#include <string>

#include "base/out_of_memory.h"

namespace clockwise {

Result<LoadTable> LoadTable::Create(uint32_t slots, BlockSource* source) {
  if (slots == 0) {
    return Status(Code::kInvalidOptions, "load table of 0 slots; at least 1");
  }
  if (slots > kMaxNodes) {
    return Status(Code::kTooManyNodes,
                  "load table of " + std::to_string(slots) +
                      " slots; at most " + std::to_string(kMaxNodes));
  }
  const size_t lines = slots + size_t{1};
  Block block =
      Block::Acquire(source != nullptr ? *source : DefaultBlockSource(),
                     lines * sizeof(detail::LoadLine));
  if (block.data() == nullptr) return OutOfMemory();
  auto* line = static_cast<detail::LoadLine*>(block.data());
  for (size_t i = 0; i < lines; ++i) new (line + i) detail::LoadLine;
  return LoadTable(std::move(block), slots);
}

LoadTable::~LoadTable() {
  // A ticket that is left would release into memory of others.
  assert(block_.data() == nullptr || total() == 0);
}

std::string_view AcquireOutcomeName(AcquireOutcome outcome) noexcept {
  switch (outcome) {
    case AcquireOutcome::kPlaced:
      return "placed";
    case AcquireOutcome::kOverCap:
      return "over_cap";
    case AcquireOutcome::kNoNodes:
      return "no_nodes";
    case AcquireOutcome::kAllExcluded:
      return "all_excluded";
    case AcquireOutcome::kAllFull:
      return "all_full";
  }
  return "unknown";
}

}  // namespace clockwise
