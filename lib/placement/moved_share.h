// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// How many keys two rings place differently.
#pragma once

#include "clockwise/ring.h"

namespace clockwise {

// The share of all keys, 0 to 1, whose owner in `b` has another id than in
// `a`. Where both hash keys alike it is exact, the sum of the arcs that change
// hands; otherwise a key's two places have nothing to do with one another, and
// it is what chance gives: 1 - sum of a's share * b's share of each node.
//
// O(points log points). Allocates.
double MovedShare(const Ring& a, const Ring& b);

}  // namespace clockwise
