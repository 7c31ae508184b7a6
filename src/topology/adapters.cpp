// SPDX-License-Identifier: BSD-3-Clause
#include "topology/adapters.hpp"

namespace fatwood {

Adapters::Adapters(const Fabric& fabric, const Table<Terminal, std::uint8_t>& left_out)
    : of_(fabric.num_terminals(), kNone<Adapter>) {
  Node open = kNone<Node>;  // of the last adapter
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (left_out[t] != 0) continue;
    if (fabric.adapter_node(t) != open) {
      open = fabric.adapter_node(t);
      first_.push_back(first_.back());
    }
    of_[t] = static_cast<Adapter>(size() - 1);
    terminals_.push_back(t);
    ++first_.back();
  }
}

std::vector<std::pair<Terminal, Terminal>> Adapters::port_pairs(Adapter source,
                                                                Adapter destination) const {
  const std::span<const Terminal> from = terminals(source);
  const std::span<const Terminal> to = terminals(destination);
  std::vector<std::pair<Terminal, Terminal>> pairs;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from.size() == to.size()) {
      pairs.emplace_back(from[i], to[i]);
      continue;
    }
    for (const Terminal t : to) pairs.emplace_back(from[i], t);
  }
  return pairs;
}

}  // namespace fatwood
