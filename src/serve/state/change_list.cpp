// SPDX-License-Identifier: BSD-3-Clause
#include "serve/state/change_list.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/text/split.hpp"

namespace fatwood::serve {

namespace {

void require_few(const std::vector<std::string>& list) {
  if (list.size() > kMostChanges) {
    throw InputError(fmt::format("at most {} changes at a time", kMostChanges));
  }
}

// "leaf-1[33]" of "cut leaf-1[33]" and of "speed leaf-1[33] 2xHDR".
std::string_view subject_of(std::string_view change) {
  constexpr std::string_view kSpace = " \t";
  const std::size_t end = std::min(change.find_first_of(kSpace), change.size());
  const bool speed = change.substr(0, end) == "speed";
  change.remove_prefix(std::min(change.find_first_not_of(kSpace, end), change.size()));
  if (speed) change = change.substr(0, change.find_last_of(kSpace));
  return change.substr(0, change.find_last_not_of(kSpace) + 1);
}

}  // namespace

std::vector<std::string> change_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string_view line : split_at(text, '\n')) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos || line[first] == '#') continue;
    lines.emplace_back(line.substr(first, line.find_last_not_of(" \t\r") + 1 - first));
  }
  require_few(lines);
  return lines;
}

std::vector<std::string> with_changes(std::vector<std::string> list, std::string_view text) {
  constexpr std::string_view kRestore = "restore ";
  const std::vector<std::string> lines = change_lines(text);
  if (lines.empty()) {
    throw InputError("expected a change per line, such as: cut leaf-1[33], or: remove spine-2");
  }
  for (const std::string& line : lines) {
    if (!line.starts_with(kRestore)) {
      list.push_back(line);
      continue;
    }
    const std::string_view what = std::string_view(line).substr(kRestore.size());
    if (std::erase_if(list, [&](const std::string& one) { return subject_of(one) == what; }) == 0) {
      throw InputError(fmt::format("{} was not changed here", what));
    }
  }
  require_few(list);
  return list;
}

}  // namespace fatwood::serve
