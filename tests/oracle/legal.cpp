#include "oracle/legal.hpp"

#include <utility>
#include <vector>

namespace fatwood::oracle {

LegalPairs legal_pairs(const Fabric& fabric, const Table<Switch, Level>& level) {
  LegalPairs found;
  std::vector<std::uint64_t> terminals(fabric.num_switches());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) ++terminals[index(fabric.leaf(t))];
  }
  for (const Switch source : ids<Switch>(fabric.num_switches())) {
    // States: (switch, still climbing), searched depth first.
    std::vector<std::pair<Switch, bool>> stack{{source, true}};
    std::vector<char> seen(2 * fabric.num_switches());
    seen[2 * index(source) + 1] = 1;
    while (!stack.empty()) {
      const auto [s, climbing] = stack.back();
      stack.pop_back();
      for (Port port = 1; port <= fabric.ports(fabric.node(s)); ++port) {
        const Channel c = fabric.channel(fabric.node(s), port);
        if (!fabric.connected(c) || !fabric.is_switch(fabric.neighbour(c))) continue;
        const Switch next = fabric.as_switch(fabric.neighbour(c));
        const bool up = std::pair(level[next], next) > std::pair(level[s], s);
        if (up && !climbing) continue;
        char& mark = seen[std::size_t{2} * index(next) + (up ? 1 : 0)];
        if (mark != 0) continue;
        mark = 1;
        stack.push_back({next, up});
      }
    }
    for (const Switch to : ids<Switch>(fabric.num_switches())) {
      if (seen[std::size_t{2} * index(to)] != 0 || seen[std::size_t{2} * index(to) + 1] != 0)
        continue;
      ++found.missing_switch;
      found.missing_terminal += terminals[index(to)];
    }
  }
  return found;
}

}  // namespace fatwood::oracle
