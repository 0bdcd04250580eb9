// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
#include "keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "failure.h"
#include "text.h"

namespace clockwise::tool {
namespace {

constexpr size_t kChunk = size_t{1} << 20;

// Appends the bytes that `hex` spells; false where it is not pairs of digits.
bool AppendDecoded(std::string& out, std::string_view hex) {
  if (hex.size() % 2 != 0) return false;
  for (size_t i = 0; i < hex.size(); i += 2) {
    const int high = HexDigit(hex[i]);
    const int low = HexDigit(hex[i + 1]);
    if (high < 0 || low < 0) return false;
    out += static_cast<char>(high * 16 + low);
  }
  return true;
}

}  // namespace

KeySource::KeySource(const KeyArgs& args) : args_(args) {
  for (const std::string& path : args_.files) {
    Descriptor file = OpenKeyFile(path);
    const bool is_regular = file.IsRegular();
    files_.push_back(
        {path == "-" ? "standard input" : path, std::move(file), is_regular});
  }
}

std::span<const std::string_view> KeySource::Next() {
  batch_.clear();
  if (next_argument_ < args_.keys.size()) {
    TakeArguments();
  } else {
    do {
      TakeFromBuffer();
    } while (batch_.empty() && Fill());
  }
  if (args_.hex) DecodeHex();
  if (count_ >= args_.keys.size()) line_ += batch_.size();
  count_ += batch_.size();
  return batch_;
}

void KeySource::TakeArguments() {
  const size_t count = std::min(kBatch, args_.keys.size() - next_argument_);
  for (size_t i = 0; i < count; ++i) {
    batch_.push_back(args_.keys[next_argument_++]);
  }
}

void KeySource::TakeFromBuffer() {
  const char separator = args_.nul_separated ? '\0' : '\n';
  while (batch_.size() < kBatch && searched_ < end_) {
    const void* found =
        std::memchr(buffer_.data() + searched_, separator, end_ - searched_);
    if (found == nullptr) {
      searched_ = end_;
      break;
    }
    const auto stop =
        static_cast<size_t>(static_cast<const char*>(found) - buffer_.data());
    batch_.emplace_back(buffer_.data() + begin_, stop - begin_);
    begin_ = searched_ = stop + 1;
  }
  // The last key may lack its separator.
  if (at_end_ && searched_ == end_ && begin_ < end_ && batch_.size() < kBatch) {
    batch_.emplace_back(buffer_.data() + begin_, end_ - begin_);
    begin_ = end_;
  }
}

// Reads on; false when there is nothing more in any file. No key of the batch
// may point into the buffer.
bool KeySource::Fill() {
  if (at_end_) {
    files_[file_++].descriptor = Descriptor();
    at_end_ = false;
    line_ = 0;
  }
  if (file_ == files_.size()) return false;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  searched_ -= begin_;
  begin_ = 0;
  if (buffer_.size() - end_ < kChunk) {
    buffer_.resize(std::max(kChunk, 2 * buffer_.size()));
  }
  const File& file = files_[file_];
  size_t got = 0;
  // A short file is read to its end at once, so that a bad key in it is refused
  // before any result is written. A pipe gives what it has.
  do {
    got = ReadSome(file.descriptor.fd(), buffer_.data() + end_,
                   buffer_.size() - end_, file.name);
    end_ += got;
  } while (got > 0 && file.is_regular && end_ < buffer_.size());
  at_end_ = got == 0;
  return true;
}

void KeySource::DecodeHex() {
  size_t bytes = 0;
  for (std::string_view key : batch_) bytes += key.size() / 2;
  decoded_.clear();
  decoded_.reserve(bytes);  // so that views into it stay valid
  for (std::string_view& key : batch_) {
    const size_t begin = decoded_.size();
    if (!AppendDecoded(decoded_, key)) {
      const bool is_argument = count_ < args_.keys.size();
      const auto line = line_ + static_cast<uint64_t>(&key - batch_.data()) + 1;
      throw Failure(
          Exit::kRefused,
          fmt::format("{}: '{}' is not pairs of hex digits",
                      is_argument
                          ? "--key"
                          : fmt::format("{}:{}", files_[file_].name, line),
                      key.substr(0, 64)));
    }
    key = std::string_view(decoded_).substr(begin);
  }
}

}  // namespace clockwise::tool
