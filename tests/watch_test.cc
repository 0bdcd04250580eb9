// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Following sources: what is published, what is refused and said, what is left
// for a restart; by a clock of the test's, and with files as they are replaced.
#include "clockwise/watch.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include "clockwise/ring_file.h"
#include "control/watch_loop.h"
#include "router_maker.h"

namespace clockwise {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using Kind = WatchEvent::Kind;

Members Numbered(int count, uint64_t epoch = 0) {
  Members members;
  members.options = WithVnodes(16);
  members.epoch = epoch;
  members.nodes = NumberedNodes("n", 0, count);
  return members;
}

class Folder {
 public:
  Folder() {
    std::string name = fs::temp_directory_path() / "clockwise-watch-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  [[nodiscard]] std::string At(const std::string& name) const {
    return path_ / name;
  }

 private:
  fs::path path_;
};

// A source that the test fills.
class TestSource final : public MembersSource {
 public:
  [[nodiscard]] std::string name() const override { return "test"; }
  Result<MembersOrRing> Read() override {
    ++reads;
    if (!fault.ok()) return fault;
    if (ring) return MembersOrRing(ring->Copy(ring->epoch()).value());
    return MembersOrRing(members);
  }
  bool Await(nanoseconds) override { return false; }
  void Wake() noexcept override {}

  Members members = Numbered(4, 7);
  std::optional<Ring> ring;
  Status fault;
  int reads = 0;
};

// A loop in the test's time.
class Post {
 public:
  explicit Post(WatchOptions options = {}) {
    options.on_event = [this](const WatchEvent& event) {
      events.push_back(event);
    };
    const auto publish = [this](Ring&& ring, const PublishOptions& how) {
      return router->Publish(std::move(ring), how).status();
    };
    loop = WatchLoop::Create(source, publish, options).value();
    loop->Begin(now);
  }

  // Rounds as a thread would make them.
  void Run(nanoseconds time, bool has_changed = false,
           bool is_confirmed = false) {
    const nanoseconds end = now + time;
    loop->Round(now, has_changed, is_confirmed);
    while (now < end) {
      const nanoseconds idle =
          std::max<nanoseconds>(loop->Idle(now), milliseconds(1));
      now = std::min(now + idle, end);
      loop->Round(now, false, false);
    }
  }
  uint64_t serving() const { return router->stats().serving_epoch; }
  // The kinds of events since it was asked last, a letter each.
  std::string Told() {
    std::string kinds;
    for (const WatchEvent& event : events) {
      kinds += "PRSH"[static_cast<size_t>(event.kind)];
    }
    events.clear();
    return kinds;
  }

