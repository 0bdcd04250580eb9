// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "platform/mapped_source.h"

#include <cstddef>
#include <new>

namespace clockwise {
namespace {

// How far into its page an address or an offset is.
size_t IntoPage(uint64_t at) { return at % PageBytes(); }
size_t IntoPage(const void* data) {
  return IntoPage(reinterpret_cast<uintptr_t>(data));
}

std::byte* PageOf(void* data) {
  return static_cast<std::byte*>(data) - IntoPage(data);
}

// Takes mapped blocks back. A block tells by its address where its first page
// begins, so that no state is needed.
class MappedSource final : public BlockSource {
 public:
  void* Acquire(size_t) noexcept override { return nullptr; }
  void Release(void* block, size_t bytes) noexcept override {
    SystemFileCalls().Unmap(PageOf(block), bytes + IntoPage(block));
  }
};

MappedSource& Source() noexcept {
  // Never destroyed: rings in static storage may be dropped later.
  alignas(MappedSource) static std::byte room[sizeof(MappedSource)];
  static auto* const source = new (room) MappedSource;
  return *source;
}

}  // namespace

Block MapBlock(FileCalls& calls, int fd, uint64_t at, size_t bytes,
               size_t writable) noexcept {
  const size_t before = IntoPage(at);
  void* pages = calls.Map(fd, before + bytes, static_cast<off_t>(at - before));
  if (pages == nullptr) return {};
  Block block(&Source(), static_cast<std::byte*>(pages) + before, bytes);
  if (writable == 0 || calls.AllowWrites(pages, before + writable) == 0) {
    return block;
  }
  return {};
}

bool IsMapped(const Block& block) noexcept {
  return block.source() == &Source();
}

void ReadAhead(FileCalls& calls, const Block& block) noexcept {
  calls.WillNeed(PageOf(block.data()), block.bytes() + IntoPage(block.data()));
}

}  // namespace clockwise
