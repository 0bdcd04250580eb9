// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "members/json_text.h"

#include <algorithm>

namespace clockwise {

// The parser reports a token when it is past it, a number one byte further: the
// next token begins after whatever separators follow there.
void JsonText::FindToken() {
  token_ = std::min(text_.find_first_not_of(" \t\r\n,:", after_), text_.size());
  after_ = static_cast<size_t>(reached_ - text_.data());
}

std::string JsonText::Place(size_t offset) const {
  const std::string_view before = text_.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  // The parser read what is before as UTF-8: each character has one byte that
  // does not continue another.
  const auto characters =
      std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_begin),
                    before.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return std::to_string(lines + 1) + ':' + std::to_string(characters + 1);
}

}  // namespace clockwise
