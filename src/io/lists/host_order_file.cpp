// SPDX-License-Identifier: BSD-3-Clause
#include "io/lists/host_order_file.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "core/text/hostlist.hpp"
#include "io/base/input.hpp"

namespace fatwood {
namespace {

constexpr std::string_view kSpaceOrTab = " \t";

std::string_view hosts_of_line(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const std::size_t first = line.find_first_not_of(kSpaceOrTab);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kSpaceOrTab) - first + 1);
}

bool begins_with_key(std::string_view word, std::string_view key) {
  return word.size() > key.size() && word[key.size()] == '=' &&
         std::equal(key.begin(), key.end(), word.begin(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) ==
                  std::tolower(static_cast<unsigned char>(b));
         });
}

bool is_slurm_line(std::string_view line) {
  return begins_with_key(line, "SwitchName") || begins_with_key(line, "BlockName");
}

// The value of Nodes= in a line of Slurm.
std::optional<std::string_view> nodes_in(std::string_view line) {
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(kSpaceOrTab), line.size());
    const std::string_view word = line.substr(0, end);
    if (begins_with_key(word, "Nodes")) return word.substr(word.find('=') + 1);
    line = line.substr(std::min(line.find_first_not_of(kSpaceOrTab, end), line.size()));
  }
  return std::nullopt;
}

// Of several places of a name, the last.
std::vector<NamedHost> last_places(std::vector<NamedHost> names) {
  std::set<std::string> seen;
  std::vector<NamedHost> kept;
  for (std::size_t i = names.size(); i-- > 0;) {
    if (seen.insert(names[i].name).second) kept.push_back(std::move(names[i]));
  }
  std::ranges::reverse(kept);
  return kept;
}

}  // namespace

KnownHosts read_host_order(const Fabric& fabric, const Hosts& hosts, const std::string& path) {
  Input input{path};
  std::vector<NamedHost> names;
  std::optional<bool> slurm;
  while (const auto line = input.next_line()) {
    std::string_view list = hosts_of_line(*line);
    if (list.empty()) continue;
    if (!slurm) slurm = is_slurm_line(list);
    if (*slurm) {
      const auto nodes = is_slurm_line(list) ? nodes_in(list) : std::nullopt;
      if (!nodes) continue;
      list = *nodes;
    }
    for (std::string& name : expand_hostlist(list, input.at(1))) {
      names.push_back({std::move(name), {input.name(), input.line_number(), 0}});
    }
  }
  if (names.empty()) {
    throw InputError({input.name(), 0, 0},
                     slurm.value_or(false) ? "no SwitchName has Nodes=" : "expected hosts");
  }
  if (slurm.value_or(false)) names = last_places(std::move(names));
  return find_known_hosts(fabric, hosts, names, Repeats::kRefused);
}

}  // namespace fatwood
