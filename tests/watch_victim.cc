// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A process that follows a members file, to be killed by watch_kill_test.py.
//
// usage: watch_victim MEMBERS STATE
//
// Prints the epoch of each ring that comes to serve, a line each, as soon as it
// does; ends when standard input does.
#include <unistd.h>

#include <cstdio>

#include "clockwise/clockwise.h"
#include "clockwise/watch.h"

int main(int argc, char** argv) {
  using namespace clockwise;
  if (argc != 3) return 2;
  const Domain domain = Domain::Create({}).value();
  const auto router = Router::Create(domain).value();
  WatchOptions options;
  options.state_path = argv[2];
  options.membership.quiet = std::chrono::milliseconds(1);
  options.on_event = [](const WatchEvent& event) {
    if (event.kind != WatchEvent::Kind::kPublished) return;
    char line[32];
    const int size =
        std::snprintf(line, sizeof(line), "%llu\n",
                      static_cast<unsigned long long>(event.epoch));
    [[maybe_unused]] const ssize_t written =
        write(STDOUT_FILENO, line, static_cast<size_t>(size));
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
