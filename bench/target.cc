// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "target.h"

#include <hwy/highway.h>

namespace clockwise::bench {

const std::vector<int64_t>& Targets() {
  static const std::vector<int64_t> targets = [] {
    std::vector<int64_t> list;
    int64_t left = hwy::SupportedTargets() & HWY_TARGETS;
    for (; left != 0; left &= left - 1) list.push_back(left & -left);
    return list;
  }();
  return targets;
}

std::string TargetName(int64_t target) { return hwy::TargetName(target); }

void UseTarget(int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().DeInit();
}

}  // namespace clockwise::bench
