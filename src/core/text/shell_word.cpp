// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/shell_word.hpp"

#include <algorithm>
#include <cctype>

namespace fatwood {

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "-_./:=,+@%";
  const bool plain = !text.empty() && std::ranges::all_of(text, [&](unsigned char c) {
    return std::isalnum(c) != 0 || kPlain.find(static_cast<char>(c)) != kPlain.npos;
  });
  if (plain) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace fatwood
