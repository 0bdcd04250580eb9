// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Faults that the torture test plants, to see that it finds them. The library
// is built without: there Seeded() is false at compile time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace clockwise {

class RingSet;

enum class Fault : uint8_t {
  kNone,
  kNoGracePeriod,       // retired rings are freed at once
  kPublishBeforeBuilt,  // the pointer is stored before the image is written
  kMissingRelease,      // the pointer overtakes the last writes before it
  kEarlyFree,  // freed by a grace period that began before they retired
  kUnregisteredReader,  // grace periods do not know the readers
  kMixedCopies,         // one NUMA node keeps the ring before
  kEpochBack,           // the ring before is published once more
};

#ifdef CW_FAULTS
inline Fault seeded_fault = Fault::kNone;
inline bool Seeded(Fault fault) noexcept { return seeded_fault == fault; }
// Faults of publishing `next` in place of `old` (null if it is the first).
void PlantBefore(std::atomic<const std::byte*>& current, const RingSet* old,
                 const RingSet& next) noexcept;
#else
constexpr bool Seeded(Fault) noexcept { return false; }
inline void PlantBefore(std::atomic<const std::byte*>&, const RingSet*,
                        const RingSet&) noexcept {}
#endif

}  // namespace clockwise
