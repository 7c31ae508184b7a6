// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/closest.hpp"

#include <algorithm>
#include <vector>

namespace fatwood {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::move(last);
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::size_t closeness(std::string_view word, std::string_view name) {
  const std::size_t most = std::max<std::size_t>(1, word.size() / 3);
  const std::size_t longer = std::max(word.size(), name.size());
  const std::size_t shorter = std::min(word.size(), name.size());
  if (shorter > 1 && longer - shorter <= most) {
    const std::size_t edits = edit_distance(word, name);
    if (edits <= most) return edits;
  }
  // A part of the name counts as further than any slip.
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('-', at), name.size());
    if (word.size() > 2 && name.substr(at, end - at) == word) return longer + name.size();
    at = end + 1;
  }
  return kNotClose;
}

}  // namespace fatwood
