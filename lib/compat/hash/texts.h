// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The keys of a batch.
#pragma once

#include <cstddef>
#include <string_view>

#include "clockwise/hash.h"

namespace clockwise::compat_internal {

// Texts in one of the two forms that batches come in.
class Texts {
 public:
  Texts(const std::string_view* views, size_t count) noexcept
      : views_(views), count_(count) {}
  explicit Texts(const FixedKeys& keys) noexcept
      : keys_(keys), count_(keys.count) {}

  [[nodiscard]] size_t count() const noexcept { return count_; }
  std::string_view operator[](size_t i) const noexcept {
    if (views_ != nullptr) return views_[i];
    return {static_cast<const char*>(keys_.data) + i * keys_.stride,
            keys_.size};
  }
  // `count` of them from `first` on.
  [[nodiscard]] Texts Part(size_t first, size_t count) const noexcept {
    if (views_ != nullptr) return {views_ + first, count};
    return Texts({(*this)[first].data(), keys_.size, keys_.stride, count});
  }

 private:
  const std::string_view* views_ = nullptr;
  FixedKeys keys_;
  size_t count_;
};

}  // namespace clockwise::compat_internal
