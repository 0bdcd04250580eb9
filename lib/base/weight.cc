// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/node.h"

namespace clockwise {
namespace {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

Status Refuse(std::string_view text, const char* why) {
  return {Code::kBadWeight, "weight '" + std::string(text) + "': " + why};
}

}  // namespace

Result<Weight> Weight::Parse(std::string_view text) {
  constexpr const char* kForm =
      "write digits with at most 3 decimals, 0 to 1000000";
  uint64_t thousandths = 0;
  size_t i = 0;
  for (; i < text.size() && IsDigit(text[i]); ++i) {
    thousandths =
        thousandths * 10 + static_cast<uint64_t>(text[i] - '0') * 1000;
    if (thousandths > kMaxThousandths) return Refuse(text, "above 1000000");
  }
  if (i == 0) return Refuse(text, kForm);
  if (i < text.size() && text[i] == '.') {
    const size_t first = ++i;
    for (uint64_t unit = 100; i < text.size() && IsDigit(text[i]); ++i) {
      if (i - first == 3) return Refuse(text, kForm);
      thousandths += static_cast<uint64_t>(text[i] - '0') * unit;
      unit /= 10;
    }
    if (i == first) return Refuse(text, kForm);
  }
  if (i != text.size()) return Refuse(text, kForm);
  if (thousandths > kMaxThousandths) return Refuse(text, "above 1000000");
  return Weight(thousandths);
}

std::string Weight::ToString() const {
  std::string text = std::to_string(thousandths_ / 1000);
  const uint64_t rest = thousandths_ % 1000;
  if (rest == 0) return text;
  std::string decimals = std::to_string(1000 + rest).substr(1);
  while (decimals.back() == '0') decimals.pop_back();
  return text + '.' + decimals;
}

}  // namespace clockwise
