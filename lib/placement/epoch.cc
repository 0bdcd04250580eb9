// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/epoch.h"

#include <optional>

#include "base/endian.h"
#include "base/parse_unsigned.h"
#include "clockwise/ring.h"

namespace clockwise {
namespace {

constexpr size_t kDigestDigits = 32;
constexpr size_t kShownBytes = 64;

// Two words of hex digits as ToHex writes them; none for other characters.
std::optional<Hash128> ParseDigest(std::string_view digits) {
  if (digits.size() != kDigestDigits) return std::nullopt;
  uint64_t words[2] = {0, 0};
  for (size_t i = 0; i < kDigestDigits; ++i) {
    const size_t digit = std::string_view("0123456789abcdef").find(digits[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    uint64_t& word = words[i / 16];
    word = word << 4 | digit;
  }
  return Hash128{words[0], words[1]};
}

std::optional<uint64_t> ParseEpoch(std::string_view digits) {
  if (digits.size() > 1 && digits[0] == '0') return std::nullopt;
  return ParseUnsigned(digits);
}

}  // namespace

std::string_view DriftName(Drift drift) noexcept {
  constexpr std::string_view kNames[kDriftCount] = {"current", "stale", "ahead",
                                                    "conflicting"};
  const auto i = static_cast<size_t>(drift);
  return i < kDriftCount ? kNames[i] : "unknown";
}

std::string ToText(const RingStamp& stamp) {
  return std::to_string(stamp.epoch) + ':' + ToHex(stamp.digest);
}

Result<RingStamp> ParseStamp(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    const auto epoch = ParseEpoch(text.substr(0, colon));
    const auto digest = ParseDigest(text.substr(colon + 1));
    if (epoch && digest) return RingStamp{*epoch, *digest};
  }
  return Status(Code::kInvalidOptions,
                "stamp '" + std::string(text.substr(0, kShownBytes)) +
                    "'; an epoch, ':' and 32 hex digits");
}

std::array<std::byte, kStampBytes> ToBytes(const RingStamp& stamp) noexcept {
  std::array<std::byte, kStampBytes> bytes{};
  StoreLe64(bytes.data(), stamp.epoch);
  StoreLe64(bytes.data() + 8, stamp.digest.low);
  StoreLe64(bytes.data() + 16, stamp.digest.high);
  return bytes;
}

RingStamp StampFrom(std::span<const std::byte, kStampBytes> bytes) noexcept {
  return {
      LoadLe64(bytes.data()),
      {.high = LoadLe64(bytes.data() + 16), .low = LoadLe64(bytes.data() + 8)}};
}

}  // namespace clockwise
