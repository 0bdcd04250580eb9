// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Ring files while the system refuses: whatever call fails, a file is the old
// one or the new one, and what was opened is closed.
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "failing_new.h"
#include "failing_source.h"
#include "platform/file_calls.h"
#include "ring_file_maker.h"
#include "ring_maker.h"
#include "wire/file_io.h"

namespace clockwise {
namespace {

// The system's calls, of which one fails, or that one and all after it, as if
// the process had ended there.
class FailingCalls final : public FileCalls {
 public:
  int OpenToRead(const char* path) noexcept override {
    return Opened(Fails() ? -1 : FileCalls::OpenToRead(path));
  }
  int Create(const char* path) noexcept override {
    return Opened(Fails() ? -1 : FileCalls::Create(path));
  }
  int OpenFolder(const char* path) noexcept override {
    return Opened(Fails() ? -1 : FileCalls::OpenFolder(path));
  }
  // Closes even where it fails, as Linux does.
  int Close(int fd) noexcept override {
    --open;
    const int closed = FileCalls::Close(fd);
    return Fails() ? -1 : closed;
  }
  off_t SizeOf(int fd) noexcept override {
    return Fails() ? -1 : FileCalls::SizeOf(fd);
  }
  ssize_t ReadAt(int fd, void* data, size_t size, off_t at) noexcept override {
    return Fails() ? -1 : FileCalls::ReadAt(fd, data, Some(size), at);
  }
  ssize_t Write(int fd, const void* data, size_t size) noexcept override {
    return Fails() ? -1 : FileCalls::Write(fd, data, Some(size));
  }
  int Sync(int) noexcept override { return Fails() ? -1 : 0; }
  int Rename(const char* from, const char* to) noexcept override {
    return Fails() ? -1 : FileCalls::Rename(from, to);
  }
  int Remove(const char* path) noexcept override {
    return Fails() ? -1 : FileCalls::Remove(path);
  }
  void* Map(int fd, size_t size, off_t at) noexcept override {
    return Fails() ? nullptr : FileCalls::Map(fd, size, at);
  }
  int AllowWrites(void* pages, size_t size) noexcept override {
    return Fails() ? -1 : FileCalls::AllowWrites(pages, size);
  }

  int fail_at = -1;        // the call that fails, counted from 0; -1: none
  bool fails_on = false;   // and all after it
  int error = EIO;         // with this errno
  size_t at_once = ~0ull;  // bytes that one read or write takes
  int calls = 0;
  int open = 0;

 private:
  bool Fails() noexcept {
    const int call = calls++;
    const bool fails =
        fail_at >= 0 && (fails_on ? call >= fail_at : call == fail_at);
    if (fails) errno = error;
    return fails;
  }
  int Opened(int fd) noexcept {
    open += fd >= 0;
    return fd;
  }
  [[nodiscard]] size_t Some(size_t size) const noexcept {
    return std::min(size, at_once);
  }
};

class RingFileFailureTest : public ::testing::Test {
 protected:
  RingFileFailureTest() {
    std::string name = ::testing::TempDir() + "ring_failure_XXXXXX";
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
    path = (folder / "ring.cwr").string();
  }
  ~RingFileFailureTest() override { std::filesystem::remove_all(folder); }

