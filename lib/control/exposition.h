// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Writes the text exposition format 0.0.4 of Prometheus, family by family.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace clockwise {

inline constexpr std::string_view kCounter = "counter";
inline constexpr std::string_view kGauge = "gauge";

// Any bytes as the value of a label, as metrics_snapshot.h says, without the
// format's own escaping.
std::string LabelText(std::string_view bytes);

class Exposition {
 public:
  // A name of the format, and any bytes.
  using Label = std::pair<std::string_view, std::string_view>;

  // Labels that every sample has, escaped once.
  explicit Exposition(std::span<const Label> common);

  // Begins a family; samples belong to the last one. A family of which no
  // sample comes leaves nothing. `type` is kCounter or kGauge; `help` has
  // neither a backslash nor a newline.
  void Family(std::string_view name, std::string_view type,
              std::string_view help);
  void Sample(std::string_view labels, uint64_t value);
  void Sample(std::string_view labels, double value);

  // Labels to give to Sample, escaped; begins with a comma if there are any.
  static std::string Labels(std::span<const Label> labels);

  [[nodiscard]] std::string Take() && { return std::move(text_); }

 private:
  void Begin(std::string_view labels);

  std::string common_;
  std::string heading_;  // of the family, until its first sample
  std::string name_;
  std::string text_;
};

}  // namespace clockwise
