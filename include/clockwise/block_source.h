// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Where the memory of rings comes from.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "clockwise/detail/api.h"
#include "clockwise/status.h"

namespace clockwise {

// Gives and takes back blocks. Implement it to place rings in memory of your
// own; it must outlive every ring built from it, and be safe to call from every
// thread that builds or drops rings.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  // Returns at least `bytes` (> 0) bytes, aligned to 64, with any contents;
  // null if there are none.
  virtual void* Acquire(size_t bytes) noexcept = 0;
  // Takes back a block that Acquire(bytes) returned.
  virtual void Release(void* block, size_t bytes) noexcept = 0;
};

// The source that builders use when they are given none. Blocks of 2 MiB and
// more are mapped and ask for huge pages. It keeps the last few blocks that
// were released, none above 256 MiB, since the page faults of a fresh one cost
// several times the work of changing a ring. Thread-safe; never destroyed.
CW_API BlockSource& DefaultBlockSource() noexcept;

// A source of its own whose blocks lie on one NUMA node, numbered as the kernel
// does; it recycles and asks for huge pages like the default. kInvalidOptions
// if the node is not there, has no memory, may not be used by this process, or
// the library was built without NUMA support. Acquire answers null where the
// kernel refuses to place a block, or the node has no memory left for it.
CW_API Result<std::unique_ptr<BlockSource>> CreateNumaBlockSource(
    unsigned node);

// A block on loan from a source.
class Block {
 public:
  Block() = default;
  Block(BlockSource* source, void* data, size_t bytes) noexcept
      : source_(source), data_(data), bytes_(bytes) {}
  Block(Block&& other) noexcept { swap(other); }
  Block& operator=(Block&& other) noexcept {
    Block(std::move(other)).swap(*this);
    return *this;
  }
  ~Block() {
    if (data_ != nullptr) source_->Release(data_, bytes_);
  }

  // Returns a block of `bytes` bytes, or one whose data() is null.
  static Block Acquire(BlockSource& source, size_t bytes) noexcept {
    void* data = source.Acquire(bytes);
    return data != nullptr ? Block(&source, data, bytes) : Block();
  }

  [[nodiscard]] BlockSource* source() const noexcept { return source_; }
  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] size_t bytes() const noexcept { return bytes_; }

  void swap(Block& other) noexcept {
    std::swap(source_, other.source_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }

 private:
  BlockSource* source_ = nullptr;
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace clockwise
