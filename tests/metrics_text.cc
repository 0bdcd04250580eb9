// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Prints a full snapshot of a hostile ring for metrics_text_test.py: the page,
// a NUL, and the JSON.
#include <cstdio>

#include "metrics_maker.h"

int main() {
  using namespace clockwise;
  const Ring ring = HostileRing();
  const MetricsSnapshot snapshot = FullSnapshot(ring);
  const std::string text =
      ToPrometheus(snapshot) + std::string(1, '\0') + ToJson(snapshot);
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0
                                                                         : 1;
}
