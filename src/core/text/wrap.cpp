// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/wrap.hpp"

#include <algorithm>

namespace fatwood {

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  if (columns == 0) return std::string(text);
  const auto width = [](std::string_view word) {
    return static_cast<std::size_t>(std::ranges::count_if(
        word, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
  };
  std::string result;
  std::size_t at = indent;
  bool first = true;  // of its line
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string_view word = text.substr(start, end - start);
    start = end + 1;
    if (!first && at + 1 + width(word) > columns) {
      result += '\n' + std::string(indent, ' ');
      at = indent;
      first = true;
    }
    if (!first) result += ' ';
    result += word;
    at += width(word) + (first ? 0 : 1);
    first = false;
  }
  return result;
}

}  // namespace fatwood
