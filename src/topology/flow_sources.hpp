// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All-to-all: every adapter sends 1 to every other. How much of it do the terminals on each switch
// send to a given end port?
//
// Two adapters divide their flow equally over the pairs of ports (Adapters::port_pairs) that cables
// connect: port j to port j if both have equally many, otherwise each to each.
//
// Method: adapters are alike if their ports are in the same components, in the same order. A kind
// is one port of a class of alike adapters. What one port sends to another depends only on their
// kinds.
//
// Accuracy: a flow has as many units as the least common multiple of all numbers of pairs, so
// shares are integers. With many different numbers of ports this may exceed 31 bits (times the
// number of adapters). Then a flow has as many units as fit, shares are rounded, and exact() is
// false. Cost: O(terminals) for each kind of port.

#include <cstdint>
#include <vector>

#include "core/table.hpp"
#include "topology/model.hpp"

namespace fatwood {

// The different numbers of port pairs that share a flow between adapters, ascending.
std::vector<std::int64_t> pairs_of_ports(const Model& model);

// Switches with hosts that count, ascending.
std::vector<std::uint32_t> sending_switches(const Model& model);

class FlowSources {
 public:
  explicit FlowSources(const Model& model);
  // on() counts only terminals that take part; `takes_part` is by terminal.
  FlowSources(const Model& model, const Table<Terminal, std::uint8_t>& takes_part);

  std::uint64_t units_in_one() const { return units_; }
  bool exact() const { return exact_; }
  std::uint32_t num_kinds() const { return kinds_; }
  // REQUIRES a terminal that counts.
  std::uint32_t kind(Terminal t) const { return kind_[t]; }
  // The traffic of one port to a port of another adapter, by their kinds.
  std::uint64_t units(std::uint32_t from, std::uint32_t to) const {
    return units_by_kind_[std::size_t{from} * kinds_ + to];
  }
  // REQUIRES a terminal that counts.
  const Table<Switch, std::uint64_t>& on(Terminal destination) const {
    return on_[kind(destination)];
  }
  std::uint64_t from_itself(Terminal destination) const {
    return units(kind(destination), kind(destination));
  }

 private:
  std::uint64_t units_ = 1;
  bool exact_ = true;
  std::uint32_t kinds_ = 0;
  std::vector<std::uint64_t> units_by_kind_;  // [from][to]
  Table<Terminal, std::uint32_t> kind_;
  std::vector<Table<Switch, std::uint64_t>> on_;  // by kind
};

// Computes what end ports send from the addresses that their switches reach.
class SentByPorts {
 public:
  explicit SentByPorts(const Fabric& fabric, const FlowSources& sources)
      : reached_(fabric.num_switches() * sources.num_kinds()), kinds_(sources.num_kinds()) {}

  // A switch reaches `addresses` addresses of ports of this kind.
  void add(std::uint32_t s, std::uint32_t kind, std::uint64_t addresses = 1) {
    reached_[s * kinds_ + kind] += addresses;
  }
  void add(const SentByPorts& other) {
    for (std::size_t i = 0; i < reached_.size(); ++i) reached_[i] += other.reached_[i];
  }
  // `own`: how many of the port's own addresses are among those that its leaf reaches (a port sends
  // nothing to itself). REQUIRES a counted terminal with a leaf.
  std::uint64_t sent(const Fabric& fabric, const FlowSources& sources, Terminal t,
                     std::uint64_t own) const;

 private:
  std::vector<std::uint64_t> reached_;  // [switch][kind]
  std::size_t kinds_;
};

}  // namespace fatwood
