// SPDX-License-Identifier: BSD-3-Clause
// Slurm's short form of many names (hostlist.hpp). Cost: O(names) out of lists, O(names log names)
// into sorted ones.

#include "core/text/hostlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <compare>
#include <map>
#include <set>
#include <utility>

#include "core/text/parse_number.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMaxDigits = 18;  // a number must fit into 63 bits
constexpr std::uint64_t kMaxRange = 65'536;
constexpr std::size_t kMaxNames = 1'000'000;

std::string padded(std::uint64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width > digits.size() ? width - digits.size() : 0, '0') + digits;
}

// Names that differ only in their last number; width 0: no leading zeros.
struct Group {
  std::string prefix, suffix;
  std::size_t width = 0;
  auto operator<=>(const Group&) const = default;
};

std::string ranges(const Group& group, const std::set<std::uint64_t>& numbers) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const std::uint64_t first = *at;
    std::uint64_t last = first;
    for (++at; at != numbers.end() && *at == last + 1; ++at) ++last;
    if (!text.empty()) text += ',';
    text += padded(first, group.width);
    if (last != first) text.append("-").append(padded(last, group.width));
  }
  if (numbers.size() == 1) return group.prefix + text + group.suffix;
  return fmt::format("{}[{}]{}", group.prefix, text, group.suffix);
}

