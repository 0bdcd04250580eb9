// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Cache-line arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>

namespace clockwise {

inline constexpr size_t kCacheLine = 64;

constexpr uint64_t RoundUp(uint64_t n, uint64_t unit) {
  return (n + unit - 1) / unit * unit;
}

constexpr uint64_t RoundUpToLine(uint64_t bytes) {
  return RoundUp(bytes, kCacheLine);
}

}  // namespace clockwise
