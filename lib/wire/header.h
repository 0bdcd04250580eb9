// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The header of a ring file; its bytes are described in ring_file.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "wire/defect.h"

namespace clockwise {

inline constexpr uint32_t kRingFileVersion = 1;
inline constexpr size_t kHeaderFields = 128;  // bytes before the names
inline constexpr size_t kMaxHeaderBytes = 640;

struct RingFileHeader {
  uint64_t file_bytes = 0;
  uint64_t image_at = 0;
  uint64_t image_bytes = 0;
  uint64_t table_at = 0;
  uint64_t table_bytes = 0;
  uint64_t image_hash = 0;
  uint64_t table_hash = 0;
  uint64_t digest[2] = {};
  uint64_t epoch = 0;
  uint64_t seed_fingerprint = 0;
  std::string_view scheme;    // in the bytes that were read, or to be written
  std::string_view key_hash;  // likewise

  // Sets the offsets of the parts and the size of the file.
  void Place() noexcept;
};

// XXH3-64 of the seed as 8 bytes, low byte first.
uint64_t SeedFingerprint(uint64_t seed) noexcept;

// The bytes of a placed header.
std::string EncodeHeader(const RingFileHeader& header);

// Reads the header that `bytes`, the first of a file of `file_bytes` (all of
// them, or kMaxHeaderBytes), begin with. Whatever it returns without a defect,
// both parts lie within the file, after one another.
Defect DecodeHeader(std::span<const std::byte> bytes, uint64_t file_bytes,
                    RingFileHeader& header);

}  // namespace clockwise
