// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Shares against weights: who carries more than its weight is due, and is it
// chance?
//
// A ratio is a node's share of all over the share that its weight is due. Even
// fair ratios scatter around 1: points fall on the circle by a hash, and so do
// the keys that were counted. Both scatters have known deviations, so a ratio
// can be held against them: node 7 of 8 may have 1.6 times its due after 100
// keys, and not after a million.
//
// All here is pure: any thread may call anything at once. What returns a vector
// allocates, and may throw std::bad_alloc.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "clockwise/any_placement.h"
#include "clockwise/detail/api.h"
#include "clockwise/node.h"
#include "clockwise/ring.h"

namespace clockwise {

// Ratios from which a node is worth a warning and an alarm.
inline constexpr double kWarnRatio = 1.3;
inline constexpr double kAlarmRatio = 1.5;
// How improbable a ratio has to be before it counts as more than chance: one
// look at all nodes in a million.
inline constexpr double kChanceLimit = 1e-6;

// A count of hashes out of 2^64; the whole circle is 2^64 itself.
__extension__ using HashCount = unsigned __int128;

// Returns what each slot owns of the circle, exactly; all together 2^64, or 0
// for an empty ring. O(points).
CW_API std::vector<HashCount> ExactShares(const RingView& ring);

// Returns `count` as a fraction of the circle, 0 to 1.
CW_API double ToFraction(HashCount count) noexcept;

// Returns the relative standard deviation of the share of a node with `points`
// points of `all`, over rings like this one: with n equal nodes of V points it
// is sqrt((n - 1) / (nV + 1)). `points` is above 0 and at most `all`.
CW_API double ShareDeviation(double points, double all) noexcept;

// Returns about the largest of ratios that scatter around 1 by these
// deviations: the x beyond which the bounds exp(-((x - 1) / d)^2 / 2) add up to
// one ratio. For n equal ones it is 1 + d sqrt(2 ln n); 1 for none.
CW_API double ExpectedPeak(std::span<const double> deviations) noexcept;

// Returns a bound on the probability that a fair ratio of this deviation is
// `ratio` or more: Chernoff's, of a gamma distribution of mean 1, which has a
// heavier tail than shares of keys (binomial) and of circles (beta) of the same
// deviation. 1 at ratios up to 1; 0 above it where the deviation is 0.
CW_API double ChanceOf(double ratio, double deviation) noexcept;

// What a slot is due.
struct Due {
  double share = 0;      // of 1, by weight
  double deviation = 0;  // relative, of where the node's points fell; of
                         // placements that are no rings 0
  // Whether it should get keys: it has points, or of placements that are no
  // rings a weight. Ratios are of such slots alone.
  bool is_placed = false;
};

// By slot. All shares are 0 where no node has a weight. O(slots).
CW_API std::vector<Due> DuesOf(const Ring& ring);
CW_API std::vector<Due> DuesOf(const AnyPlacement& placement);

// Shares held against dues, by slot; 0 for slots that are not placed.
struct Balance {
  std::vector<double> shares;      // of 1
  std::vector<double> ratios;      // of a share to its due
  std::vector<double> deviations;  // of the ratios, by chance alone
  double expected_peak = 1;        // about the largest ratio by chance alone
};

// `shares` are of the circle if `keys` is 0, else of so many keys, which
// scatter as well. As many shares as dues. O(slots).
CW_API Balance BalanceOf(std::span<const Due> dues, std::vector<double> shares,
                         double keys);
// The same of counted keys. All shares and ratios are 0 if none was counted.
CW_API Balance BalanceOf(std::span<const Due> dues,
                         std::span<const uint64_t> counts);

enum class BalanceLevel : uint8_t { kOk = 0, kWarn = 1, kAlarm = 2 };
// Returns "ok", "warn" or "alarm"; "unknown" for any other value.
CW_API std::string_view BalanceLevelName(BalanceLevel level) noexcept;

// Returns what a ratio is by itself, chance or not.
[[nodiscard]] constexpr BalanceLevel LevelOfRatio(double ratio) noexcept {
  if (ratio >= kAlarmRatio) return BalanceLevel::kAlarm;
  return ratio >= kWarnRatio ? BalanceLevel::kWarn : BalanceLevel::kOk;
}

// A ratio, judged.
struct BalanceVerdict {
  BalanceLevel level = BalanceLevel::kOk;
  // A bound on the probability that by chance any of the nodes looked at has
  // such a ratio, at most 1.
  double chance = 1;
  // Its ratio alone is worth a warning or an alarm, and chance may explain it:
  // the level is kOk.
  bool is_by_chance = false;
};

// Returns what LevelOfRatio says if `chance` is below kChanceLimit, else kOk.
// `nodes` is how many ratios are looked at, of which this is one. With 100
// equal nodes of 512 points each, twice the due is an alarm from about 70 keys
// a node on; with fewer points or keys it takes a higher ratio.
[[nodiscard]] CW_API BalanceVerdict Judge(double ratio, double deviation,
                                          size_t nodes) noexcept;

}  // namespace clockwise
