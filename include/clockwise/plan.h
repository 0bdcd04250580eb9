// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What moves when one ring becomes another: the exact arcs of the circle that
// change hands, as ranges that a data mover can follow.
//
//   MigrationPlan plan = MigrationPlan::Create(before, after).value();
//   for (const Move& move : plan.moves()) …   // hashes (begin, end], from, to
//   plan.MoveOf(before.HashOf(key));          // which of them has this key?
//
// Nothing is sampled: shares are sums of arcs, counts of hashes out of 2^64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clockwise/detail/api.h"
#include "clockwise/hash.h"
#include "clockwise/ring.h"
#include "clockwise/status.h"

namespace clockwise {

// A share of the circle: how many of its 2^64 hashes.
__extension__ using HashCount = unsigned __int128;
inline constexpr HashCount kWholeCircle = HashCount{1} << 64;

// Returns it as a fraction of the circle.
constexpr double FractionOf(HashCount hashes) noexcept {
  return static_cast<double>(hashes) / 18446744073709551616.0;
}
// Returns it in decimal, exactly.
CW_API std::string ToDecimal(HashCount hashes);

// The hashes (begin, end] get another holder. A range that ends where it begins
// is the whole circle; one that ends below runs over its end. Of 32-bit rings
// both ends are left-aligned.
struct Move {
  uint64_t begin, end;
  // Who gives up the range, who gets it: in MigrationPlan::nodes(). kNoNode for
  // `from` where nobody gives it up (the ring was empty, or had fewer nodes
  // than replicas are wanted), for `to` where nobody gets it.
  uint32_t from, to;
  // As which replica, from 1: the owner is the first. 0 beside kNoNode.
  uint32_t from_replica, to_replica;

  [[nodiscard]] constexpr HashCount width() const noexcept {
    return begin != end ? HashCount{end - begin} : kWholeCircle;
  }
  // Whether the range has a hash of 64 bits.
  [[nodiscard]] constexpr bool Contains(uint64_t hash) const noexcept {
    return hash - begin - 1 <= end - begin - 1;  // the whole circle, too
  }
  friend bool operator==(const Move&, const Move&) = default;
};

// What becomes of a node: hashes that it holds as any of the replicas. What it
// had and `gained` less what it `lost` is what it has.
struct NodeChange {
  std::string id;
  HashCount before = 0, after = 0;
  HashCount gained = 0, lost = 0;
  uint32_t moves_in = 0, moves_out = 0;
  bool is_in_before = false, is_in_after = false;  // a member, if of weight 0
};

// What one node gives another.
struct PairChange {
  uint32_t from, to;  // as of a Move
  HashCount hashes = 0;
  uint32_t moves = 0;
};

inline constexpr uint32_t kMaxPlanReplicas = 16;
inline constexpr uint32_t kNoMove = 0xFFFFFFFFu;

struct PlanOptions {
  uint32_t replicas = 1;  // holders of each hash, 1 to 16: the owner alone
};

// Says why the arcs of two rings are not of the same keys: kInvalidOptions
// names what differs of width, key hash and seed. Such rings have no plan;
// count real keys on both instead. Vnodes, schemes, names, weights and nodes
// may all differ.
CW_API Status CheckComparable(const Ring& before, const Ring& after);

// Never changes after it was made: any number of threads may use one at once.
// Holds no view of the rings.
class MigrationPlan {
 public:
  // Nodes are the same if their ids are. Each hash has its first
  // `options.replicas` distinct nodes clockwise (Ring::Replicas), fewer where a
  // ring has fewer. A node of the new list that was not in the old one gets the
  // hash from one that is no longer in it; a list in another order moves
  // nothing. Ranges that touch and agree in all else are one.
  //
  // kInvalidOptions as CheckComparable, and for `replicas` out of range;
  // kTooManyPoints for 2^32 - 1 ranges or more; kOutOfMemory. O(points of both,
  // each a walk to `replicas` nodes); 44 bytes a range or more, and meanwhile
  // 32 more and 16 a point.
  CW_API static Result<MigrationPlan> Create(const Ring& before,
                                             const Ring& after,
                                             const PlanOptions& options = {});

  // Those by which a node gets a range, first as the first replica, then as the
  // second; then those by which nobody does; each by ascending end.
  [[nodiscard]] std::span<const Move> moves() const noexcept { return moves_; }
  // The nodes of both rings by ascending id.
  [[nodiscard]] std::span<const NodeChange> nodes() const noexcept {
    return nodes_;
  }
  // The id of a node of a move; "" for kNoNode.
  [[nodiscard]] std::string_view IdOf(uint32_t node) const noexcept {
    return node < nodes_.size() ? std::string_view(nodes_[node].id) : "";
  }
  // Each pair of nodes with a move, by from, then to; kNoNode last. O(moves log
  // pairs). May throw std::bad_alloc.
  [[nodiscard]] CW_API std::vector<PairChange> ByPair() const;

  // Of all moves together; out of replicas() * 2^64.
  [[nodiscard]] HashCount moved() const noexcept { return moved_; }
  // Hashes whose nodes are the same in another order: for one replica 0.
  [[nodiscard]] HashCount reordered() const noexcept { return reordered_; }

  [[nodiscard]] uint32_t replicas() const noexcept { return replicas_; }
  [[nodiscard]] uint32_t width() const noexcept { return width_; }
  [[nodiscard]] uint64_t seed() const noexcept { return seed_; }
  [[nodiscard]] KeyHash key_hash() const noexcept { return key_hash_; }
  // Of the rings: what tells one plan from another.
  [[nodiscard]] Hash128 before_digest() const noexcept { return before_; }
  [[nodiscard]] Hash128 after_digest() const noexcept { return after_; }

  // Returns the move by which a node becomes the holder number `replica` (from
  // 1) of the hash; kNoMove where none does: whoever is that holder had it, or
  // the number is none of 1 to replicas(). O(1) as long as ranges end where
  // hashes do, all over the circle, O(log moves) at worst; never allocates.
  [[nodiscard]] CW_API uint32_t MoveOf(uint64_t hash,
                                       uint32_t replica = 1) const noexcept;
  // Batches: moves[i] = MoveOf(hashes[i], replica). For scanners: what is not
  // kNoMove is to be copied. A few times as fast where there are many moves.
  CW_API void MovesOf(const uint64_t* hashes, size_t count, uint32_t* moves,
                      uint32_t replica = 1) const noexcept;

 private:
  friend class PlanMaker;
  MigrationPlan() = default;
  [[nodiscard]] const uint32_t* BucketOf(uint64_t hash,
                                         uint32_t replica) const noexcept {
    const size_t lane = (size_t{1} << bucket_bits_) + 1;
    return buckets_.data() + (replica - 1) * lane +
           (hash >> (64 - bucket_bits_));
  }

  std::vector<Move> moves_;
  std::vector<uint64_t> ends_;         // of moves_: what is searched
  std::vector<uint32_t> lane_begins_;  // in moves_, by replica that gets it
  // By replica and high bits of a hash, and one past them: the first move of
  // the lane that does not end before any hash with these.
  std::vector<uint32_t> buckets_;
  uint32_t bucket_bits_ = 1;
  std::vector<NodeChange> nodes_;
  HashCount moved_ = 0, reordered_ = 0;
  Hash128 before_, after_;
  uint64_t seed_ = 0;
  uint32_t replicas_ = 1, width_ = 64;
  KeyHash key_hash_ = KeyHash::kXxh3;
};

}  // namespace clockwise
