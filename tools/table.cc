// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "table.h"

#include <algorithm>
#include <utility>

#include "text.h"

namespace clockwise::tool {

Table::Table(std::vector<Column> columns)
    : columns_(std::move(columns)), widths_(columns_.size(), 0) {}

void Table::AddRow(std::vector<std::string> cells) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (cells[i].empty()) continue;
    const size_t least = CountCodePoints(columns_[i].heading);
    widths_[i] = std::max({widths_[i], least, CountCodePoints(cells[i])});
  }
  rows_.push_back(std::move(cells));
}

std::string Table::ToString() const {
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  std::string out;
  AppendRow(out, headings);
  for (const auto& row : rows_) AppendRow(out, row);
  return out;
}

void Table::AppendRow(std::string& out,
                      const std::vector<std::string>& cells) const {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (widths_[i] == 0) continue;
    if (!line.empty()) line += "  ";
    const std::string blanks(widths_[i] - CountCodePoints(cells[i]), ' ');
    const bool is_right = columns_[i].align == Align::kRight;
    line += is_right ? blanks + cells[i] : cells[i] + blanks;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

}  // namespace clockwise::tool
