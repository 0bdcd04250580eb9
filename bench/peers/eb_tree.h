// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// An elastic binary tree of 32-bit keys, as HAProxy's eb32: a prefix tree in
// which every record is a leaf and the inner node that its insertion made, so
// that nothing is allocated. Searched as eb32_lookup_ge, eb32_prev, eb32_first
// and eb32_last do. Equal keys are refused, and the test for them left out.
#pragma once

#include <cstdint>

#include "../rounds.h"

namespace clockwise::bench {

// A reference to a record. Downwards its lowest bit says whether it means the
// inner node; upwards, on which side one comes from.
using EbLink = uintptr_t;

// As HAProxy has it in struct tree_occ.
struct EbRecord {
  const void* owner = nullptr;
  EbLink branch[2] = {};
  EbLink node_up = 0;
  EbLink leaf_up = 0;
  int16_t bit = 0;  // on which the inner node divides
  uint16_t unused = 0;
  uint32_t key = 0;
};
static_assert(sizeof(EbRecord) == 48);

class EbTree {
 public:
  EbTree() = default;
  // Records refer to the root.
  EbTree(const EbTree&) = delete;
  EbTree& operator=(const EbTree&) = delete;

  // The record must stay where it is.
  void Insert(EbRecord& added) {
    EbLink up = LinkTo(root_, kLeft);
    EbLink link = root_.branch[kLeft];
    if (link == 0) return Hang(up, added, kLeaf);
    while (IsNode(link) && Shares(added.key, Of(link))) {
      const EbRecord& at = Of(link);
      const uint64_t side = added.key >> at.bit & 1;
      up = LinkTo(at, side);
      link = at.branch[side];
    }
    const uint32_t differs = added.key ^ Of(link).key;
    Require(differs != 0, "equal keys in a tree");
    added.bit = static_cast<int16_t>(31 - __builtin_clz(differs));
    const uint64_t side = added.key > Of(link).key ? kRight : kLeft;
    Hang(LinkTo(added, side), added, kLeaf);
    Hang(LinkTo(added, 1 - side), Of(link), link & 1);
    Hang(up, added, kNode);
  }

  // The first record at or after the key, or null.
  [[nodiscard]] const EbRecord* AtOrAfter(uint32_t key) const {
    EbLink link = root_.branch[kLeft];
    while (IsNode(link)) {
      const EbRecord& at = Of(link);
      if (!Shares(key, at)) {
        if (at.key >> at.bit > key >> at.bit) return Down(link, kLeft);
        return After(at.node_up);
      }
      link = at.branch[key >> at.bit & 1];
    }
    const EbRecord& leaf = Of(link);
    return leaf.key >= key ? &leaf : After(leaf.leaf_up);
  }

  // The record before it, or null.
  [[nodiscard]] const EbRecord* Before(const EbRecord& record) const {
    EbLink up = record.leaf_up;
    while ((up & 1) == kLeft) {
      if (Of(up).branch[kRight] == 0) return nullptr;
      up = Of(up).node_up;
    }
    return Down(Of(up).branch[kLeft], kRight);
  }

  // Of a tree that is not empty.
  [[nodiscard]] const EbRecord* First() const {
    return Down(root_.branch[kLeft], kLeft);
  }
  [[nodiscard]] const EbRecord* Last() const {
    return Down(root_.branch[kLeft], kRight);
  }

 private:
  static constexpr uint64_t kLeft = 0, kRight = 1;
  static constexpr uint64_t kLeaf = 0, kNode = 1;

  static EbLink LinkTo(const EbRecord& record, uint64_t tag) {
    return reinterpret_cast<EbLink>(&record) | tag;
  }
  static EbRecord& Of(EbLink link) {
    return *reinterpret_cast<EbRecord*>(link & ~EbLink{1});
  }
  static bool IsNode(EbLink link) { return (link & 1) == kNode; }
  // Whether the key has all bits that the leaves below the node share.
  static bool Shares(uint32_t key, const EbRecord& node) {
    return (key ^ node.key) >> node.bit < 2;
  }

  // Makes `child`, in its part `tag`, the branch that `up` names.
  static void Hang(EbLink up, EbRecord& child, uint64_t tag) {
    Of(up).branch[up & 1] = LinkTo(child, tag);
    (tag == kNode ? child.node_up : child.leaf_up) = up;
  }

  // The outermost leaf below.
  static const EbRecord* Down(EbLink link, uint64_t side) {
    while (IsNode(link)) link = Of(link).branch[side];
    return &Of(link);
  }
  // The first leaf past a subtree, given its way up. The root has no right
  // branch.
  static const EbRecord* After(EbLink up) {
    while ((up & 1) == kRight) up = Of(up).node_up;
    const EbLink right = Of(up).branch[kRight];
    return right == 0 ? nullptr : Down(right, kLeft);
  }

  EbRecord root_;  // only its left branch is used
};

}  // namespace clockwise::bench
