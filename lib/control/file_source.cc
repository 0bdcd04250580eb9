// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <new>
#include <utility>

#include "base/out_of_memory.h"
#include "clockwise/members_source.h"
#include "clockwise/ring_file.h"
#include "platform/file_watch.h"

namespace clockwise {
namespace {

class FileSource final : public MembersSource {
 public:
  FileSource(std::string path, std::unique_ptr<FileWatch> watch)
      : path_(std::move(path)), watch_(std::move(watch)) {}

  [[nodiscard]] std::string name() const override { return path_; }

  Result<MembersOrRing> Read() override {
    watch_->Remember();
    RingLoadOptions options;
    options.mode = LoadMode::kCopy;
    RingFileFault fault = RingFileFault::kNone;
    Result<Ring> ring = LoadRing(path_, options, &fault);
    if (ring.ok()) return MembersOrRing(std::move(ring).value());
    if (fault != RingFileFault::kNotRingFile) return ring.status();
    Result<Members> members = LoadMembers(path_);
    if (!members.ok()) return members.status();
    return MembersOrRing(std::move(members).value());
  }

  bool Await(std::chrono::nanoseconds limit) override {
    return watch_->Await(limit);
  }
  void Wake() noexcept override { watch_->Wake(); }

 private:
  const std::string path_;
  const std::unique_ptr<FileWatch> watch_;
};

}  // namespace

Result<std::unique_ptr<MembersSource>> FollowFile(
    const std::string& path, std::chrono::nanoseconds poll_interval) try {
  if (poll_interval < std::chrono::milliseconds(1) ||
      poll_interval > std::chrono::hours(1)) {
    return Status(Code::kInvalidOptions,
                  path + ": poll_interval " +
                      std::to_string(poll_interval.count()) +
                      " ns; 1 ms to an hour");
  }
  Result<std::unique_ptr<FileWatch>> watch =
      FileWatch::Create(path, poll_interval);
  if (!watch.ok()) return watch.status();
  return std::unique_ptr<MembersSource>(
      std::make_unique<FileSource>(path, std::move(watch).value()));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace clockwise
