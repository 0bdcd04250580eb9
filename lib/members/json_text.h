// SPDX-FileCopyrightText: 2026 the clockwise authors
// SPDX-License-Identifier: MIT
// A JSON text while a parser reads it: where is the token it reports?
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace clockwise {

// The parser tells an error's place, but not that of a value that it read well;
// iterators that show how far they have come give it back.
class JsonText {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    Iterator(const char* at, const char** reached)
        : at_(at), reached_(reached) {}
    reference operator*() const { return *at_; }
    Iterator& operator++() {
      *reached_ = ++at_;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.at_ == b.at_;
    }

   private:
    const char* at_;
    const char** reached_;
  };

  explicit JsonText(std::string_view text)
      : text_(text), reached_(text.data()) {}
  JsonText(const JsonText&) = delete;
  JsonText& operator=(const JsonText&) = delete;

  [[nodiscard]] Iterator begin() { return {text_.data(), &reached_}; }
  [[nodiscard]] Iterator end() {
    return {text_.data() + text_.size(), &reached_};
  }
  [[nodiscard]] size_t size() const { return text_.size(); }

  // To be called once for each token that the parser reports, then token() is
  // the offset of its first byte.
  void FindToken();
  [[nodiscard]] size_t token() const { return token_; }

  // "LINE:COLUMN" of an offset, both from 1, columns in characters.
  [[nodiscard]] std::string Place(size_t offset) const;

 private:
  std::string_view text_;
  const char* reached_;  // by the parser
  size_t token_ = 0;
  size_t after_ = 0;  // how far the parser was when it reported the token
};

}  // namespace clockwise
