// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace fatwood {

namespace {

bool is_plain(char c) { return c >= ' ' && c <= '~'; }

void append_utf8(std::string& out, unsigned char latin1) {
  out += static_cast<char>(0xc0 | (latin1 >> 6));
  out += static_cast<char>(0x80 | (latin1 & 0x3f));
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  const auto stays = [&](char c) { return is_plain(c) || kept.find(c) != std::string_view::npos; };
  while (!text.empty()) {
    const auto run = static_cast<std::size_t>(std::ranges::find_if_not(text, stays) - text.begin());
    out += text.substr(0, run);
    text.remove_prefix(run);
    if (text.empty()) break;
    const auto [code, length] = first_character(text);
    if (is_unsafe(code)) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
    } else if (length == 0) {
      append_utf8(out, static_cast<unsigned char>(code));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

}  // namespace

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  if (first < 0xc2 || first > 0xf4) return {first, 0};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  // No longer form of a short character, no surrogate, none above U+10FFFF.
  const std::uint32_t low = first == 0xe0 ? 0xa0U : first == 0xf0 ? 0x90U : 0x80U;
  const std::uint32_t high = first == 0xed ? 0x9fU : first == 0xf4 ? 0x8fU : 0xbfU;
  if (byte(1) < low || byte(1) > high) return {first, 0};
  std::uint32_t code = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xbf) return {first, 0};
    code = code << 6U | (byte(i) & 0x3fU);
  }
  return {code, length};
}

bool is_unsafe(std::uint32_t code) {
  const auto is_between = [&](std::uint32_t low, std::uint32_t high) {
    return code >= low && code <= high;
  };
  return code < 0x20 || is_between(0x7f, 0x9f) || code == 0x061c || is_between(0x200e, 0x200f) ||
         is_between(0x2028, 0x202e) || is_between(0x2066, 0x2069) || code == 0xfeff;
}

std::string printable(std::string_view name) { return escaped(name, ""); }

std::string printable_text(std::string_view text) { return escaped(text, "\n\t"); }

}  // namespace fatwood
