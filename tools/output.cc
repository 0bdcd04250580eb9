// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "output.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "failure.h"

namespace clockwise::tool {

void Output::Flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = write(STDOUT_FILENO, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd wait{STDOUT_FILENO, POLLOUT, 0};
      poll(&wait, 1, -1);
    } else if (errno != EINTR) {
      throw Failure(Exit::kRefused,
                    fmt::format("standard output: {}", std::strerror(errno)));
    }
  }
  buffer_.clear();
}

void Print(std::string_view text) {
  Output output;
  output.buffer() = text;
  output.Flush();
}

Progress::Progress(bool are_results_printed)
    : is_wanted_(isatty(STDERR_FILENO) == 1 &&
                 !(are_results_printed && isatty(STDOUT_FILENO) == 1)),
      next_(Clock::now() + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (is_shown_) std::fputs("\r\33[K", stderr);
}

void Progress::Update(uint64_t keys) {
  if (!is_wanted_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  is_shown_ = true;
  std::fputs(fmt::format("\rclockwise: {} keys", keys).c_str(), stderr);
}

}  // namespace clockwise::tool
