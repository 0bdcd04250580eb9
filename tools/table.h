// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Columns of text that line up.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace clockwise::tool {

// Collects rows, then writes each column as wide as its widest cell, numbers
// to the right. Columns that are empty below their heading are left out.
class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string heading;
    Align align = Align::kLeft;
  };

  explicit Table(std::vector<Column> columns);

  // Adds a row: a cell for each column, escaped already.
  void AddRow(std::vector<std::string> cells);

  [[nodiscard]] std::string ToString() const;

 private:
  void AppendRow(std::string& out, const std::vector<std::string>& cells) const;

  std::vector<Column> columns_;
  std::vector<size_t> widths_;  // 0: no cell has text
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace clockwise::tool
