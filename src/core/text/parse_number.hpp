// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Parses a text that consists of a number only.

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace fatwood {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// No value if the text is anything else, has a sign that Number does not allow, is out of range, or
// is "inf" or "nan".
// `format`: a base for integers, as in std::from_chars.
template <class Number, class... Format>
std::optional<Number> parse_number(std::string_view text, Format... format) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value, format...);
  if (error != std::errc{} || at != end) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  return value;
}

// The GUID in an id like "S-0008f10500200b50"; 0 for other ids.
inline std::uint64_t guid_in_id(std::string_view id) {
  constexpr std::size_t kGuidDigits = 16;
  if (id.size() < 3 || id.size() > kGuidDigits + 2 || id[1] != '-') return 0;
  if (id[0] != 'S' && id[0] != 'H' && id[0] != 'R') return 0;
  return parse_number<std::uint64_t>(id.substr(2), 16).value_or(0);
}

}  // namespace fatwood
