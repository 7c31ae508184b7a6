// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Feeds an input to the JSON parser byte by byte, with positions for error messages. Texts and
// numbers are limited to kMaxLine, so that a file without an end costs no memory.

#include <cstddef>
#include <iterator>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "io/base/input.hpp"

namespace fatwood {

class JsonBytes {
 public:
  explicit JsonBytes(Input& input) : input_(input), buffer_(kMaxLine) { advance(); }

  bool ended() const { return ended_; }
  char current() const { return buffer_[at_]; }
  void advance() {
    if (started_) {
      note(buffer_[at_]);
      ++at_;
    }
    started_ = true;
    if (at_ == have_) {
      have_ = input_.read(buffer_);
      at_ = 0;
      ended_ = have_ == 0;
    }
  }
  Location where() const { return {input_.name(), line_, column_}; }

 private:
  void note(char c) {
    if (c == '\n') {
      ++line_;
      column_ = 1;
    } else {
      ++column_;
    }
    const bool quote = c == '"' && !escaped_;
    escaped_ = in_text_ && c == '\\' && !escaped_;
    if (quote) in_text_ = !in_text_;
    const bool between =
        !in_text_ && (std::string_view(" \t\r\n,:[]{}\"").find(c) != std::string_view::npos);
    length_ = between ? 0 : length_ + 1;
    if (length_ > kMaxLine) {
      throw InputError(where(), "the text goes on; expected its end within 64 KiB");
    }
  }

  Input& input_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, have_ = 0;
  bool started_ = false, ended_ = false;
  std::size_t line_ = 1, column_ = 1;
  std::size_t length_ = 0;
  bool in_text_ = false, escaped_ = false;
};

class JsonIterator {
 public:
  using difference_type = std::ptrdiff_t;
  using value_type = char;
  using pointer = const char*;
  using reference = char;
  using iterator_category = std::input_iterator_tag;

  explicit JsonIterator(JsonBytes* bytes) : bytes_(bytes) {}
  char operator*() const { return bytes_->current(); }
  JsonIterator& operator++() {
    bytes_->advance();
    return *this;
  }
  JsonIterator operator++(int) {
    JsonIterator before = *this;
    bytes_->advance();
    return before;
  }
  friend bool operator==(const JsonIterator& a, const JsonIterator& b) {
    return a.ended() == b.ended();
  }
  friend bool operator!=(const JsonIterator& a, const JsonIterator& b) { return !(a == b); }

 private:
  bool ended() const { return bytes_ == nullptr || bytes_->ended(); }
  JsonBytes* bytes_;
};

}  // namespace fatwood
