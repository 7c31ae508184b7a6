// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Maps a fabric that is a complete XGFT or PGFT, whatever its numbering, to the canonical tree: the
// terminal and the channel at each place. Algebraic routings compute with canonical numbers and
// need this map to name real channels. A generated tree is its own canonical form.

#include <optional>
#include <vector>

#include "topology/adapters.hpp"

namespace fatwood {

struct Recognition;

struct CompleteTree {
  TreeShape shape;
  // Empty for a generated tree: each place is its own number.
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

// For a fabric read from a file. No value if it is not a complete tree, has hosts outside the tree,
// or has hosts with several ports. Cost: O(ports).
std::optional<CompleteTree> complete_tree(const Fabric& fabric, const Adapters& adapters,
                                          const Recognition& known);

}  // namespace fatwood
