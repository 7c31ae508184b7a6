// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Who counts. A host is one sender and one receiver: an adapter with all of its connected ports, so
// a card with two ports, or a node of a tree with w1 > 1 or p1 > 1, is one host with several
// terminals. Adapters inside switches (aggregation nodes) are not hosts unless asked for.
//
// Encoding: hosts are numbered in order of their adapters; the terminals of a host follow each
// other, in order of ports. In a tree with one port a host, host and terminal numbers agree.

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
  // `left_out`: 1 for terminals that belong to no host.
  Adapters(const Fabric& fabric, const Table<Terminal, std::uint8_t>& left_out);

  std::size_t size() const { return first_.size() - 1; }
  // Whether host and terminal numbers agree: every terminal is a host of its own.
  bool are_terminals() const { return are_terminals_; }
  bool one_port_each() const { return terminals_.size() == size(); }

  std::span<const Terminal> terminals(Adapter host) const {
    return {terminals_.data() + first_[index(host)], terminals_.data() + first_[index(host) + 1]};
  }
  Adapter host(Terminal t) const { return host_[t]; }  // kNone: it does not count
  bool counts(Terminal t) const { return host_[t] != kNone<Adapter>; }
  std::uint32_t ports(Adapter host) const { return first_[index(host) + 1] - first_[index(host)]; }
  Node adapter(const Fabric& fabric, Adapter host) const {
    return fabric.adapter(terminals(host).front());
  }
  // The switch that a host with one port is attached to; kNone for any other host.
  Switch leaf(const Fabric& fabric, Adapter host) const {
    return ports(host) == 1 ? fabric.leaf(terminals(host).front()) : kNone<Switch>;
  }
  // The ports that two hosts send by, in equal shares: the i-th to the i-th where both have as
  // many, else each to each.
  std::vector<std::pair<Terminal, Terminal>> port_pairs(Adapter source, Adapter destination) const;
  // Of all hosts, one after the other.
  std::span<const Terminal> all_terminals() const { return terminals_; }

 private:
  std::vector<std::uint32_t> first_ = {0};  // by host, and the end
  std::vector<Terminal> terminals_;
  Table<Terminal, Adapter> host_;
  bool are_terminals_ = true;
};

}  // namespace fatwood
