// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Keys counted by where they were and where they are to be.
#include <unordered_map>

#include "change.h"
#include "output.h"

namespace clockwise::tool {
namespace {

class KeyCounter {
 public:
  explicit KeyCounter(const Change& change)
      : change_(change),
        same_(change.before.slot_count(), kNoNode),
        were_(KeySource::kBatch),
        are_(KeySource::kBatch),
        hashes_(KeySource::kBatch),
        found_(KeySource::kBatch) {
    for (NodeIndex slot = 0; slot < same_.size(); ++slot) {
      const auto id = change.before.node(slot).id;
      if (!id.empty()) same_[slot] = change.after.Find(id);
    }
    if (change.plan) moves_.by_move.resize(change.plan->moves().size());
  }

  void Count(std::span<const std::string_view> keys) {
    if (change_.plan) {
      CountHashes(keys);
    } else {
      change_.before.Owners(keys.data(), keys.size(), were_.data());
      change_.after.Owners(keys.data(), keys.size(), are_.data());
    }
    for (size_t i = 0; i < keys.size(); ++i) CountOwners(were_[i], are_[i]);
    moves_.keys += keys.size();
  }

  KeyMoves End() && {
    for (const auto& [slots, count] : by_slots_) {
      const auto was = static_cast<NodeIndex>(slots >> 32);
      const auto is = static_cast<NodeIndex>(slots);
      moves_.by_pair[{std::string(change_.before.node(was).id),
                      std::string(change_.after.node(is).id)}] = count;
      moves_.moved += count;
    }
    return std::move(moves_);
  }

 private:
  // Where there is a plan both hash alike, and once is enough.
  void CountHashes(std::span<const std::string_view> keys) {
    change_.before.HashesOf(keys.data(), keys.size(), hashes_.data());
    change_.before.Owners(hashes_.data(), keys.size(), were_.data());
    change_.after.Owners(hashes_.data(), keys.size(), are_.data());
    for (uint32_t r = 1; r <= change_.plan->replicas(); ++r) {
      change_.plan->MovesOf(hashes_.data(), keys.size(), found_.data(), r);
      for (size_t i = 0; i < keys.size(); ++i) {
        if (found_[i] != kNoMove) ++moves_.by_move[found_[i]];
      }
    }
  }

  void CountOwners(NodeIndex was, NodeIndex is) {
    const NodeIndex same = was != kNoNode ? same_[was] : kNoNode;
    if (is == same && (is != kNoNode || was == kNoNode)) return;
    ++by_slots_[uint64_t{was} << 32 | is];
  }

  const Change& change_;
  std::vector<NodeIndex> same_;  // by slot before: the node's slot after
  std::vector<NodeIndex> were_, are_;
  std::vector<uint64_t> hashes_;
  std::vector<uint32_t> found_;
  std::unordered_map<uint64_t, uint64_t> by_slots_;
  KeyMoves moves_;
};

}  // namespace

KeyMoves CountKeyMoves(const Change& change, const KeyArgs& args) {
  KeyCounter counter(change);
  KeySource source(args);
  Progress progress;
  for (auto keys = source.Next(); !keys.empty(); keys = source.Next()) {
    counter.Count(keys);
    progress.Update(source.count());
  }
  if (source.count() == 0) {
    throw Failure(Exit::kRefused, "the files hold no keys");
  }
  return std::move(counter).End();
}

}  // namespace clockwise::tool