  Domain domain = MakeDomain(Flavour::kMemb);
  std::unique_ptr<Router> router = MakeRouter(domain);
  TestSource source;
  std::vector<WatchEvent> events;
  nanoseconds now = hours(100);
  std::unique_ptr<WatchLoop> loop;
};

TEST(WatchLoopTest, PublishesWhatItReadsAndReadsAgain) {
  Post post;
  post.Run(seconds(1));
  EXPECT_EQ(post.serving(), 7u);
  EXPECT_EQ(post.Told(), "P");
  EXPECT_EQ(post.source.reads, 1);
  post.source.members = Numbered(5, 8);
  post.Run(seconds(28));
  EXPECT_EQ(post.serving(), 7u) << "nothing told it";
  post.Run(seconds(2));
  EXPECT_EQ(post.serving(), 8u) << "reread without an event";
  post.source.members = Numbered(6, 9);
  post.Run(milliseconds(100), true);
  EXPECT_EQ(post.serving(), 9u) << "at once with one";
  EXPECT_EQ(post.Told(), "PP");
  post.Run(hours(1));
  EXPECT_EQ(post.Told(), "");
}

TEST(WatchLoopTest, WhatCannotBeReadIsReadAgainSoon) {
  Post post;
  post.Run(seconds(1));
  post.Told();
  post.source.fault = Status(Code::kIo, "members.json: is a directory");
  post.Run(seconds(20), true);
  EXPECT_EQ(post.serving(), 7u);
  ASSERT_EQ(post.events.size(), 1u) << "said once";
  EXPECT_EQ(post.events[0].status.message(), "members.json: is a directory");
  EXPECT_EQ(post.events[0].epoch, 7u);
  EXPECT_EQ(post.source.reads, 1 + 5) << "at 0, 1, 3, 7 and 15 seconds";
  post.source.fault = Status();
  post.source.members = Numbered(5, 8);
  post.Run(seconds(20));
  EXPECT_EQ(post.serving(), 8u);
  EXPECT_EQ(post.loop->stats().last_refusal, "");
}

TEST(WatchLoopTest, RefusesAndSaysWhyOnce) {
  Post post;
  post.Run(seconds(1));
  post.Told();
  const auto refusal = [&](Members members) {
    post.source.members = std::move(members);
    post.Run(seconds(70), true);  // read three times
    EXPECT_EQ(post.serving(), 7u);
    EXPECT_EQ(post.events.size(), 1u);
    const Code code =
        post.events.empty() ? Code::kOk : post.events[0].status.code();
    post.events.clear();
    return CodeName(code);
  };
  EXPECT_EQ(refusal(Numbered(5, 6)), "stale_epoch");
  EXPECT_EQ(refusal(Numbered(5, 7)), "epoch_conflict");
  EXPECT_EQ(refusal(Numbered(1, 8)), "suspicious_change");
  EXPECT_EQ(refusal(Numbered(0, 8)), "bad_members");
  Members other = Numbered(4, 8);
  other.options.vnodes = 20;
  EXPECT_EQ(refusal(other), "remap_refused");
  EXPECT_EQ(post.loop->stats().refused, 15u);
  EXPECT_NE(post.loop->stats().last_refusal.find("% of the keys would move"),
            std::string::npos);
}

TEST(WatchLoopTest, AnOperatorMayConfirm) {
  Post post;
  post.Run(seconds(1));
  post.source.members = Numbered(1, 8);
  post.Run(seconds(40), true);
  EXPECT_EQ(post.serving(), 7u);
  post.Run(seconds(1), true, true);
  EXPECT_EQ(post.serving(), 8u);
  post.source.members.options.vnodes = 20;
  post.source.members.epoch = 9;
  post.Run(seconds(40), true);
  EXPECT_EQ(post.serving(), 8u);
  post.Run(seconds(1), true, true);
  EXPECT_EQ(post.serving(), 9u);
  // An epoch that falls is not to be confirmed.
  post.source.members.epoch = 5;
  post.Run(seconds(1), true, true);
  EXPECT_EQ(post.serving(), 9u);
}

TEST(WatchLoopTest, TakesRingsAsTheyAre) {
  Post post;
  post.source.ring.emplace(
      MakePointRing(64, std::nullopt, {{1, "a"}, {uint64_t{1} << 50, "b"}})
          .Copy(12)
          .value());
  post.Run(seconds(1));
  EXPECT_EQ(post.serving(), 12u);
  Reader reader = MakeReader(post.domain);
  const Pin pin(reader);
  EXPECT_EQ(post.router->Current(pin).digest(), post.source.ring->digest());
}

TEST(WatchLoopTest, ARestartServesTheLastRingAtOnce) {
  const Folder folder;
  WatchOptions options;
  options.state_path = folder.At("state.ring");
  {
    Post post(options);
    EXPECT_EQ(post.Told(), "") << "the first start has no state";
    post.Run(seconds(1));
    post.source.members = Numbered(5, 8);
    post.Run(seconds(1), true);
  }
  Post post(options);
  EXPECT_EQ(post.serving(), 8u) << "before anything was read";
  EXPECT_EQ(post.source.reads, 0);
  post.source.members = Numbered(4, 7);
  post.Run(seconds(1));
  EXPECT_EQ(post.serving(), 8u);
  EXPECT_EQ(post.Told(), "PR") << "no way back behind a restart";
  post.source.members = Numbered(6);
  post.Run(seconds(1), true);
  EXPECT_EQ(post.serving(), 9u);
  EXPECT_EQ(LoadRing(options.state_path).value().epoch(), 9u);
}

TEST(WatchLoopTest, AStateThatIsBrokenIsSaidAndWrittenAnew) {
  const Folder folder;
  WatchOptions options;
  options.state_path = folder.At("state.ring");
  std::ofstream(options.state_path) << "not a ring";
  Post post(options);
  EXPECT_EQ(post.Told(), "S");
  post.Run(seconds(1));
  EXPECT_EQ(post.serving(), 7u);
  EXPECT_EQ(LoadRing(options.state_path).value().epoch(), 7u);
}

TEST(WatchLoopTest, AStateThatCannotBeWrittenIsTriedAgain) {
  const Folder folder;
  WatchOptions options;
  options.state_path = folder.At("missing/state.ring");
  Post post(options);
  post.Run(milliseconds(2500));
  EXPECT_EQ(post.serving(), 7u);
  EXPECT_EQ(post.Told().substr(0, 2), "SP");
  EXPECT_GE(post.loop->stats().state_failures, 2u);
  fs::create_directory(folder.At("missing"));
  post.Run(seconds(2));
  EXPECT_EQ(LoadRing(options.state_path).value().epoch(), 7u);
}

TEST(WatchLoopTest, HealthIsEvaluatedBetweenReads) {
  HealthOptions health;
  health.slow_start = seconds(0);
  HealthTracker tracker = HealthTracker::Create(health).value();
  WatchOptions options;
  options.health = &tracker;
  Post post(options);
  post.source.members = Numbered(20, 7);
  post.Run(seconds(2));
  for (int i = 0; i < 5; ++i) tracker.Failed(3);
  post.Run(seconds(2));
  EXPECT_EQ(post.router->stats().serving_local, 1u);
  EXPECT_EQ(post.Told(), "PPH");
}

TEST(WatchLoopTest, BadOptionsAreRefused) {
  TestSource source;
  const auto publish = [](Ring&&, const PublishOptions&) { return Status(); };
  WatchOptions options;
  options.reread = seconds(0);
  EXPECT_EQ(WatchLoop::Create(source, publish, options).status().message(),
            "watcher: reread 0 ns; 10 ms to a day");
  EXPECT_EQ(FollowFile("x", nanoseconds(0)).status().message(),
            "x: poll_interval 0 ns; 1 ms to an hour");
}

// With files and a thread.

std::string JsonOf(int count, uint64_t epoch) {
  std::string text = R"({"schema": 1, "epoch": )" + std::to_string(epoch) +
                     R"(, "ring": {"vnodes": 16}, "nodes": [)";
  for (int i = 0; i < count; ++i) {
    text += (i == 0 ? "" : ", ");
    text += R"({"id": "n)" + std::to_string(i) + "\"}";
  }
  return text + "]}";
}

