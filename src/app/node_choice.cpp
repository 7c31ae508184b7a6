// SPDX-License-Identifier: BSD-3-Clause
#include "app/node_choice.hpp"

#include "core/error.hpp"
#include "io/lists/node_list.hpp"

namespace fatwood {

namespace {

template <class List>
List some(List list, const std::string& file) {
  if (list.empty()) throw InputError({.file = file}, "names no node");
  return list;
}

}  // namespace

std::vector<Terminal> find_terminals(const Fabric& fabric, const NodeChoice& choice,
                                     const char* name) {
  if (!choice.file.empty()) return some(read_terminal_list(fabric, choice.file), choice.file);
  std::vector<Terminal> found;
  if (choice.empty()) return found;
  const TerminalNames names(fabric);
  for (const std::string& word : choice.names) {
    const std::vector<Terminal> some = names.terminals(word, {.file = param(name, word)});
    found.insert(found.end(), some.begin(), some.end());
  }
  return found;
}

std::vector<Switch> find_switches(const Fabric& fabric, const NodeChoice& choice,
                                  const char* name) {
  if (!choice.file.empty()) return some(read_switch_list(fabric, choice.file), choice.file);
  std::vector<Switch> found;
  if (choice.empty()) return found;
  const TerminalNames names(fabric);
  for (const std::string& word : choice.names) {
    found.push_back(names.switch_of(word, {.file = param(name, word)}));
  }
  return found;
}

ModelHints find_hints(const Fabric& fabric, const LevelNodes& levels, const BalanceNodes& balance) {
  ModelHints hints;
  hints.roots = find_switches(fabric, levels.roots, "roots");
  hints.compute = find_terminals(fabric, levels.compute, "compute");
  hints.uncounted = find_terminals(fabric, balance.uncounted, "uncounted");
  const std::vector<Terminal> io = find_terminals(fabric, balance.io, "io");
  hints.uncounted.insert(hints.uncounted.end(), io.begin(), io.end());
  if (balance.count_aggregation) hints.aggregation = Aggregation::kCounted;
  return hints;
}

}  // namespace fatwood
