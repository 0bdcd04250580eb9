// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "clockwise/plan_progress.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "failing_new.h"
#include "platform/replace_file.h"
#include "ring_maker.h"

namespace clockwise {
namespace {

class PlanProgressTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "plan-progress-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string Path() const { return folder_ + "/moves.done"; }
  [[nodiscard]] std::string Text() const {
    std::ifstream file(Path());
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void Write(const std::string& text) const { std::ofstream(Path()) << text; }
  [[nodiscard]] PlanProgress Open() const {
    auto progress = PlanProgress::Open(plan_, Path());
    EXPECT_TRUE(progress.ok()) << progress.status().message();
    return std::move(progress).value();
  }
  [[nodiscard]] Status Refusal() const {
    return PlanProgress::Open(plan_, Path()).status();
  }

  const Ring before_ = MakeRing(WithVnodes(16), NumberedNodes("n-", 0, 4));
  const Ring after_ = MakeRing(WithVnodes(16), NumberedNodes("n-", 0, 5));
  const MigrationPlan plan_ = MigrationPlan::Create(before_, after_).value();
  std::string folder_;
};

TEST_F(PlanProgressTest, MarksOutliveWhoMadeThem) {
  PlanProgress progress = Open();
  EXPECT_EQ(progress.Next(), 0u);
  EXPECT_FALSE(std::filesystem::exists(Path()));
  ASSERT_TRUE(progress.MarkDone(0).ok());
  ASSERT_TRUE(progress.MarkDone(std::vector<uint32_t>{5, 3, 4, 3}).ok());
  const PlanProgress again = Open();
  for (const PlanProgress* each : {&std::as_const(progress), &again}) {
    EXPECT_EQ(each->done_count(), 4u);
    EXPECT_EQ(each->Next(), 1u);
    EXPECT_EQ(each->Next(3), 6u);
    EXPECT_TRUE(each->IsDone(5));
    EXPECT_FALSE(each->IsDone(1));
    HashCount done = 0;
    for (const uint32_t i : {0u, 3u, 4u, 5u}) done += plan_.moves()[i].width();
    EXPECT_TRUE(each->done() == done);
  }
  EXPECT_FALSE(std::filesystem::exists(Path() + ".tmp"));
}

TEST_F(PlanProgressTest, TheFileIsOneLineOfJson) {
  ASSERT_TRUE(Open().MarkDone(std::vector<uint32_t>{0, 1, 4}).ok());
  const auto json = nlohmann::json::parse(Text());
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["before"], ToHex(before_.digest()));
  EXPECT_EQ(json["after"], ToHex(after_.digest()));
  EXPECT_EQ(json["replicas"], 1);
  EXPECT_EQ(json["moves"], plan_.moves().size());
  EXPECT_EQ(json["done"], nlohmann::json::parse("[[0, 1], [4, 4]]"));
}

TEST_F(PlanProgressTest, EndsWhenAllIsDone) {
  PlanProgress progress = Open();
  std::vector<uint32_t> all(plan_.moves().size());
  for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  ASSERT_TRUE(progress.MarkDone(all).ok());
  EXPECT_EQ(progress.Next(), kNoMove);
  EXPECT_EQ(Open().Next(), kNoMove);
  EXPECT_TRUE(progress.done() == plan_.moved());
}

TEST_F(PlanProgressTest, RefusesMovesThatAreNone) {
  PlanProgress progress = Open();
  const auto count = static_cast<uint32_t>(plan_.moves().size());
  const Status status = progress.MarkDone(std::vector<uint32_t>{0, count});
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(status.message(), "move " + std::to_string(count) +
                                  "; the plan has " + std::to_string(count) +
                                  ", from 0");
  EXPECT_EQ(progress.done_count(), 0u);
  EXPECT_FALSE(progress.IsDone(count));
  EXPECT_FALSE(std::filesystem::exists(Path()));
}

TEST_F(PlanProgressTest, RefusesTheProgressOfAnotherPlan) {
  ASSERT_TRUE(Open().MarkDone(0).ok());
  const Ring other = MakeRing(WithVnodes(16), NumberedNodes("n-", 1, 5));
  for (const auto& plan : {MigrationPlan::Create(before_, other),
                           MigrationPlan::Create(other, after_),
                           MigrationPlan::Create(before_, after_, {2})}) {
    const auto found = PlanProgress::Open(plan.value(), Path());
    EXPECT_EQ(found.status().code(), Code::kInvalidOptions);
    EXPECT_EQ(found.status().message(),
              Path() + ": is the progress of another plan");
  }
}

TEST_F(PlanProgressTest, RefusesWhatItWouldNotHaveWritten) {
  ASSERT_TRUE(Open().MarkDone(std::vector<uint32_t>{2, 3, 7}).ok());
  const std::string good = Text();
  const std::string head = good.substr(0, good.size() - 18);
  ASSERT_EQ(good.substr(head.size()), "[[2, 3], [7, 7]]}\n");
  for (const char* tail :
       {"", "[", "[]", "[]}", "[]}\n ", "[[2, 3]]}", "[[3, 2]]}\n",
        "[[2, 3], [3, 4]]}\n", "[[7, 7], [2, 3]]}\n", "[[2, 3] [7, 7]]}\n",
        "[[2, 3], ]}\n", "[, [2, 3]]}\n", "[[2]]}\n", "[[-1, 3]]}\n",
        "[[2, 4294967296]]}\n", "[[2, 99999]]}\n", "[[2, 3],[7, 7]]}\n"}) {
    Write(head + tail);
    EXPECT_EQ(Refusal().code(), Code::kIo) << tail;
  }
  for (const char* text :
       {"", "{}", "hello", "{\"schema\": 2, \"before\": \""}) {
    Write(text);
    EXPECT_EQ(Refusal().message(),
              Path() + ": is no whole progress of schema 1");
  }
  for (size_t cut = 0; cut < good.size(); cut += 5) {
    Write(good.substr(0, cut));
    EXPECT_FALSE(Refusal().ok()) << cut;
  }
  Write(head + "[]}\n");
  EXPECT_TRUE(Refusal().ok());
}

TEST_F(PlanProgressTest, SaysWhatTheSystemRefuses) {
  std::filesystem::create_directory(Path());
  EXPECT_EQ(Refusal().message(), Path() + ": is a directory");
  const std::string nowhere = folder_ + "/none/moves.done";
  auto progress = PlanProgress::Open(plan_, nowhere).value();
  const Status status = progress.MarkDone(0);
  EXPECT_EQ(status.code(), Code::kIo);
  EXPECT_TRUE(status.message().starts_with(nowhere + ".tmp-"));
  EXPECT_TRUE(status.message().ends_with(
      ": cannot be made: No such file or directory"));
  EXPECT_EQ(progress.done_count(), 0u);
}

// Calls of which one is the last that the process makes.
class EndingCalls final : public FileCalls {
 public:
  explicit EndingCalls(int calls) : left_(calls) {}
  int Create(const char* path) noexcept override {
    return AfterIt(FileCalls::Create(path));
  }
  ssize_t Write(int fd, const void* data, size_t size) noexcept override {
    return AfterIt(FileCalls::Write(fd, data, std::min(size, size_t{8})));
  }
  int Sync(int fd) noexcept override { return AfterIt(FileCalls::Sync(fd)); }
  int Rename(const char* from, const char* to) noexcept override {
    return AfterIt(FileCalls::Rename(from, to));
  }

