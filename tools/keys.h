// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// Keys from arguments, files and standard input, in batches of bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "file.h"

namespace clockwise::tool {

// How the command line gives keys.
struct KeyArgs {
  std::vector<std::string> keys;   // taken first
  std::vector<std::string> files;  // "-" is standard input
  bool nul_separated = false;      // else keys are lines
  bool hex = false;                // two hex digits a byte
};

// A stream of keys. Memory: one chunk of input, or the longest key if that is
// larger.
class KeySource {
 public:
  static constexpr size_t kBatch = 4096;

  // Opens every file, so that one that cannot be read is refused before any
  // result is written. Throws Failure.
  explicit KeySource(const KeyArgs& args);

  // Returns the next keys, at most kBatch; none at the end. They are valid
  // until the next call. Waits for no more input than it needs for one key.
  // Throws Failure, with the file and the number of the key, for bad hex.
  std::span<const std::string_view> Next();

  // Keys returned so far.
  [[nodiscard]] uint64_t count() const noexcept { return count_; }

 private:
  struct File {
    std::string name;
    Descriptor descriptor;
    bool is_regular;
  };

  void TakeArguments();
  void TakeFromBuffer();
  bool Fill();
  void DecodeHex();

  KeyArgs args_;
  std::vector<File> files_;
  std::vector<std::string_view> batch_;
  std::string buffer_;
  std::string decoded_;
  size_t file_ = 0;  // the one being read
  size_t next_argument_ = 0;
  size_t begin_ = 0;     // of the unread part of buffer_
  size_t searched_ = 0;  // no separator lies in [begin_, searched_)
  size_t end_ = 0;
  bool at_end_ = false;  // of the file
  uint64_t count_ = 0;
  uint64_t line_ = 0;  // keys taken from the file
};

}  // namespace clockwise::tool
