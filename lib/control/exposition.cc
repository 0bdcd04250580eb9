// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "control/exposition.h"

#include <charconv>
#include <cmath>

#include "base/utf8.h"

namespace clockwise {
namespace {

void AppendHexByte(std::string& text, char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  text += "\\x";
  text += kDigits[byte >> 4];
  text += kDigits[byte & 15];
}

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n') || byte == 0x7F;
}

// The format's own escaping, of what is UTF-8.
void AppendQuoted(std::string& text, std::string_view value) {
  text += '"';
  for (char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    if (c == '\n') {
      text += "\\n";
    } else {
      text += c;
    }
  }
  text += '"';
}

}  // namespace

std::string LabelText(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const size_t length = Utf8Length(bytes);
    if (length == 0 || IsControl(bytes[0])) {
      AppendHexByte(text, bytes[0]);
    } else if (bytes[0] == '\\') {
      text += "\\\\";
    } else {
      text += bytes.substr(0, length);
    }
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  return text;
}

Exposition::Exposition(std::span<const Label> common)
    : common_(Labels(common).substr(common.empty() ? 0 : 1)) {}

std::string Exposition::Labels(std::span<const Label> labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    text += ',';
    text += name;
    text += '=';
    AppendQuoted(text, LabelText(value));
  }
  return text;
}

void Exposition::Family(std::string_view name, std::string_view type,
                        std::string_view help) {
  name_ = name;
  heading_ = "# HELP " + name_ + ' ';
  heading_ += help;
  heading_ += "\n# TYPE " + name_ + ' ';
  heading_ += type;
  heading_ += '\n';
}

void Exposition::Begin(std::string_view labels) {
  text_ += heading_;
  heading_.clear();
  text_ += name_;
  text_ += '{';
  text_ += common_;
  text_ += labels;
  text_ += "} ";
}

void Exposition::Sample(std::string_view labels, uint64_t value) {
  Begin(labels);
  text_ += std::to_string(value);
  text_ += '\n';
}

void Exposition::Sample(std::string_view labels, double value) {
  Begin(labels);
  char digits[32];
  const auto end = std::to_chars(digits, std::end(digits), value).ptr;
  text_.append(digits, end);
  text_ += '\n';
}

}  // namespace clockwise
