// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/text/printable.hpp"

namespace fatwood {

void Cursor::expect(std::string_view text) {
  if (!accept(text)) expected("'" + std::string(text) + "'");
}

std::uint64_t Cursor::digits(int base, std::string_view what, std::uint64_t max) {
  std::uint64_t value = 0;
  const char* const from = line_.data() + at_;
  const auto [end, error] = std::from_chars(from, line_.data() + line_.size(), value, base);
  if (error == std::errc::invalid_argument) expected(what);
  if (error != std::errc{} || value > max) {
    fail(std::string(what) + " is too large: " + std::string(from, std::min(end, from + 32)) +
         (max == ~std::uint64_t{0} ? "" : ", at most " + std::to_string(max)));
  }
  at_ += static_cast<std::size_t>(end - from);
  return value;
}

std::uint64_t Cursor::decimal(std::string_view what, std::uint64_t max) {
  return digits(10, what, max);
}

std::uint64_t Cursor::hex(std::string_view what, std::uint64_t max) {
  if (rest().starts_with("0x") || rest().starts_with("0X")) at_ += 2;
  return digits(16, what, max);
}

std::uint64_t Cursor::number(std::string_view what, std::uint64_t max) {
  const bool is_hex = rest().starts_with("0x") || rest().starts_with("0X");
  return is_hex ? hex(what, max) : decimal(what, max);
}

std::string_view Cursor::quoted(std::string_view what) {
  if (peek() != '"') expected(what);
  const std::size_t close = line_.find('"', at_ + 1);
  if (close == std::string_view::npos) {
    fail_at(line_.size() + 1, "expected '\"' to end " + std::string(what));
  }
  const std::string_view text = line_.substr(at_ + 1, close - at_ - 1);
  at_ = close + 1;
  return text;
}

std::string_view Cursor::word() {
  const std::size_t from = at_;
  while (at_ < line_.size() && line_[at_] != ' ' && line_[at_] != '\t') ++at_;
  return line_.substr(from, at_ - from);
}

std::string Cursor::expectation(std::string_view what) const {
  std::string seen = "the end of the line";
  if (!at_end()) {
    constexpr std::size_t kShown = 24;
    seen = fmt::format("'{}{}'", printable(rest().substr(0, kShown)),
                       rest().size() > kShown ? "..." : "");
  }
  return "expected " + std::string(what) + ", found " + seen;
}

void Cursor::expected(std::string_view what) const { fail(expectation(what)); }

void Cursor::fail(const std::string& message, ErrorKind kind) const {
  throw InputError({std::string(file_), number_, column()}, message, kind);
}

void Cursor::fail_at(std::size_t column, const std::string& message) const {
  throw InputError({std::string(file_), number_, column}, message);
}

}  // namespace fatwood
