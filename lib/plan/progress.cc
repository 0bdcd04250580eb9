// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <charconv>
#include <filesystem>
#include <new>

#include "base/out_of_memory.h"
#include "clockwise/plan_progress.h"
#include "members/file.h"
#include "platform/replace_file.h"

namespace clockwise {
namespace {

constexpr std::string_view kTail = "]}\n";

// Reads "[FIRST, LAST]" of moves that are not before `least`, and cuts it off.
bool TakeRun(std::string_view& text, uint32_t least, uint32_t count,
             std::pair<uint32_t, uint32_t>& run) {
  const auto take = [&text](std::string_view mark, uint32_t& number) {
    if (!text.starts_with(mark)) return false;
    text.remove_prefix(mark.size());
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<size_t>(stop - text.data()));
    return true;
  };
  if (!take("[", run.first) || !take(", ", run.second)) return false;
  if (!text.starts_with(']')) return false;
  text.remove_prefix(1);
  return least <= run.first && run.first <= run.second && run.second < count;
}

// Whether there is nothing of that name: any other reason that a file cannot be
// looked at is told by whoever reads it.
bool IsMissing(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::symlink_status(path, error);
  return status.type() == std::filesystem::file_type::not_found;
}

}  // namespace

PlanProgress::PlanProgress(const MigrationPlan& plan, std::string path)
    : plan_(&plan), path_(std::move(path)), done_(plan.moves().size()) {}

Result<PlanProgress> PlanProgress::Open(const MigrationPlan& plan,
                                        const std::string& path) try {
  PlanProgress progress(plan, path);
  if (IsMissing(path)) return progress;
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return text.status();
  if (Status status = progress.Parse(text.value()); !status.ok()) return status;
  return progress;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

// What the file of this plan begins with: of another plan it is another text.
std::string PlanProgress::Head() const {
  return "{\"schema\": 1, \"before\": \"" + ToHex(plan_->before_digest()) +
         "\", \"after\": \"" + ToHex(plan_->after_digest()) +
         "\", \"replicas\": " + std::to_string(plan_->replicas()) +
         ", \"moves\": " + std::to_string(done_.size()) + ", \"done\": [";
}

std::string PlanProgress::ToText(const std::vector<bool>& done) const {
  std::string text = Head();
  const char* separator = "";
  for (size_t i = 0; i < done.size(); ++i) {
    if (!done[i]) continue;
    const size_t first = i;
    while (i + 1 < done.size() && done[i + 1]) ++i;
    text += separator;
    text += '[' + std::to_string(first) + ", " + std::to_string(i) + ']';
    separator = ", ";
  }
  return text.append(kTail);
}

Status PlanProgress::Parse(std::string_view text) {
  const std::string head = Head();
  if (!text.starts_with(head)) {
    constexpr std::string_view kBegin = "{\"schema\": 1, \"before\": \"";
    if (!text.starts_with(kBegin) || head.starts_with(text)) {
      return {Code::kIo, path_ + ": is no whole progress of schema 1"};
    }
    return {Code::kInvalidOptions, path_ + ": is the progress of another plan"};
  }
  text.remove_prefix(head.size());
  std::vector<bool> done(done_.size());
  std::pair<uint32_t, uint32_t> run{0, 0};
  uint32_t least = 0;
  while (text != kTail) {
    if (least != 0 && text.starts_with(", ")) text.remove_prefix(2);
    if (!TakeRun(text, least, static_cast<uint32_t>(done.size()), run)) {
      return {Code::kIo, path_ + ": what is done is no list of runs of moves"};
    }
    for (uint32_t i = run.first; i <= run.second; ++i) done[i] = true;
    least = run.second + 1;
  }
  SetDone(std::move(done));
  return {};
}

void PlanProgress::SetDone(std::vector<bool> done) {
  done_ = std::move(done);
  count_ = 0;
  hashes_ = 0;
  for (uint32_t i = 0; i < done_.size(); ++i) {
    if (!done_[i]) continue;
    ++count_;
    hashes_ += plan_->moves()[i].width();
  }
}

Status PlanProgress::MarkDone(std::span<const uint32_t> moves) try {
  std::vector<bool> done = done_;
  for (const uint32_t move : moves) {
    if (move >= done.size()) {
      return {Code::kInvalidArgument,
              "move " + std::to_string(move) + "; the plan has " +
                  std::to_string(done.size()) + ", from 0"};
    }
    done[move] = true;
  }
  Status status = ReplaceFile(SystemFileCalls(), path_, ToText(done));
  if (status.ok()) SetDone(std::move(done));
  return status;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

uint32_t PlanProgress::Next(uint32_t first) const noexcept {
  for (uint32_t i = first; i < done_.size(); ++i) {
    if (!done_[i]) return i;
  }
  return kNoMove;
}

}  // namespace clockwise
