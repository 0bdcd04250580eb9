// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A node as its owner describes it: identity, weight, where it stands.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "clockwise/detail/api.h"
#include "clockwise/params.h"
#include "clockwise/status.h"

namespace clockwise {

// A node's slot in one ring, dense from 0. Survivors keep theirs when a ring
// is changed (RingBuilder::From), so counters and connection pools may be
// kept by it. It means nothing in another process: send ids, not indexes.
using NodeIndex = uint32_t;

// The answer of a ring without points. No slot has this number.
inline constexpr NodeIndex kNoNode = 0xFFFFFFFFu;

inline constexpr size_t kMaxIdBytes = 255;
inline constexpr size_t kMaxLabelBytes = 255;
inline constexpr size_t kMaxAddressBytes = 1023;
inline constexpr uint32_t kMaxNodes = 1u << 20;

// A node's share relative to the others, in whole thousandths. It has no
// constructor from a number, so that 1500 and 1.5 cannot be mixed up.
class Weight {
 public:
  static constexpr uint64_t kMaxThousandths = 1'000'000'000;

  // Weight 1.
  constexpr Weight() = default;
  // Weight::Whole(2) is weight 2. A builder refuses more than 1,000,000.
  static constexpr Weight Whole(uint32_t n) noexcept {
    return Weight(uint64_t{n} * 1000);
  }
  // Weight::Thousandths(1500) is weight 1.5. A builder refuses more than 10^9.
  static constexpr Weight Thousandths(uint64_t n) noexcept { return Weight(n); }
  // Reads digits with at most three decimals ("2", "0.125", "1000000"),
  // whatever the locale. kBadWeight for anything else: signs, exponents,
  // commas, blanks, a fourth decimal, more than 1,000,000.
  CW_API static Result<Weight> Parse(std::string_view text);

  [[nodiscard]] constexpr uint64_t thousandths() const noexcept {
    return thousandths_;
  }
  // "1.5", "2", "0.001": the shortest text that Parse reads back.
  [[nodiscard]] CW_API std::string ToString() const;

  friend constexpr auto operator<=>(Weight, Weight) = default;

 private:
  constexpr explicit Weight(uint64_t n) : thousandths_(n) {}
  uint64_t thousandths_ = 1000;
};

// One node. Placement reads `id` and `weight`, and a scheme that has parameters
// these; labels are for choosing replicas apart from one another; the address
// is never read.
struct Node {
  std::string id;      // 1 to 255 bytes, any bytes; the identity
  Weight weight;       // 0 drains: a member without points
  std::string region;  // labels: at most 255 bytes each;
  std::string zone;    // an empty label is a label like another
  std::string rack;
  std::string address;  // at most 1,023 bytes
  Params params = {};   // none in scheme clockwise-1

  friend bool operator==(const Node&, const Node&) = default;
};

// The same, seen inside a ring. Valid while the ring lives.
struct NodeView {
  std::string_view id, region, zone, rack, address;
  Weight weight;
  uint32_t points = 0;  // on the circle, shadowed ones included
  ParamsView params = {};

  [[nodiscard]] Node ToNode() const {
    return {std::string(id),     weight,
            std::string(region), std::string(zone),
            std::string(rack),   std::string(address),
            params.ToParams()};
  }
};

}  // namespace clockwise
