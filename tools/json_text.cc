// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "json_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "text.h"

namespace clockwise::tool {

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
  return fmt::format("{}:{}", lines + 1,
                     CountCodePoints(before.substr(line_begin)) + 1);
}

}  // namespace clockwise::tool
