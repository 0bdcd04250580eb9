// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "wire/header.h"

#include <algorithm>
#include <cstring>

#include "base/align.h"
#include "base/endian.h"
#include "clockwise/detail/ring_image.h"
#include "clockwise/hash.h"
#include "clockwise/ring_file.h"
#include "placement/node_table.h"

namespace clockwise {
namespace {

constexpr uint32_t kOrderMark = 0x0A0B0C0D;
constexpr size_t kByteOrderAt = 8;
constexpr size_t kVersionAt = 12;
constexpr size_t kSizeAt = 16;
constexpr size_t kChecksumAt = 20;
constexpr size_t kWordsAt = 24;
constexpr size_t kNameSizesAt = 112;
// Above what any ring needs, and far from where sums overflow.
constexpr uint64_t kMaxPartBytes = uint64_t{1} << 40;

// Calls f for each word of the header, in their order.
template <typename Header, typename F>
void ForEachWord(Header& header, F f) {
  f(header.file_bytes);
  f(header.image_at);
  f(header.image_bytes);
  f(header.table_at);
  f(header.table_bytes);
  f(header.image_hash);
  f(header.table_hash);
  f(header.digest[0]);
  f(header.digest[1]);
  f(header.epoch);
  f(header.seed_fingerprint);
}
static_assert(kWordsAt + 11 * sizeof(uint64_t) == kNameSizesAt);

// The checksum of a header, whatever stands in its place.
uint32_t ChecksumOf(std::string_view header) {
  constexpr std::string_view kZero("\0\0\0\0", 4);
  const uint32_t before = Crc32c(header.substr(0, kChecksumAt));
  return Crc32c(header.substr(kChecksumAt + 4), Crc32c(kZero, before));
}

uint64_t HeaderBytes(const RingFileHeader& header) {
  return RoundUpToLine(kHeaderFields + header.scheme.size() +
                       header.key_hash.size());
}

Defect CheckStart(std::string_view text) {
  using enum RingFileFault;
  const size_t known = std::min(text.size(), kRingFileMark.size());
  if (known == 0 || text.substr(0, known) != kRingFileMark.substr(0, known)) {
    return {kNotRingFile, "does not begin as a ring file does"};
  }
  if (text.size() < kHeaderFields) {
    return {kTruncated, "ends within its header"};
  }
  if (LoadLe32(text.data() + kByteOrderAt) != kOrderMark) {
    return {kByteOrder, "the mark of the byte order is not little-endian's"};
  }
  const uint32_t version = LoadLe32(text.data() + kVersionAt);
  if (version != kRingFileVersion) {
    return OutOfRange(kVersion, "version", version,
                      "1 is what this library reads");
  }
  return {};
}

// Finds the names and cuts `text` to the header.
Defect CheckExtent(std::string_view& text, RingFileHeader& header) {
  using enum RingFileFault;
  const auto size = [&](size_t at) -> size_t {
    return static_cast<uint8_t>(text[at]);
  };
  const size_t scheme = size(kNameSizesAt);
  const size_t key_hash = size(kNameSizesAt + 1);
  const uint32_t bytes = LoadLe32(text.data() + kSizeAt);
  if (scheme == 0 || key_hash == 0 ||
      bytes != RoundUpToLine(kHeaderFields + scheme + key_hash)) {
    return OutOfRange(kHeaderSize, "header of bytes", bytes,
                      "its names have " + std::to_string(scheme) + " and " +
                          std::to_string(key_hash));
  }
  if (text.size() < bytes) return {kTruncated, "ends within its header"};
  text = text.substr(0, bytes);
  header.scheme = text.substr(kHeaderFields, scheme);
  header.key_hash = text.substr(kHeaderFields + scheme, key_hash);
  return {};
}

bool HasReserved(std::string_view text, const RingFileHeader& header) {
  const size_t names =
      kHeaderFields + header.scheme.size() + header.key_hash.size();
  const auto is_set = [](char c) { return c != 0; };
  return std::any_of(text.begin() + kNameSizesAt + 2,
                     text.begin() + kHeaderFields, is_set) ||
         std::any_of(text.begin() + static_cast<ptrdiff_t>(names), text.end(),
                     is_set);
}

Defect CheckParts(const RingFileHeader& header) {
  RingFileHeader placed = header;
  const bool is_small = header.image_bytes <= kMaxPartBytes &&
                        header.table_bytes <= kMaxPartBytes;
  if (is_small) placed.Place();
  if (!is_small || header.image_bytes < sizeof(detail::RingImage) ||
      header.table_bytes < sizeof(NodeTable) ||
      (header.image_bytes | header.table_bytes) % kCacheLine != 0 ||
      placed.image_at != header.image_at ||
      placed.table_at != header.table_at ||
      placed.file_bytes != header.file_bytes) {
    return {RingFileFault::kParts,
            "the image and the node table do not follow the header, or have "
            "sizes that none has"};
  }
  return {};
}

}  // namespace

uint64_t SeedFingerprint(uint64_t seed) noexcept {
  char bytes[sizeof seed];
  StoreLe64(bytes, seed);
  return Xxh3_64(std::string_view(bytes, sizeof bytes));
}

void RingFileHeader::Place() noexcept {
  image_at = HeaderBytes(*this);
  table_at = image_at + image_bytes;
  file_bytes = table_at + table_bytes;
}

std::string EncodeHeader(const RingFileHeader& header) {
  std::string text(HeaderBytes(header), '\0');
  kRingFileMark.copy(text.data(), kRingFileMark.size());
  StoreLe32(text.data() + kByteOrderAt, kOrderMark);
  StoreLe32(text.data() + kVersionAt, kRingFileVersion);
  StoreLe32(text.data() + kSizeAt, static_cast<uint32_t>(text.size()));
  char* word = text.data() + kWordsAt;
  ForEachWord(header, [&](uint64_t value) {
    StoreLe64(word, value);
    word += sizeof value;
  });
  text[kNameSizesAt] = static_cast<char>(header.scheme.size());
  text[kNameSizesAt + 1] = static_cast<char>(header.key_hash.size());
  char* names = text.data() + kHeaderFields;
  names += header.scheme.copy(names, header.scheme.size());
  header.key_hash.copy(names, header.key_hash.size());
  StoreLe32(text.data() + kChecksumAt, ChecksumOf(text));
  return text;
}

Defect DecodeHeader(std::span<const std::byte> bytes, uint64_t file_bytes,
                    RingFileHeader& header) {
  using enum RingFileFault;
  std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                        bytes.size());
  if (Defect defect = CheckStart(text)) return defect;
  if (Defect defect = CheckExtent(text, header)) return defect;
  if (LoadLe32(text.data() + kChecksumAt) != ChecksumOf(text)) {
    return {kHeaderChecksum, "the header's CRC-32C differs"};
  }
  if (HasReserved(text, header)) {
    return {kReserved, "a byte of the header that no field needs is not 0"};
  }
  const char* word = text.data() + kWordsAt;
  ForEachWord(header, [&](uint64_t& value) {
    value = LoadLe64(word);
    word += sizeof value;
  });
  if (Defect defect = CheckParts(header)) return defect;
  if (file_bytes != header.file_bytes) {
    return OutOfRange(
        file_bytes < header.file_bytes ? kTruncated : kTrailingBytes,
        "file of bytes", file_bytes,
        "its header says " + std::to_string(header.file_bytes));
  }
  return {};
}

}  // namespace clockwise
