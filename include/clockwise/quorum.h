// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// The arithmetic of quorums, for those who read and write n replicas: how many
// must answer so that a read meets the last write. The library moves no data
// and counts no answers; that is its user's part.
//
// The primary of a key is its owner, the first of its replicas; who is down is
// excluded from the list, and then the next node is first. Two clients that
// exclude different nodes may hold different lists: sizes overlap only within
// one list, so agree on it (by the ring's digest and epoch) or count answers of
// nodes outside of it as none (a sloppy quorum, which promises less).
//
// All are constexpr, take no time, and never fail.
#pragma once

#include <cstdint>

namespace clockwise {

// Returns the least count that is more than half of `replicas`: 2 of 3, 3 of 4.
// Any two majorities share a replica. 1 of 0, which none can reach.
constexpr uint32_t Majority(uint32_t replicas) noexcept {
  return replicas / 2 + 1;
}

// Returns whether every read of `reads` replicas meets every write that
// `writes` of the same `replicas` have confirmed: reads + writes > replicas.
// False if either is 0 or more than there are replicas, as no answer is then
// ever complete.
constexpr bool ReadsMeetWrites(uint32_t replicas, uint32_t writes,
                               uint32_t reads) noexcept {
  return reads > 0 && writes > 0 && reads <= replicas && writes <= replicas &&
         uint64_t{reads} + writes > replicas;
}

// Returns whether any two writes share a replica, so that one of them learns of
// the other: 2 * writes > replicas. False where ReadsMeetWrites is for any
// number of reads.
constexpr bool WritesMeetWrites(uint32_t replicas, uint32_t writes) noexcept {
  return writes <= replicas && uint64_t{writes} * 2 > replicas;
}

// Returns the fewest replicas to read after `writes` of `replicas` confirmed,
// so that ReadsMeetWrites; 0 if there is no such number.
constexpr uint32_t LeastReads(uint32_t replicas, uint32_t writes) noexcept {
  return writes == 0 || writes > replicas ? 0 : replicas - writes + 1;
}

// Returns how many replicas may be lost while `needed` of them still answer; 0
// where more are needed than there are.
constexpr uint32_t LossesBorne(uint32_t replicas, uint32_t needed) noexcept {
  return needed > replicas ? 0 : replicas - needed;
}

}  // namespace clockwise
