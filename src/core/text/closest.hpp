// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// "Did you mean": finds the known name closest in spelling to an unknown one.

#include <cstddef>
#include <string>
#include <string_view>

namespace fatwood {

// The number of edits between two words: insert, delete or replace a character, or swap two
// adjacent ones (optimal string alignment). Cost: O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

// The distance of `name` from `word`; smaller is closer. kNotClose unless it could be a typing
// error: at most one edit per three characters, or one of its parts between dashes (size,
// message-size).
inline constexpr std::size_t kNotClose = static_cast<std::size_t>(-1);
std::size_t closeness(std::string_view word, std::string_view name);

// The closest name, the first of several; "" if none is close.
template <class Names>
std::string closest(std::string_view word, const Names& names) {
  std::string best;
  std::size_t least = kNotClose;
  for (const std::string_view name : names) {
    const std::size_t found = closeness(word, name);
    if (found >= least) continue;
    least = found;
    best = name;
  }
  return best;
}

// " (did you mean X?)" for a message, or "".
template <class Names>
std::string did_you_mean(std::string_view word, const Names& names) {
  const std::string best = closest(word, names);
  return best.empty() ? "" : " (did you mean " + best + "?)";
}

}  // namespace fatwood
