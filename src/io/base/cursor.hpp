// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Parses one line of input, and reports file, line, column and what was expected.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace fatwood {

class Cursor {
 public:
  // Line and file name must outlive the cursor.
  Cursor(std::string_view line, std::string_view file, std::size_t number)
      : line_(line), file_(file), number_(number) {}

  bool at_end() const { return at_ == line_.size(); }
  char peek() const { return at_end() ? '\0' : line_[at_]; }
  std::string_view rest() const { return line_.substr(at_); }
  std::size_t column() const { return at_ + 1; }
  void advance(std::size_t count) { at_ = count < line_.size() - at_ ? at_ + count : line_.size(); }

  // Returns whether there was white space.
  bool skip_space() {
    const std::size_t from = at_;
    while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t')) ++at_;
    return at_ != from;
  }
  // Consumes the text if it comes next. Inline, so that literals are compared without a call.
  bool accept(std::string_view text) {
    if (line_.size() - at_ < text.size()) return false;
    if (std::memcmp(line_.data() + at_, text.data(), text.size()) != 0) return false;
    at_ += text.size();
    return true;
  }
  void expect(std::string_view text);

  // A decimal number, or a hexadecimal one after 0x. `what` names it in the error.
  std::uint64_t number(std::string_view what, std::uint64_t max = ~std::uint64_t{0});
  std::uint64_t decimal(std::string_view what, std::uint64_t max = ~std::uint64_t{0});
  // With or without 0x.
  std::uint64_t hex(std::string_view what, std::uint64_t max = ~std::uint64_t{0});
  // The text between two quotes; it contains no quote.
  std::string_view quoted(std::string_view what);
  // Up to white space or the end; may be empty.
  std::string_view word();

  [[noreturn]] void expected(std::string_view what) const;
  // The message of the error: "expected ..., found '...'".
  std::string expectation(std::string_view what) const;
  [[noreturn]] void fail(const std::string& message, ErrorKind kind = ErrorKind::kWrong) const;
  [[noreturn]] void fail_at(std::size_t column, const std::string& message) const;

 private:
  std::uint64_t digits(int base, std::string_view what, std::uint64_t max);

  std::string_view line_;
  std::string_view file_;
  std::size_t number_;
  std::size_t at_ = 0;
};

}  // namespace fatwood