bool is_gap(char c) { return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Expander {
 public:
  Expander(std::string_view list, const Location& where) : list_(list), where_(where) {}

  std::vector<std::string> run() {
    while (true) {
      while (at_ < list_.size() && is_gap(list_[at_])) ++at_;
      if (at_ == list_.size()) return std::move(names_);
      item();
    }
  }

 private:
  [[noreturn]] void wrong(std::size_t at, const std::string& what) const {
    if (where_.line == 0) {
      throw InputError(where_, fmt::format("host list '{}', character {}: {}", list_.substr(0, 80),
                                           at + 1, what));
    }
    Location where = where_;
    where.column = std::max<std::size_t>(where_.column, 1) + at;
    throw InputError(where, "host list: " + what);
  }

  void item() {
    const std::size_t begin = at_;
    std::vector<std::string> made{""};
    std::uint64_t times = 1;
    while (at_ < list_.size() && (!is_gap(list_[at_]) || id_ends(at_) != at_)) {
      if (const std::size_t end = std::max(id_ends(at_), port_ends(at_)); end != at_) {
        for (std::string& name : made) name += list_.substr(at_, end - at_);
        at_ = end;
        continue;
      }
      switch (list_[at_]) {
        case '[':
          made = product(made, bracket(), begin);
          break;
        case ']':
          wrong(at_, "']' without '['");
        case '{':
          wrong(at_, "a function: only slurmctld can expand it (scontrol show hostnames)");
        case '*':
          times = repeat();
          break;
        default:
          for (std::string& name : made) name += list_[at_];
          ++at_;
      }
    }
    if (made.front().empty()) wrong(begin, "expected a name");
    if (made.size() * times + names_.size() > kMaxNames) wrong(begin, "more than a million names");
    for (std::uint64_t i = 0; i < times; ++i) {
      names_.insert(names_.end(), made.begin(), made.end());
    }
  }

  // The end of " (ID)" that begins here, or `at`.
  std::size_t id_ends(std::size_t at) const {
    if (at >= list_.size() || !list_.substr(at).starts_with(" (")) return at;
    const std::size_t end = list_.find_first_of(",)", at);
    return end == std::string_view::npos || list_[end] == ',' ? at : end + 1;
  }

  // The end of "[...]" that begins here, before an " (ID)": a part of the name. Otherwise `at`.
  std::size_t port_ends(std::size_t at) const {
    if (list_[at] != '[') return at;
    const std::size_t close = list_.find(']', at);
    return close == std::string_view::npos || id_ends(close + 1) == close + 1 ? at : close + 1;
  }

  std::uint64_t repeat() {
    const std::size_t begin = ++at_;
    const std::uint64_t times = number().second;
    if (times == 0) wrong(begin, "expected a count above 0 after '*'");
    if (at_ < list_.size() && !is_gap(list_[at_])) wrong(at_, "expected ',' after the count");
    return times;
  }

  // Digits as they stand, and their value.
  std::pair<std::size_t, std::uint64_t> number() {
    const std::size_t begin = at_;
    std::uint64_t value = 0;
    for (; at_ < list_.size() && is_digit(list_[at_]); ++at_) {
      if (at_ - begin == kMaxDigits) wrong(begin, "expected at most 18 digits");
      value = value * 10 + static_cast<std::uint64_t>(list_[at_] - '0');
    }
    if (at_ == begin) wrong(at_, "expected a number");
    return {at_ - begin, value};
  }

  std::vector<std::string> bracket() {
    const std::size_t open = at_++;
    std::vector<std::string> numbers;
    while (true) {
      const std::size_t begin = at_;
      const auto [width, first] = number();
      std::uint64_t last = first;
      if (at_ < list_.size() && list_[at_] == '-') {
        ++at_;
        last = number().second;
      }
      if (last < first) wrong(begin, "a range goes from low to high");
      if (last - first >= kMaxRange) wrong(begin, "a range of more than 65536 names");
      for (std::uint64_t n = first; n <= last; ++n) numbers.push_back(padded(n, width));
      if (numbers.size() > kMaxNames) wrong(open, "more than a million names");
      if (at_ == list_.size()) wrong(open, "'[' without ']'");
      if (list_[at_] == ']') break;
      if (list_[at_] != ',') wrong(at_, "expected ',', '-' or ']'");
      ++at_;
    }
    ++at_;
    return numbers;
  }

  std::vector<std::string> product(const std::vector<std::string>& left,
                                   const std::vector<std::string>& right, std::size_t begin) const {
    if (left.size() * right.size() > kMaxNames) wrong(begin, "more than a million names");
    std::vector<std::string> all;
    all.reserve(left.size() * right.size());
    for (const std::string& a : left) {
      for (const std::string& b : right) all.push_back(a + b);
    }
    return all;
  }

  std::string_view list_;
  Location where_;
  std::size_t at_ = 0;
  std::vector<std::string> names_;
};

// "n08" is "n" and "08"; no digits where the name ends in none or in too many.
std::pair<std::string_view, std::string_view> split_number(std::string_view name) {
  std::size_t begin = name.size();
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  if (name.size() - begin > kMaxDigits) begin = name.size();
  return {name.substr(0, begin), name.substr(begin)};
}

std::uint64_t as_number(std::string_view digits) {
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

}  // namespace

std::vector<std::string> expand_hostlist(std::string_view list, const Location& where) {
  return Expander(list, where).run();
}

std::string hostlist_in_order(std::span<const std::string> names) {
  std::string text;
  for (std::size_t at = 0; at < names.size();) {
    const auto [prefix, digits] = split_number(names[at]);
    if (!text.empty()) text += ',';
    text += prefix;
    std::vector<std::string> parts;
    while (at < names.size()) {
      const auto [same, first] = split_number(names[at]);
      if (same != prefix || first.empty()) break;
      std::uint64_t number = as_number(first);
      std::size_t end = at + 1;
      while (end < names.size() && end - at < kMaxRange &&
             names[end] == std::string(prefix) + padded(number + 1, first.size())) {
        ++number;
        ++end;
      }
      parts.push_back(end - at == 1 ? std::string(first)
                                    : fmt::format("{}-{}", first, padded(number, first.size())));
      at = end;
    }
    if (digits.empty()) {
      ++at;
    } else if (parts.size() == 1 && parts[0] == digits) {
      text += digits;
    } else {
      text += fmt::format("[{}]", fmt::join(parts, ","));
    }
  }
  return text;
}

std::string hostlist(std::span<const std::string> names) {
  std::map<Group, std::set<std::uint64_t>> groups;
  std::set<std::string> plain;
  for (const std::string& name : names) {
    std::size_t end = name.size();
    while (end > 0 && !is_digit(name[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && is_digit(name[begin - 1])) --begin;
    const std::size_t digits = end - begin;
    if (digits == 0 || digits > kMaxDigits || begin == 0 || name.ends_with(')') ||
        guid_in_id(name) != 0) {
      plain.insert(name);
      continue;
    }
    const bool zero_led = name[begin] == '0' && digits > 1;
    groups[{name.substr(0, begin), name.substr(end), zero_led ? digits : 0}].insert(
        as_number(std::string_view(name).substr(begin, digits)));
  }
  // "n09" and "n10" are one range when all have the same width.
  for (auto at = groups.begin(); at != groups.end(); ++at) {
    const auto& [prefix, suffix, width] = at->first;
    if (width == 0) continue;
    const auto loose = groups.find({prefix, suffix, 0});
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

}  // namespace fatwood
