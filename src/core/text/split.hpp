// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Splits a text at each separator; takes blanks off its ends.

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace fatwood {

// The parts between separators, empty ones too.
inline std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
  const std::size_t first = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

}  // namespace fatwood
