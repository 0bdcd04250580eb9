// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// How lookups by topology reach what their public types keep to themselves.
#pragma once

#include <span>

#include "clockwise/spread.h"

namespace clockwise {

struct SpreadAccess {
  static std::span<const detail::ZoneQuota> Quotas(const SpreadPlan& plan) {
    return plan.quotas_;
  }
  // Null unless the order is by nearness.
  static const detail::Place* Near(const SpreadPlan& plan) {
    return plan.is_near_ ? &plan.near_ : nullptr;
  }
  static Apart ApartOf(const SpreadPlan& plan) { return plan.apart_; }

  static uint32_t Slots(const SpreadScratch& scratch) { return scratch.slots_; }
  static uint32_t* Words(SpreadScratch& scratch) {
    return scratch.words_.data();
  }
};

}  // namespace clockwise