void Write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

void Replace(const std::string& path, const std::string& text) {
  Write(path + ".new", text);
  fs::rename(path + ".new", path);
}

class WatchedFile : public ::testing::TestWithParam<bool> {
 protected:
  void Start(const std::string& path) {
    WatchOptions options;
    options.membership.quiet = milliseconds(1);
    options.reread = hours(1);  // events alone, or polls
    const nanoseconds poll = GetParam() ? hours(1) : milliseconds(5);
    watcher = Watcher::Start(FollowFile(path, poll).value(), *router, options)
                  .value();
  }
  bool Serves(uint64_t epoch) {
    const auto end = After(seconds(10));
    while (router->stats().serving_epoch != epoch) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(milliseconds(1));
    }
    return true;
  }
  bool Refuses() {
    const auto end = After(seconds(10));
    while (watcher->stats().last_refusal.empty()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(milliseconds(1));
    }
    return true;
  }

  Folder folder;
  Domain domain = MakeDomain(Flavour::kMemb);
  std::unique_ptr<Router> router = MakeRouter(domain);
  std::unique_ptr<Watcher> watcher;
};

INSTANTIATE_TEST_SUITE_P(By, WatchedFile, ::testing::Bool(),
                         [](const auto& by) {
                           return by.param ? "events" : "polling";
                         });

