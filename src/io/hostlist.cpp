// SPDX-License-Identifier: BSD-3-Clause
// Slurm's short form of many names (slurm.hpp).

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "io/node_words.hpp"
#include "io/slurm.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMaxDigits = 9;
constexpr std::size_t kMaxNames = 1'000'000;

std::string padded(std::uint64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width > digits.size() ? width - digits.size() : 0, '0') + digits;
}

// Names that differ only in the number at their end; width 0: no leading zeros.
using Group = std::pair<std::string, std::size_t>;

std::string ranges(const Group& group, const std::set<std::uint64_t>& numbers) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const std::uint64_t first = *at;
    std::uint64_t last = first;
    for (++at; at != numbers.end() && *at == last + 1; ++at) ++last;
    if (!text.empty()) text += ',';
    text += padded(first, group.second);
    if (last != first) text.append("-").append(padded(last, group.second));
  }
  if (numbers.size() == 1) return group.first + text;
  return fmt::format("{}[{}]", group.first, text);
}

}  // namespace

std::string hostlist(std::span<const std::string> names) {
  std::map<Group, std::set<std::uint64_t>> groups;
  std::set<std::string> plain;
  for (const std::string& name : names) {
    std::size_t begin = name.size();
    while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
    const std::size_t digits = name.size() - begin;
    if (digits == 0 || digits > kMaxDigits || begin == 0 || guid_in_id(name) != 0) {
      plain.insert(name);
      continue;
    }
    const bool zero_led = name[begin] == '0' && digits > 1;
    std::uint64_t number = 0;
    std::from_chars(name.data() + begin, name.data() + name.size(), number);
    groups[{name.substr(0, begin), zero_led ? digits : 0}].insert(number);
  }
  // "n09" and "n10" are one range when all have the same width.
  for (auto at = groups.begin(); at != groups.end(); ++at) {
    const auto& [prefix, width] = at->first;
    if (width == 0) continue;
    const auto loose = groups.find({prefix, 0});
    if (loose == groups.end()) continue;
    for (auto number = loose->second.begin(); number != loose->second.end();) {
      const bool fits = std::to_string(*number).size() == width;
      if (fits) at->second.insert(*number);
      number = fits ? loose->second.erase(number) : std::next(number);
    }
  }
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!text.empty()) text += ',';
    text += part;
  };
  for (const std::string& name : plain) add(name);
  for (const auto& [group, numbers] : groups) {
    if (!numbers.empty()) add(ranges(group, numbers));
  }
  return text;
}

std::vector<std::string> expand_hostlist(const std::string& list) {
  std::vector<std::string> names;
  const auto wrong = [&](const std::string& what) -> InputError {
    return InputError("host list '" + list.substr(0, 80) + "': " + what);
  };
  const auto number = [&](std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.size() > kMaxDigits) {
      throw wrong("expected a number of at most 9 digits");
    }
    return value;
  };
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = list.find_first_of(",[", at);
    const std::string prefix = list.substr(at, end - at);
    if (end == std::string::npos || list[end] == ',') {
      if (!prefix.empty()) names.push_back(prefix);
      at = end == std::string::npos ? list.size() : end + 1;
      continue;
    }
    const std::size_t close = list.find(']', end);
    if (close == std::string::npos) throw wrong("expected ']'");
    for (std::size_t from = end + 1; from < close;) {
      const std::size_t to = std::min(list.find(',', from), close);
      const std::string range = list.substr(from, to - from);
      const std::size_t dash = std::min(range.find('-'), range.size());
      const std::uint64_t first = number(std::string_view(range).substr(0, dash));
      const std::uint64_t last = dash == range.size() ? first : number(range.substr(dash + 1));
      if (last < first || last - first + names.size() > kMaxNames) throw wrong("expected a range");
      for (std::uint64_t n = first; n <= last; ++n) {
        names.push_back(prefix + padded(n, range[0] == '0' ? dash : 0));
      }
      from = to + 1;
    }
    at = close + 1;
    if (at < list.size() && list[at] != ',') throw wrong("expected ',' after ']'");
    ++at;
  }
  return names;
}

}  // namespace fatwood
