// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A text file, one line at a time, with a position in the line for parsers.

#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files.hpp"

namespace check {

// "\x1b" for each byte that is not ASCII text: names come from files, and terminals obey escapes.
inline std::string printable(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      out += {'\\', 'x', kDigits[byte / 16], kDigits[byte % 16]};
    }
  }
  return out;
}

constexpr unsigned kMaxPorts = 254;
constexpr std::uint32_t kMaxLid = 0xbfff;
constexpr std::size_t kMaxLine = 64 << 10;

class Lines {
 public:
  explicit Lines(std::string path) : path_(std::move(path)) {
    buffer_.resize(1 << 20);
    file_.rdbuf()->pubsetbuf(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    file_.open(path_, std::ios::binary);
    if (!file_) throw Error(path_ + ": can't be opened");
  }

  bool next() {
    if (!read_line()) {
      if (file_.bad()) throw Error(path_ + ": can't be read to its end");
      return false;
    }
    ++number_;
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    rest_ = line_;
    return true;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(path_ + ":" + std::to_string(number_) + ": " + what);
  }
  [[noreturn]] void ends_early(const std::string& expected) {
    ++number_;
    fail("the file ends where " + expected + " is expected");
  }

  void skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t')) rest_.remove_prefix(1);
  }
  bool at_end() const { return rest_.empty(); }
  char peek() const { return rest_.empty() ? '\0' : rest_[0]; }
  bool accept(std::string_view text) {
    if (rest_.substr(0, text.size()) != text) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text)) fail("expected \"" + std::string(text) + "\"");
  }
  std::uint64_t number(unsigned base, std::uint64_t limit, const char* what) {
    std::uint64_t value = 0;
    std::size_t used = 0;
    for (; used < rest_.size(); ++used) {
      const unsigned digit = digit_of(rest_[used]);
      if (digit >= base) break;
      if (value > (limit - digit) / base) fail(std::string(what) + " is too large");
      value = value * base + digit;
    }
    if (used == 0) fail(std::string("expected ") + what);
    rest_.remove_prefix(used);
    return value;
  }
  std::uint64_t decimal(std::uint64_t limit, const char* what) { return number(10, limit, what); }
  std::uint64_t guid(const char* what) {
    accept("0x");
    return number(16, std::numeric_limits<std::uint64_t>::max(), what);
  }
  std::string quoted() {
    expect("\"");
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) fail("a quoted name has no end");
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }
  // Moves behind the first `mark` in the rest of the line; false if there is none.
  bool seek(std::string_view mark) {
    const std::size_t at = rest_.find(mark);
    if (at == std::string_view::npos) return false;
    rest_.remove_prefix(at + mark.size());
    return true;
  }
  // The data rate in megabits per second if the last word of the line is a rate like 4xHDR, else 0.
  std::uint32_t last_rate() const {
    const std::string_view word = std::string_view(line_).substr(line_.rfind(' ') + 1);
    const std::size_t x = word.find('x');
    if (x == 0 || x > 2) return 0;
    std::uint32_t width = 0;
    for (const char c : word.substr(0, x)) {
      if (c < '0' || c > '9') return 0;
      width = width * 10 + static_cast<std::uint32_t>(c - '0');
    }
    constexpr std::pair<std::string_view, std::uint32_t> kLane[] = {
        {"SDR", 2000},  {"DDR", 4000},  {"QDR", 8000},   {"FDR10", 10000}, {"FDR", 13640},
        {"EDR", 25000}, {"HDR", 50000}, {"NDR", 100000}, {"XDR", 200000},  {"EDR20", 20000}};
    for (const auto& [name, megabits] : kLane) {
      if (word.substr(x + 1) == name) return width * megabits;
    }
    return 0;
  }
  std::size_t line() const { return number_; }
  std::string_view rest() const { return rest_; }

 private:
  // Like std::getline, which would read an endless line (/dev/zero).
  bool read_line() {
    file_.getline(text_.data(), static_cast<std::streamsize>(text_.size()));
    const auto got = static_cast<std::size_t>(file_.gcount());
    if (file_.fail() && got + 1 == text_.size()) {
      ++number_;
      fail("expected the end of the line within 64 KiB");
    }
    if (file_.fail()) return false;
    line_.assign(text_.data(), file_.eof() ? got : got - 1);
    return true;
  }
  static unsigned digit_of(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    return 99;
  }

  std::string path_;
  std::vector<char> buffer_;
  std::ifstream file_;
  std::vector<char> text_ = std::vector<char>(kMaxLine + 2);
  std::string line_;
  std::string_view rest_;
  std::size_t number_ = 0;
};

}  // namespace check
