// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// "Did you mean": the known name that is closest in spelling to a name that is not known.

#include <cstddef>
#include <string>
#include <string_view>

namespace fatwood {

// Edits from one word to the other: insert, delete or replace a character, or swap two neighbours
// (optimal string alignment). Cost: O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

// The distance of `name` from `word`, and whether it is small enough for a typing error: at most
// one edit in three characters, or one of its parts between dashes (size, message-size). Smaller is
// closer; kNotClose when it is none.
inline constexpr std::size_t kNotClose = static_cast<std::size_t>(-1);
std::size_t closeness(std::string_view word, std::string_view name);

// The closest of the names, the first of several; "" when none is close.
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
