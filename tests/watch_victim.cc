// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A process that follows a members file, to be killed by watch_kill_test.py and
// to be failed by the system in watch_fault_test.py.
//
// usage: watch_victim MEMBERS STATE
//
// Prints the epoch of each ring that comes to serve, a line each, as soon as it
// does, and "state" when its state could not be read or written; ends when
// standard input does.
#include <sys/uio.h>
#include <unistd.h>

#include <string>

#include "clockwise/clockwise.h"
#include "clockwise/watch.h"

namespace {

// By a call that nothing else here makes, so that it is spared when those of
// the watcher fail.
void PrintLine(std::string line) {
  line += '\n';
  const iovec part = {line.data(), line.size()};
  [[maybe_unused]] const ssize_t written = writev(STDOUT_FILENO, &part, 1);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace clockwise;
  if (argc != 3) return 2;
  const Domain domain = Domain::Create({}).value();
  const auto router = Router::Create(domain).value();
  WatchOptions options;
  options.state_path = argv[2];
  options.membership.quiet = std::chrono::milliseconds(1);
  options.on_event = [](const WatchEvent& event) {
    if (event.kind == WatchEvent::Kind::kPublished) {
      PrintLine(std::to_string(event.epoch));
    } else if (event.kind == WatchEvent::Kind::kStateFailed) {
      PrintLine("state");
    }
  };
  auto source = FollowFile(argv[1]);
  if (!source.ok()) return 1;
  const auto watcher =
      Watcher::Start(std::move(source).value(), *router, options);
  if (!watcher.ok()) return 1;
  char byte;
  while (read(STDIN_FILENO, &byte, 1) > 0) {
  }
  return 0;
}
