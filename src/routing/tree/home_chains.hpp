// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The chains that d-mod-k would use if the tree were complete (Chains::kHome). A chain is the path
// on which a destination's traffic comes down (descents.hpp). If chains stay where d-mod-k has
// them, a missing cable moves few of them.
//
// d-mod-k takes the number of a terminal. Here terminals that exist are numbered consecutively: in
// each sub-tree in the order in which jobs get hosts (topology/hosts/job_places.hpp), sub-trees in
// the order of their first host. So neighbouring hosts have different chains, and different ports
// up from every other switch, wherever there are enough, however many hosts are missing.
//
// Special case: the number of terminals of a sub-tree may be no multiple of its number of chains,
// for example if one spine is missing everywhere. If it has more than one for each chain, the
// terminals beyond the largest multiple then start again at the first chain, and do not shift the
// numbers of later sub-trees. So every sub-tree uses its chains in the same order.
// Cost: O(levels) for each terminal, O(terminals * (levels + log terminals)) to count.

#include <span>
#include <vector>

#include "routing/tree/descents.hpp"

namespace fatwood {

class HomeChains {
 public:
  // Terminals with counted 0 have no number. `host_order`: RouteOptions::host_order. The model must
  // outlive it.
  HomeChains(const Model& model, const Table<Terminal, std::uint8_t>& counted,
             std::span<const Terminal> host_order);

  // The chain of a terminal from its leaf upwards, as far as the cables exist; empty if it has no
  // number, or the fabric does not resemble a single tree.
  std::vector<DownStep> of(Terminal t) const;

  // Whether choose() changes rows: switches have parallel cables upwards, or hosts are missing.
  bool chooses() const { return has_parallel_ || turns_; }
  // Every switch takes the port up that d-mod-k takes for this terminal, where the path is as long
  // as before. `rank`: position of each switch in the order in which routes are legal.
  //
  // If more than one host in fifty is missing, leaves have more cables than hosts. With one chain
  // for each host some of these would carry nothing. So the ports of each source leaf are turned by
  // one more than those of the leaf before it: all hosts of a leaf still come from any other leaf
  // on different cables, and all its cables carry the same. Sub-trees turn theirs the same way.
  void choose(Terminal t, const Table<Switch, std::uint32_t>& rank, std::span<Port> row);

 private:
  // Of a sub-tree: the number of its first terminal in the sub-tree above, and in all; its numbers.
  struct SubTree {
    std::uint64_t first = 0, start = 0, size = 0;
  };

  std::vector<Terminal> in_order(const Table<Terminal, std::uint8_t>& counted,
                                 std::span<const Terminal> host_order) const;
  bool has_number(Terminal t) const;
  void set_turns(const std::vector<Terminal>& order);
  void choose_cables_down(Terminal t, std::span<Port> row) const;
  std::uint32_t hops(Switch s, std::span<const Port> row);
  const SubTree& sub(unsigned level, Terminal t) const {
    return sub_[level][map_->terminal_place[t] / map_->shape.M(level)];
  }
  std::vector<std::uint64_t> numbers(Terminal t) const;
  std::uint32_t up_port(unsigned level, std::uint64_t number) const {
    return static_cast<std::uint32_t>(number / map_->shape.W(level) % map_->shape.up_ports(level));
  }
  Channel up(Switch s, std::uint32_t port) const;

  const Fabric& fabric_;
  const TreeMap* map_ = nullptr;  // none: no numbers
  const Model& model_;
  std::vector<std::vector<SubTree>> sub_;  // by level and place; those of level 0 are terminals
  bool has_parallel_ = false, turns_ = false;
  Table<Switch, std::uint32_t> turn_;
  // Of the current terminal:
  Table<Switch, std::uint32_t> hops_, hops_of_;
  std::uint32_t version_ = 0;
};

}  // namespace fatwood
