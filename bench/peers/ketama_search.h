// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The search that libketama has, and that others copied from it.
#pragma once

namespace clockwise::bench {

// Returns the index of the first point at or after `hash`, 0 past the last. The
// loop stops at the point whose arc has the hash, and so reads two points a
// step. `Index` is what the peer counts with, `hash_at(i)` gives a point's
// position.
template <typename Index, typename Hash, typename HashAt>
Index KetamaSearch(Index size, Hash hash, HashAt hash_at) {
  Index low = 0;
  Index high = size;
  while (true) {
    const Index mid = (low + high) / 2;
    if (mid == size) return 0;
    const Hash here = hash_at(mid);
    const Hash before = mid == 0 ? 0 : hash_at(mid - 1);
    if (hash <= here && hash > before) return mid;
    if (here < hash) {
      low = mid + 1;
    } else {
      high = mid - 1;
    }
    if (low > high) return 0;
  }
}

}  // namespace clockwise::bench
