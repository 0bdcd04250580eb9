// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// What the command writes: results on standard output, progress on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace clockwise::tool {

// Buffers standard output. What was not flushed when a run fails is dropped, so
// that a refused run leaves nothing half-written.
class Output {
 public:
  // Append to it freely; call FlushIfLarge now and then.
  [[nodiscard]] std::string& buffer() noexcept { return buffer_; }

  // Writes everything out. Throws Failure where the system refuses.
  void Flush();
  void FlushIfLarge() {
    if (buffer_.size() >= kLarge) Flush();
  }

 private:
  static constexpr size_t kLarge = 1 << 18;
  std::string buffer_;
};

// Prints `text` and flushes: for results of a page or so.
void Print(std::string_view text);

// A line on standard error that counts up while work lasts. Silent in the first
// second, and where standard error is no terminal. Where results are printed
// meanwhile, also if these go to a terminal.
class Progress {
 public:
  explicit Progress(bool are_results_printed = false);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void Update(uint64_t keys);

 private:
  using Clock = std::chrono::steady_clock;
  bool is_wanted_;
  bool is_shown_ = false;
  Clock::time_point next_;
};

}  // namespace clockwise::tool