  // Saves it, without waiting for a disk.
  [[nodiscard]] bool Save(const Ring& ring) const {
    FailingCalls calls;
    return SaveRingBy(calls, ring, path).ok();
  }
  [[nodiscard]] std::string Read() const {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  [[nodiscard]] std::ptrdiff_t Files() const {
    return std::distance(std::filesystem::directory_iterator(folder), {});
  }

  const Ring old_ring = MakeRing(WithVnodes(20), NumberedNodes("n", 0, 3));
  const Ring new_ring = MakeRing(WithVnodes(20), NumberedNodes("n", 0, 4));
  const std::string old_file = SerializeRing(old_ring).value();
  const std::string new_file = SerializeRing(new_ring).value();
  std::filesystem::path folder;
  std::string path;
};

// Fails each call of writing in turn, until none is left to fail.
TEST_F(RingFileFailureTest, AFileIsTheOldOneOrTheNewOne) {
  FailingCalls none;
  none.at_once = 300;
  ASSERT_TRUE(SaveRingBy(none, new_ring, path).ok());
  const int last = none.calls - 1;
  int failed = 0;
  for (bool fails_on : {false, true}) {
    for (int error : {EIO, ENOSPC, EDQUOT, EROFS}) {
      for (int call = 0;; ++call) {
        ASSERT_TRUE(Save(old_ring));
        FailingCalls calls;
        calls.fail_at = call;
        calls.fails_on = fails_on;
        calls.error = error;
        calls.at_once = 300;
        const Status status = SaveRingBy(calls, new_ring, path);
        EXPECT_EQ(calls.open, 0) << call;
        if (calls.calls <= call) {
          EXPECT_TRUE(status.ok());
          break;
        }
        ++failed;
        const std::string file = Read();
        ASSERT_TRUE(file == old_file || file == new_file) << call;
        // Only the folder's descriptor may fail to close without a word.
        EXPECT_TRUE(status.ok() ? call == last : status.code() == Code::kIo)
            << call;
        EXPECT_TRUE(fails_on || Files() == 1) << call;
      }
      // What was left behind is gone after the next.
      ASSERT_TRUE(Save(new_ring));
      EXPECT_EQ(Files(), 1);
    }
  }
  EXPECT_GT(failed, 100);
}

TEST_F(RingFileFailureTest, TheMessageTellsWhichFileServes) {
  ASSERT_TRUE(Save(old_ring));
  for (int call = 0; call < 9; ++call) {
    FailingCalls calls;
    calls.fail_at = call;
    calls.error = ENOSPC;
    const Status status = SaveRingBy(calls, new_ring, path);
    const bool is_new =
        status.message().find("is the new file") != std::string::npos;
    EXPECT_TRUE(status.ok() || (Read() == new_file) == is_new)
        << status.message();
    EXPECT_TRUE(status.ok() ||
                status.message().find("No space left") != std::string::npos);
    ASSERT_TRUE(Save(old_ring));
  }
}

TEST_F(RingFileFailureTest, InterruptedCallsAreMadeAgain) {
  for (int call : {1, 2, 3}) {
    FailingCalls calls;
    calls.fail_at = call;
    calls.error = EINTR;
    calls.at_once = 500;
    // 0 creates; a write follows.
    ASSERT_TRUE(SaveRingBy(calls, new_ring, path).ok()) << call;
    EXPECT_EQ(Read(), new_file);
  }
}

TEST_F(RingFileFailureTest, OnlyTemporariesOfThisFileAreRemoved) {
  for (const char* name : {"ring.cwr.tmp-1-0", "ring.cwr.tmp-x",
                           "ring.cwr.tmp-1", "ring.cwr.tmp-1-", "other.tmp-1-0",
                           "ring.cwr.tmp--1", "ring.cwr.tmp-1-0x"}) {
    std::ofstream(folder / name) << "x";
  }
  ASSERT_TRUE(Save(new_ring));
  EXPECT_FALSE(std::filesystem::exists(folder / "ring.cwr.tmp-1-0"));
  EXPECT_EQ(Files(), 7);
}

TEST_F(RingFileFailureTest, WhereNothingCanBeMadeItIsSaid) {
  EXPECT_EQ(SaveRing(old_ring, "").code(), Code::kIo);
  EXPECT_EQ(SaveRing(old_ring, folder.string()).code(), Code::kIo);
  EXPECT_EQ(SaveRing(old_ring, (folder / "no" / "ring").string()).code(),
            Code::kIo);
  EXPECT_EQ(Files(), 0);
}

TEST_F(RingFileFailureTest, EachCallOfLoadingMayFail) {
  ASSERT_TRUE(Save(new_ring));
  for (LoadMode mode : {LoadMode::kMap, LoadMode::kCopy}) {
    RingLoadOptions options;
    options.mode = mode;
    for (int call = 0;; ++call) {
      FailingCalls calls;
      calls.fail_at = call;
      calls.at_once = 500;
      const auto ring = LoadRingBy(calls, path, options, nullptr);
      EXPECT_EQ(calls.open, 0);
      if (calls.calls <= call) break;
      // The last call closes a file that was read.
      EXPECT_TRUE(ring.ok() ? calls.calls == call + 1
                            : ring.status().code() == Code::kIo)
          << call;
    }
  }
}

TEST_F(RingFileFailureTest, AFileThatShrinksMeanwhileIsTruncated) {
  ASSERT_TRUE(Save(new_ring));
  class Shrinking final : public FileCalls {
   public:
    ssize_t ReadAt(int fd, void* data, size_t size,
                   off_t at) noexcept override {
      return at >= 1000 ? 0 : FileCalls::ReadAt(fd, data, size, at);
    }
  };
  Shrinking calls;
  RingLoadOptions options;
  options.mode = LoadMode::kCopy;
  RingFileFault fault;
  EXPECT_EQ(LoadRingBy(calls, path, options, &fault).status().code(),
            Code::kBadRingFile);
  EXPECT_EQ(fault, RingFileFault::kTruncated);
}

// Both memories: blocks of a source, and the heap.
TEST_F(RingFileFailureTest, MemoryMayRunOutAnywhere) {
  ASSERT_TRUE(Save(new_ring));
  RingLoadOptions options;
  options.mode = LoadMode::kCopy;
  options.check = RingFileCheck::kDerive;
  options.layout = Layout::kSorted;
  bool is_loaded = false;
  for (int allowed = 0; !is_loaded; ++allowed) {
    FailingSource source(allowed);
    options.source = &source;
    {
      const auto ring = LoadRing(path, options);
      is_loaded = ring.ok();
      EXPECT_TRUE(is_loaded || ring.status().code() == Code::kOutOfMemory);
    }
    EXPECT_EQ(source.live, 0);
  }
}

TEST_F(RingFileFailureTest, TheHeapMayRunOutAnywhere) {
  const std::string& file = new_file;
  bool is_done = false;
  for (long allowed = 0; !is_done; ++allowed) {
    fail_allocations_after(allowed);
    const auto ring = ParseRing(BytesOf(file));
    const auto text = SerializeRing(new_ring);
    is_done = stop_failing() == 0;
    EXPECT_TRUE(ring.ok() || ring.status().code() == Code::kOutOfMemory);
    EXPECT_TRUE(text.ok() || text.status().code() == Code::kOutOfMemory);
  }
}

}  // namespace
}  // namespace clockwise
