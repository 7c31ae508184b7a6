// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The adapters that send and receive. An Adapter is one sender and one receiver with all its
// connected ports: a card with two ports, or a node of a tree with w1 > 1 or p1 > 1, is one adapter
// with several terminals. Adapters inside switches (aggregation nodes) count only on request.
//
// Numbering: in order of nodes. The terminals of an adapter are consecutive, in order of ports.
// With one port per adapter, and none left out, adapter and terminal numbers are equal.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "topology/fabric.hpp"

namespace fatwood {

class Adapters {
 public:
  Adapters() = default;
  // Every terminal counts.
  explicit Adapters(const Fabric& fabric)
      : Adapters(fabric, Table<Terminal, std::uint8_t>(fabric.num_terminals())) {}
  // `left_out`: 1 for terminals that do not count.
  Adapters(const Fabric& fabric, const Table<Terminal, std::uint8_t>& left_out);

  std::size_t size() const { return first_.size() - 1; }
  bool one_port_each() const { return terminals_.size() == size(); }

  std::span<const Terminal> terminals(Adapter adapter) const {
    return {terminals_.data() + first_[index(adapter)],
            terminals_.data() + first_[index(adapter) + 1]};
  }
  Adapter of(Terminal t) const { return of_[t]; }  // kNone: not counted
  bool sends(Terminal t) const { return of_[t] != kNone<Adapter>; }
  std::uint32_t ports(Adapter adapter) const {
    return first_[index(adapter) + 1] - first_[index(adapter)];
  }
  Node node(const Fabric& fabric, Adapter adapter) const {
    return fabric.adapter_node(terminals(adapter).front());
  }
  // The switch of an adapter with one port; kNone for any other adapter.
  Switch leaf(const Fabric& fabric, Adapter adapter) const {
    return ports(adapter) == 1 ? fabric.leaf(terminals(adapter).front()) : kNone<Switch>;
  }
  // The pairs of ports over which two adapters send, in equal shares: port i to port i if both have
  // equally many, otherwise each to each.
  std::vector<std::pair<Terminal, Terminal>> port_pairs(Adapter source, Adapter destination) const;
  // The terminals of all adapters, consecutively.
  std::span<const Terminal> all_terminals() const { return terminals_; }

 private:
  std::vector<std::uint32_t> first_ = {0};  // by adapter, and the end
  std::vector<Terminal> terminals_;
  Table<Terminal, Adapter> of_;
};

}  // namespace fatwood
