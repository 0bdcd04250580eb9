// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace clockwise::tool {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

struct CodePoint {
  uint32_t value = 0;
  size_t bytes = 0;  // 0: malformed
};

// Decodes the first code point of `text`, which is not empty.
CodePoint Decode(std::string_view text) {
  const auto byte = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  uint32_t value = lead & (0x7Fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3F);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kLeast[bytes] || value > 0x10FFFF || is_surrogate) return {};
  return {value, bytes};
}

// Controls, line breaks, and the marks that reorder or hide what a reader sees.
bool IsPrintable(uint32_t value) {
  if (value < 0x20 || (value >= 0x7F && value < 0xA0)) return false;
  if (value >= 0x200B && value <= 0x200F) return false;
  if (value >= 0x2028 && value <= 0x202E) return false;
  if (value >= 0x2066 && value <= 0x2069) return false;
  return value != 0xFEFF && (value & 0xFFFE) != 0xFFFE;
}

bool IsPlain(char c) { return c >= 0x20 && c < 0x7F && c != '\\'; }

void AppendEscapedByte(std::string& out, char c) {
  switch (c) {
    case '\t':
      out += "\\t";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\\':
      out += "\\\\";
      return;
    default:
      out += "\\x";
      AppendHex(out, {&c, 1});
  }
}

}  // namespace

void AppendEscaped(std::string& out, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto* stop = std::find_if_not(bytes.begin(), bytes.end(), IsPlain);
    const auto plain = static_cast<size_t>(stop - bytes.begin());
    out += bytes.substr(0, plain);
    bytes.remove_prefix(plain);
    if (bytes.empty()) return;
    const CodePoint point = Decode(bytes);
    const size_t taken = std::max<size_t>(point.bytes, 1);
    if (point.bytes > 1 && IsPrintable(point.value)) {
      out += bytes.substr(0, taken);
    } else {
      for (char c : bytes.substr(0, taken)) AppendEscapedByte(out, c);
    }
    bytes.remove_prefix(taken);
  }
}

std::string Escaped(std::string_view bytes) {
  std::string out;
  AppendEscaped(out, bytes);
  return out;
}

bool IsUtf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const CodePoint point = Decode(bytes);
    if (point.bytes == 0) return false;
    bytes.remove_prefix(point.bytes);
  }
  return true;
}

size_t CountCodePoints(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) {
    text.remove_prefix(std::max<size_t>(Decode(text).bytes, 1));
  }
  return count;
}

void AppendJson(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += "\\u00";
      AppendHex(out, {&c, 1});
    } else {
      out += c;
    }
  }
  out += '"';
}

void AppendHex(std::string& out, std::string_view bytes) {
  for (char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kHexDigits[byte >> 4];
    out += kHexDigits[byte & 15];
  }
}

std::string Hex(uint64_t value) { return fmt::format("{:016x}", value); }

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<uint64_t> ParseUnsigned(std::string_view text) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace clockwise::tool
