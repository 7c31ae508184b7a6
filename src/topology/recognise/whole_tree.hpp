// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric that is a whole XGFT or PGFT, whatever its numbering: which terminal and which channel
// of it stands at each place of the canonical tree. Algebraic routings compute with canonical
// numbers; this carries them over. A generated tree is its own canonical form.

#include <optional>
#include <vector>

#include "topology/adapters.hpp"

namespace fatwood {

struct Recognition;

struct WholeTree {
  TreeShape shape;
  // Empty in a generated tree: everything stands at its own number.
  std::vector<Terminal> terminals;        // by canonical terminal
  Table<Terminal, std::uint32_t> places;  // and back
  std::vector<Channel> channels;          // by canonical channel (slot of make_tree's fabric)

  bool generated() const { return terminals.empty(); }
  Terminal terminal_at(std::uint32_t place) const {
    return generated() ? static_cast<Terminal>(place) : terminals[place];
  }
  std::uint32_t place(Terminal t) const { return generated() ? index(t) : places[t]; }
  Channel channel_at(Channel canonical) const {
    return generated() ? canonical : channels[index(canonical)];
  }
};

// Of a fabric that was read. Nothing when it is not a whole tree, has hosts besides, or hosts with
// several ports. Cost: O(ports).
std::optional<WholeTree> whole_tree(const Fabric& fabric, const Adapters& adapters,
                                    const Recognition& known);

}  // namespace fatwood