 private:
  template <typename T>
  T AfterIt(T result) noexcept {
    if (--left_ == 0) _exit(7);
    return result;
  }
  int left_;
};

TEST_F(PlanProgressTest, TheFileIsTheOldOneOrTheNewOne) {
  // In this order: created, two writes, synced, renamed, the folder synced.
  constexpr int kRename = 5;
  const std::string path = Path();
  for (int last = 1; last <= kRename + 1; ++last) {
    ASSERT_TRUE(ReplaceFile(SystemFileCalls(), path, "old").ok());
    const pid_t child = fork();
    if (child == 0) {
      EndingCalls calls(last);
      _exit(ReplaceFile(calls, path, "the new one").ok() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(WEXITSTATUS(status), 7) << last;
    EXPECT_EQ(Text(), last >= kRename ? "the new one" : "old") << last;
    // What was left beside it is gone with the next.
    ASSERT_TRUE(ReplaceFile(SystemFileCalls(), path, "next").ok());
    EXPECT_EQ(Text(), "next");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}),
              1);
  }
}

TEST_F(PlanProgressTest, AFullDiskLeavesTheOldMarks) {
  ASSERT_TRUE(Open().MarkDone(3).ok());
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{10, 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    PlanProgress progress = Open();
    const Status status = progress.MarkDone(4);
    const bool is_right = status.code() == Code::kIo &&
                          progress.done_count() == 1 && !progress.IsDone(4);
    _exit(is_right ? 7 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(Open().done_count(), 1u);
  EXPECT_FALSE(std::filesystem::exists(Path() + ".tmp"));
}

TEST_F(PlanProgressTest, MemoryThatRunsOutIsAStatus) {
  PlanProgress progress = Open();
  for (long allowed = 0;; ++allowed) {
    fail_allocations_after(allowed);
    const Status status = progress.MarkDone(2);
    stop_failing();
    if (status.ok()) break;
    ASSERT_EQ(status.code(), Code::kOutOfMemory);
    ASSERT_EQ(progress.done_count(), 0u);
    ASSERT_LT(allowed, 100);
  }
  EXPECT_EQ(Open().done_count(), 1u);
}

}  // namespace
}  // namespace clockwise
