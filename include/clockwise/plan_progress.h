// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Which moves of a plan are done, in a file that outlives the mover.
//
//   PlanProgress progress = PlanProgress::Open(plan, "moves.done").value();
//   for (uint32_t i = progress.Next(); i != kNoMove; i = progress.Next()) {
//     if (!Copy(plan.moves()[i]) || !progress.MarkDone(i).ok()) break;
//   }
//
// A mover that died is started again and goes on with the first move that is
// not marked; the one that it was at is copied once more.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clockwise/detail/api.h"
#include "clockwise/plan.h"
#include "clockwise/status.h"

namespace clockwise {

// Belongs to one thread, and its file to one such object: of two that mark in
// one file the last to do so is believed.
class PlanProgress {
 public:
  // Reads the marks of `plan`, which must outlive this and stay where it is.
  // Where there is no file nothing is done, and the first mark makes one.
  //
  // The file is JSON, one object: `schema` 1, the digests of the rings `before`
  // and `after`, `replicas`, the count of `moves`, and what is `done` as pairs
  // of the first and the last move of each run. kInvalidOptions for one that is
  // of another plan. kIo, by name, for what cannot be read, and for any text
  // that MarkDone would not have written. kOutOfMemory.
  CW_API static Result<PlanProgress> Open(const MigrationPlan& plan,
                                          const std::string& path);

  // Marks moves, by their places in plan.moves(). Once it returns they are on
  // the disk; whatever ends the process or the machine meanwhile, the file is
  // the old one or the new one: it is written beside, as PATH.tmp-TIME-COUNT,
  // synced, and renamed. kIo, by name, where the system refuses,
  // kInvalidArgument for a number that is no move's, kOutOfMemory: then nothing
  // is marked, but that where syncing the folder failed the file may have the
  // marks already.
  //
  // Rewrites the file: mark many at once where moves are small.
  CW_API Status MarkDone(std::span<const uint32_t> moves);
  Status MarkDone(uint32_t move) { return MarkDone({&move, 1}); }

  // False for a number that is no move's.
  [[nodiscard]] bool IsDone(uint32_t move) const noexcept {
    return move < done_.size() && done_[move];
  }
  // Returns the first move from `first` on that is not done; kNoMove if all
  // are. O(moves).
  [[nodiscard]] CW_API uint32_t Next(uint32_t first = 0) const noexcept;
  [[nodiscard]] uint32_t done_count() const noexcept { return count_; }
  // Of the moves that are done together.
  [[nodiscard]] HashCount done() const noexcept { return hashes_; }

 private:
  PlanProgress(const MigrationPlan& plan, std::string path);
  [[nodiscard]] std::string Head() const;
  [[nodiscard]] std::string ToText(const std::vector<bool>& done) const;
  Status Parse(std::string_view text);
  void SetDone(std::vector<bool> done);

  const MigrationPlan* plan_;
  std::string path_;
  std::vector<bool> done_;
  uint32_t count_ = 0;
  HashCount hashes_ = 0;
};

}  // namespace clockwise
