// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "placement/weighted_score.h"

#include <bit>

#include "search/best_score.h"

namespace clockwise {
namespace {

constexpr uint64_t kTwoTo54 = uint64_t{1} << 54;
constexpr double kMinus53 = 1.0 / 9007199254740992.0;
constexpr double kMinus54 = 1.0 / 18014398509481984.0;

// 2^54 u, an odd number.
constexpr uint64_t ScaledU(uint64_t x) noexcept { return (x >> 11) * 2 + 1; }

}  // namespace

double MinusLog(uint64_t x) noexcept {
  constexpr double kLn2High = 6.93147180369123816490e-01;
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  constexpr double kL1 = 6.666666666666735130e-01;
  constexpr double kL2 = 3.999999999940941908e-01;
  constexpr double kL3 = 2.857142874366239149e-01;
  constexpr double kL4 = 2.222219843214978396e-01;
  constexpr double kL5 = 1.818357216161805012e-01;
  constexpr double kL6 = 1.531383769920937332e-01;
  constexpr double kL7 = 1.479819860511658591e-01;
  // floor(2^53 * sqrt 2)
  constexpr uint64_t kRootOfTwo = 12738103345051545u;

  const uint64_t v = ScaledU(x);
  const int zeros = std::countl_zero(v);     // 10 for the largest
  const uint64_t whole = v << (zeros - 10);  // from 2^53 to 2^54
  const bool is_upper = whole > kRootOfTwo;
  const double k = static_cast<double>(is_upper ? 10 - zeros : 9 - zeros);
  // Both differences have at most 53 bits.
  const double f = is_upper
                       ? -static_cast<double>(kTwoTo54 - whole) * kMinus54
                       : static_cast<double>(whole - kTwoTo54 / 2) * kMinus53;
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double w = z * z;
  const double t1 = w * (kL2 + w * (kL4 + w * kL6));
  const double t2 = z * (kL1 + w * (kL3 + w * (kL5 + w * kL7)));
  const double r = t2 + t1;
  const double h = 0.5 * f * f;
  return ((h - (s * (h + r) + k * kLn2Low)) - f) - k * kLn2High;
}

double WeightedScore(const WeightedNodes& nodes, size_t node,
                     uint64_t pre_mixed_key) noexcept {
  return nodes.weights[node] /
         MinusLog(ScoreOf(pre_mixed_key ^ nodes.pre_mixed[node]));
}

// -ln u >= 1 - u, so no score exceeds weight / (1 - u). Where that is below the
// best by more than all roundings together, 2^-40 of it, the score is not
// needed.
NodeIndex BestWeighted(const WeightedNodes& nodes, uint64_t hash) noexcept {
  constexpr double kAlmostMinus54 = kMinus54 * (1.0 - 1.0 / 1099511627776.0);
  const uint64_t key = PreMix(hash);
  double best = 0;
  double limit = 0;  // weights below limit * 2^54 (1 - u) are passed over
  NodeIndex at = kNoNode;
  for (size_t i = 0; i < nodes.count; ++i) {
    const uint64_t x = ScoreOf(key ^ nodes.pre_mixed[i]);
    const auto rest =
        static_cast<double>(static_cast<int64_t>(kTwoTo54 - ScaledU(x)));
    if (nodes.weights[i] < limit * rest) continue;
    const double score = nodes.weights[i] / MinusLog(x);
    if (score <= best) continue;
    best = score;
    limit = best * kAlmostMinus54;
    at = static_cast<NodeIndex>(i);
  }
  return at;
}

}  // namespace clockwise
