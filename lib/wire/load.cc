// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/by_errno.h"
#include "base/out_of_memory.h"
#include "platform/mapped_source.h"
#include "wire/byte_order.h"
#include "wire/file_io.h"
#include "wire/ring_parts.h"

namespace clockwise {
namespace {

BlockSource& SourceOf(const RingLoadOptions& options) {
  return options.source != nullptr ? *options.source : DefaultBlockSource();
}

// A file that is read once, from its header on.
class Loader {
 public:
  Loader(FileCalls& calls, const std::string& path,
         const RingLoadOptions& options, RingFileFault& fault)
      : calls_(calls), path_(path), options_(options), fault_(fault) {}
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;
  ~Loader() {
    if (fd_ >= 0) calls_.Close(fd_);
  }

  Result<Ring> Run() {
    std::array<std::byte, kMaxHeaderBytes> first;
    RingFileHeader header;
    if (Status s = ReadHeader(first, header); !s.ok()) return s;
    RingParts parts;
    const bool is_mapped = options_.mode == LoadMode::kMap && !kTurns;
    Status s = is_mapped ? Map(header, parts) : Copy(header, parts);
    if (!s.ok()) return s;
    return AdmitRing(header, std::move(parts), options_, path_, fault_);
  }

 private:
  Status ReadHeader(std::span<std::byte> first, RingFileHeader& header) {
    fd_ = calls_.OpenToRead(path_.c_str());
    if (fd_ < 0) return ByErrno(path_, "cannot be opened");
    const off_t size = calls_.SizeOf(fd_);
    if (size < 0) {
      return errno == EINVAL ? Status(Code::kIo, path_ + ": no regular file")
                             : ByErrno(path_, "cannot be read");
    }
    const auto bytes = static_cast<uint64_t>(size);
    first = first.first(std::min<uint64_t>(bytes, first.size()));
    if (Status s = ReadAll(first, 0); !s.ok()) return s;
    return Refuse(DecodeHeader(first, bytes, header));
  }

  Status Refuse(const Defect& defect) {
    fault_ = defect.fault;
    return defect ? ToStatus(defect, path_) : Status();
  }

  Status ReadAll(std::span<std::byte> to, uint64_t at) {
    while (!to.empty()) {
      const ssize_t got =
          calls_.ReadAt(fd_, to.data(), to.size(), static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return ByErrno(path_, "cannot be read");
      if (got == 0) {
        return Refuse({RingFileFault::kTruncated, "shrank while it was read"});
      }
      to = to.subspan(static_cast<size_t>(got));
      at += static_cast<uint64_t>(got);
    }
    return {};
  }

  Status Map(const RingFileHeader& header, RingParts& parts) {
    parts.image = MapBlock(calls_, fd_, header.image_at, header.image_bytes,
                           sizeof(detail::RingImage));
    if (parts.image.data() == nullptr)
      return ByErrno(path_, "cannot be mapped");
    parts.table = MapBlock(calls_, fd_, header.table_at, header.table_bytes, 0);
    if (parts.table.data() == nullptr)
      return ByErrno(path_, "cannot be mapped");
    if (options_.check == RingFileCheck::kTrustedWriterOnly) return {};
    ReadAhead(calls_, parts.image);
    ReadAhead(calls_, parts.table);
    return {};
  }

  Status Copy(const RingFileHeader& header, RingParts& parts) {
    Status s = CopyPart(header.image_at, header.image_bytes, parts.image);
    return s.ok() ? CopyPart(header.table_at, header.table_bytes, parts.table)
                  : s;
  }

  Status CopyPart(uint64_t at, uint64_t bytes, Block& block) {
    block = Block::Acquire(SourceOf(options_), bytes);
    if (block.data() == nullptr) return OutOfMemory();
    return ReadAll({static_cast<std::byte*>(block.data()), bytes}, at);
  }

  FileCalls& calls_;
  const std::string& path_;
  const RingLoadOptions& options_;
  RingFileFault& fault_;
  int fd_ = -1;
};

Block CopyOf(std::span<const std::byte> bytes, const RingLoadOptions& options) {
  Block block = Block::Acquire(SourceOf(options), bytes.size());
  if (block.data() != nullptr) {
    std::memcpy(block.data(), bytes.data(), bytes.size());
  }
  return block;
}

Result<Ring> Parse(std::span<const std::byte> bytes,
                   const RingLoadOptions& options, std::string_view name,
                   RingFileFault& fault) {
  RingFileHeader header;
  const auto first = bytes.first(std::min(bytes.size(), kMaxHeaderBytes));
  const Defect defect = DecodeHeader(first, bytes.size(), header);
  fault = defect.fault;
  if (defect) return ToStatus(defect, name);
  RingParts parts;
  parts.image =
      CopyOf(bytes.subspan(header.image_at, header.image_bytes), options);
  parts.table =
      CopyOf(bytes.subspan(header.table_at, header.table_bytes), options);
  if (parts.image.data() == nullptr || parts.table.data() == nullptr) {
    return OutOfMemory();
  }
  return AdmitRing(header, std::move(parts), options, name, fault);
}

}  // namespace

Result<Ring> LoadRingBy(FileCalls& calls, const std::string& path,
                        const RingLoadOptions& options,
                        RingFileFault* fault) try {
  RingFileFault unasked;
  RingFileFault& told = fault != nullptr ? *fault : unasked;
  told = RingFileFault::kNone;
  return Loader(calls, path, options, told).Run();
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

Result<Ring> LoadRing(const std::string& path, const RingLoadOptions& options,
                      RingFileFault* fault) {
  return LoadRingBy(SystemFileCalls(), path, options, fault);
}

Result<Ring> ParseRing(std::span<const std::byte> bytes,
                       const RingLoadOptions& options, RingFileFault* fault,
                       std::string_view name) try {
  RingFileFault unasked;
  RingFileFault& told = fault != nullptr ? *fault : unasked;
  told = RingFileFault::kNone;
  return Parse(bytes, options, name, told);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace clockwise
