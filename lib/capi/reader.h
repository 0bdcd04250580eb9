// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A reader together with the pin that it holds.
#pragma once

#include <cstdint>
#include <new>
#include <utility>

#include "clockwise/clockwise.h"
#include "clockwise/clockwise_c.h"
#include "route/domain_core.h"

// On a cache line of its own: it is written at every pin, and the handle of
// another thread may lie beside it.
struct alignas(64) cw_reader {
 public:
  cw_reader(clockwise::Reader made,
            const clockwise::DomainCore* domain) noexcept
      : reader(std::move(made)), domain_(domain) {}
  cw_reader(const cw_reader&) = delete;
  cw_reader& operator=(const cw_reader&) = delete;
  // The pin of a thread that has ended is gone with it.
  ~cw_reader() {
    if (depth_ != 0 && clockwise::DomainAccess::IsOnItsThread(reader)) {
      pin_.~Pin();
    }
  }

  void Enter() noexcept {
    if (depth_++ == 0) new (&pin_) clockwise::Pin(reader);
  }
  // Returns whether there was a pin to end.
  bool Leave() noexcept {
    if (depth_ == 0) return false;
    if (--depth_ == 0) pin_.~Pin();
    return true;
  }
  // The pin, if one is held and is of `domain`; else null.
  [[nodiscard]] const clockwise::Pin* PinOf(
      const clockwise::DomainCore* domain) const noexcept {
    return depth_ != 0 && domain == domain_ ? &pin_ : nullptr;
  }

  clockwise::Reader reader;

 private:
  const clockwise::DomainCore* domain_;
  uint32_t depth_ = 0;
  union {
    clockwise::Pin pin_;  // while the depth is above 0
  };
};
