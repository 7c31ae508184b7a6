// SPDX-License-Identifier: BSD-3-Clause
#include "topology/labels.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fatwood {

std::string counted(std::uint64_t count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  const bool hisses = noun.ends_with("ch") || noun.ends_with("s");
  if (noun.ends_with("leaf")) {
    noun.remove_suffix(1);
    return fmt::format("{} {}ves", count, noun);
  }
  return fmt::format("{} {}{}", count, noun, hisses ? "es" : "s");
}

std::string listed(const std::vector<std::string>& words, std::size_t most) {
  std::string text;
  const std::size_t shown = words.size() <= most + 1 ? words.size() : most;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == words.size();
    text += i == 0 ? "" : last ? " and " : ", ";
    text += words[i];
  }
  if (shown < words.size()) text += fmt::format(" and {} more", words.size() - shown);
  return text;
}

std::string ranges(std::vector<Port> ports) {
  std::sort(ports.begin(), ports.end());
  std::string text;
  for (std::size_t i = 0; i < ports.size();) {
    std::size_t end = i + 1;
    while (end < ports.size() && index(ports[end]) == index(ports[end - 1]) + 1) ++end;
    text += text.empty() ? "" : ", ";
    text += end - i < 3 ? fmt::format("{}", index(ports[i]))
                        : fmt::format("{}-{}", index(ports[i]), index(ports[end - 1]));
    i = end - i < 3 ? i + 1 : end;
  }
  return text;
}

}  // namespace fatwood
