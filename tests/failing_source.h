// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Memory that runs out.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "clockwise/block_source.h"

namespace clockwise {

// A source that counts, and fails from a given request on.
class FailingSource final : public BlockSource {
 public:
  explicit FailingSource(int allowed) : allowed_(allowed) {}
  void* Acquire(size_t bytes) noexcept override {
    ++requests;
    if (allowed_-- <= 0) return nullptr;
    ++live;
    void* data = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    // Whatever was there before must not show in a ring.
    std::memset(data, 0xA5, bytes);
    return data;
  }
  void Release(void* block, size_t) noexcept override {
    --live;
    std::free(block);
  }
  int requests = 0;
  int live = 0;

 private:
  int allowed_;
};

}  // namespace clockwise
