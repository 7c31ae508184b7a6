// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Natural order of names: runs of digits compare as numbers, all else as bytes, so "node9" comes
// before "node10". Names that differ only in leading zeros ("a1", "a01") compare as bytes, so the
// order is total.

#include <algorithm>
#include <string_view>

#include "core/text/parse_number.hpp"

namespace fatwood {

inline bool natural_less(std::string_view a, std::string_view b) {
  constexpr std::string_view kDigits = "0123456789";
  const auto number_at = [&](std::string_view text, std::size_t at) {  // without leading zeros
    const std::size_t end = std::min(text.find_first_not_of(kDigits, at), text.size());
    const std::size_t first = std::min(text.find_first_not_of('0', at), end);
    return std::pair{text.substr(first, end - first), end};
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const auto [x, x_end] = number_at(a, i);
      const auto [y, y_end] = number_at(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      i = x_end;
      j = y_end;
    } else if (a[i] != b[j]) {
      return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
    } else {
      ++i;
      ++j;
    }
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  return a < b;
}

}  // namespace fatwood
