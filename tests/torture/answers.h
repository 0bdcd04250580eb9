// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Rings whose every answer is known from their epoch alone.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "clockwise/clockwise.h"

namespace clockwise::torture {

inline constexpr size_t kHashes = 64;

// Ring e is a copy of template e mod kTemplates. Each has nodes and points of
// its own, and an image of at most 4 KiB.
class Answers {
 public:
  static constexpr uint64_t kTemplates = 8;

  explicit Answers(uint64_t seed);

  // A ring in blocks of `source`.
  [[nodiscard]] Ring MakeRing(uint64_t epoch, BlockSource& source) const {
    return templates_[epoch % kTemplates].Copy(epoch, &source).value();
  }
  [[nodiscard]] uint64_t hash(size_t i) const { return hashes_[i]; }
  // What ring `epoch` answers to hash(i).
  [[nodiscard]] NodeIndex Owner(uint64_t epoch, size_t i) const {
    return owners_[epoch % kTemplates][i];
  }

 private:
  std::array<uint64_t, kHashes> hashes_;
  std::vector<Ring> templates_;
  std::array<std::array<NodeIndex, kHashes>, kTemplates> owners_;
};

// Overwrites what is given back, so that whoever still reads it answers wrong.
class PoisoningSource final : public BlockSource {
 public:
  void* Acquire(size_t bytes) noexcept override;
  void Release(void* block, size_t bytes) noexcept override;
};

}  // namespace clockwise::torture
