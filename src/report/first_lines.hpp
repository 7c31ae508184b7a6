// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The beginning of a long list, as lines.

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace fatwood {

// line(element) for the first `most`, indented, and a last line that counts the rest:
// "  and 12 more (--json has all)", with `hint` at its end.
template <class List, class Line>
std::string first_lines(const List& list, std::size_t most, std::string_view hint,
                        const Line& line) {
  std::string text;
  for (std::size_t i = 0; i < list.size() && i < most; ++i) {
    text += fmt::format("  {}\n", line(list[i]));
  }
  if (list.size() > most) text += fmt::format("  and {} more{}\n", list.size() - most, hint);
  return text;
}

}  // namespace fatwood
