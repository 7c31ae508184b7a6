// SPDX-License-Identifier: BSD-3-Clause
#include "io/lists/fault_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "io/base/input.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kSpace = " \t";

struct FaultWord {
  std::string_view word;
  FaultKind kind;
  std::string_view done;
};
constexpr FaultWord kWords[] = {{"cut", FaultKind::kCut, "cut"},
                                {"remove", FaultKind::kRemove, "removed"},
                                {"speed", FaultKind::kSpeed, "changed, and its rate"},
                                {"add", FaultKind::kAdd, "added"}};

std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || kSpace.find(line[at - 1]) != std::string_view::npos) {
      line = line.substr(0, at);
      break;
    }
  }
  return line.substr(0, line.find_last_not_of(kSpace) + 1);
}

}  // namespace

std::vector<FaultRequest> read_faults(Input& input) {
  std::vector<FaultRequest> orders;
  while (const std::optional<std::string_view> next = input.next_line()) {
    const std::string_view line = without_comment(*next);
    const std::size_t begin = line.find_first_not_of(kSpace);
    if (begin == std::string_view::npos) continue;
    const std::size_t end = std::min(line.find_first_of(kSpace, begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    const auto* const kind = std::ranges::find(kWords, word, &FaultWord::word);
    if (kind == std::end(kWords)) {
      throw InputError(
          input.at(begin + 1),
          fmt::format("expected \"cut\", \"remove\", \"speed\" or \"add\", found \"{}\"", word));
    }
    const std::size_t what = line.find_first_not_of(kSpace, end);
    if (what == std::string_view::npos) {
      throw InputError(input.at(end + 1), fmt::format("expected what is to be {}", kind->done));
    }
    orders.push_back({kind->kind, std::string(line.substr(what)), input.at(what + 1)});
  }
  return orders;
}

std::vector<FaultRequest> read_faults(const std::string& path) {
  Input input(path);
  return read_faults(input);
}

}  // namespace fatwood