TEST_P(WatchedFile, MayComeLaterGoAndComeBack) {
  const std::string path = folder.At("members.json");
  Start(path);
  EXPECT_TRUE(Refuses());
  Replace(path, JsonOf(4, 1));
  EXPECT_TRUE(Serves(1));
  fs::remove(path);
  EXPECT_TRUE(Refuses());
  EXPECT_TRUE(Serves(1));
  Write(path, JsonOf(5, 2));
  EXPECT_TRUE(Serves(2));
}

TEST_P(WatchedFile, IsReplacedAgainAndAgain) {
  const std::string path = folder.At("members.json");
  Write(path, JsonOf(4, 1));
  Start(path);
  for (uint64_t epoch = 2; epoch < 12; ++epoch) {
    Replace(path, JsonOf(4 + static_cast<int>(epoch % 2), epoch));
    ASSERT_TRUE(Serves(epoch));
  }
  // It is read when it changes, not all the time.
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_LE(watcher->stats().reads, 40u);
}

TEST_P(WatchedFile, HalfOfItIsNotServed) {
  const std::string path = folder.At("members.json");
  Write(path, JsonOf(4, 1));
  Start(path);
  EXPECT_TRUE(Serves(1));
  const std::string text = JsonOf(6, 2);
  Write(path, text.substr(0, text.size() / 2));
  EXPECT_TRUE(Refuses());
  EXPECT_TRUE(Serves(1));
  Write(path, text);
  EXPECT_TRUE(Serves(2));
}

// As Kubernetes mounts a ConfigMap: file -> ..data/file, ..data -> a folder.
TEST_P(WatchedFile, IsReachedThroughLinksThatFlip) {
  const auto put = [&](const std::string& name, int count, uint64_t epoch) {
    fs::create_directory(folder.At(name));
    Write(folder.At(name + "/members.json"), JsonOf(count, epoch));
    fs::create_directory_symlink(name, folder.At("..data_tmp"));
    fs::rename(folder.At("..data_tmp"), folder.At("..data"));
  };
  put("..1", 4, 1);
  const std::string path = folder.At("members.json");
  fs::create_symlink("..data/members.json", path);
  Start(path);
  EXPECT_TRUE(Serves(1));
  put("..2", 5, 2);
  EXPECT_TRUE(Serves(2));
  put("..3", 6, 3);
  EXPECT_TRUE(Serves(3));
}

TEST_P(WatchedFile, AnotherFoldersFileIsFollowedThroughALink) {
  fs::create_directory(folder.At("elsewhere"));
  const std::string target = folder.At("elsewhere/real.json");
  Write(target, JsonOf(4, 1));
  const std::string path = folder.At("members.json");
  fs::create_symlink(target, path);
  Start(path);
  EXPECT_TRUE(Serves(1));
  Replace(target, JsonOf(5, 2));
  EXPECT_TRUE(Serves(2));
}

TEST_P(WatchedFile, MayBecomeARingFile) {
  const std::string path = folder.At("members");
  Write(path, JsonOf(4, 1));
  Start(path);
  EXPECT_TRUE(Serves(1));
  const Ring ring =
      MakeRing(WithVnodes(16), NumberedNodes("n", 0, 6)).Copy(2).value();
  ASSERT_TRUE(SaveRing(ring, path).ok());
  EXPECT_TRUE(Serves(2));
}

TEST_P(WatchedFile, AWatcherEndsAtOnce) {
  const std::string path = folder.At("members.json");
  Write(path, JsonOf(4, 1));
  Start(path);
  EXPECT_TRUE(Serves(1));
  const auto began = std::chrono::steady_clock::now();
  watcher.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - began, seconds(2));
  EXPECT_TRUE(Serves(1)) << "the ring serves on";
}

TEST_P(WatchedFile, IsReadWhenAsked) {
  const std::string path = folder.At("members.json");
  Write(path, JsonOf(4, 1));
  Start(path);
  EXPECT_TRUE(Serves(1));
  Replace(path, JsonOf(1, 2));
  EXPECT_TRUE(Refuses());
  watcher->Confirm();
  EXPECT_TRUE(Serves(2));
}

}  // namespace
}  // namespace clockwise
