// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Routes as switches hold them: for each address and switch, an output port.
//
// A destination is a routed address. Terminal t has the 2^lmc destinations t*2^lmc + offset. After
// those of all terminals, each switch has one destination (its port 0).
// Tables are stored as [destination][switch], because most code follows the tree of one
// destination. A row has one byte per switch: the port by which it forwards. kNoRoute (255) means
// no route, as in hardware. kOwnPort (0) means "this switch"; it occurs only where a switch is its
// own destination.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/big_bytes.hpp"
#include "core/ids.hpp"
#include "core/table.hpp"
#include "routing/adaptive/port_sets.hpp"
#include "routing/tables/lane_map.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

// Ports as bytes, for output and for faster comparison.
inline std::span<const std::uint8_t> bytes_of(std::span<const Port> ports) {
  return {reinterpret_cast<const std::uint8_t*>(ports.data()), ports.size()};
}

class ForwardingTables {
 public:
  ForwardingTables() = default;
  ForwardingTables(const ForwardingTables&) = default;
  ForwardingTables(ForwardingTables&&) = default;
  ForwardingTables& operator=(const ForwardingTables&) = default;
  ForwardingTables& operator=(ForwardingTables&&) = default;
  // Not inline: without full optimisation, a vector with an allocator visits every byte.
  ~ForwardingTables();
  ForwardingTables(std::size_t terminals, std::size_t switches, unsigned lmc)
      : terminals_(terminals),
        switches_(switches),
        lmc_(lmc),
        next_(((terminals << lmc) + switches) * switches, kNoRoute) {}

  // Uninitialised entries, for callers that write every byte.
  static ForwardingTables unfilled(std::size_t terminals, std::size_t switches, unsigned lmc) {
    ForwardingTables tables;
    tables.terminals_ = terminals;
    tables.switches_ = switches;
    tables.lmc_ = lmc;
    tables.next_ = BigVector<Port>(((terminals << lmc) + switches) * switches);
    return tables;
  }

  unsigned lmc() const { return lmc_; }
  std::size_t num_terminals() const { return terminals_; }
  std::size_t num_switches() const { return switches_; }
  std::size_t num_destinations() const { return (terminals_ << lmc_) + switches_; }

  Destination destination(Terminal t, std::uint32_t offset = 0) const {
    return static_cast<Destination>((index(t) << lmc_) + offset);
  }
  Destination destination(Switch s) const {
    return static_cast<Destination>((terminals_ << lmc_) + index(s));
  }
  bool is_switch(Destination destination) const {
    return index(destination) >= (terminals_ << lmc_);
  }
  Terminal terminal(Destination destination) const {  // REQUIRES !is_switch(destination)
    return static_cast<Terminal>(index(destination) >> lmc_);
  }
  Switch as_switch(Destination destination) const {  // REQUIRES is_switch(destination)
    return static_cast<Switch>(index(destination) - (terminals_ << lmc_));
  }

  std::span<Port> row(Destination destination) {
    return {next_.data() + std::size_t{index(destination)} * switches_, switches_};
  }
  std::span<const Port> row(Destination destination) const {
    return {next_.data() + std::size_t{index(destination)} * switches_, switches_};
  }
  Port at(Destination destination, Switch s) const { return row(destination)[index(s)]; }

  // All rows, one after the other.
  std::span<const Port> entries() const { return next_; }

  friend bool operator==(const ForwardingTables& a, const ForwardingTables& b) {
    return a.terminals_ == b.terminals_ && a.switches_ == b.switches_ && a.lmc_ == b.lmc_ &&
           std::ranges::equal(bytes_of(a.next_), bytes_of(b.next_));
  }

 private:
  std::size_t terminals_ = 0;
  std::size_t switches_ = 0;
  unsigned lmc_ = 0;
  BigVector<Port> next_;
};

// The switch of a destination, or the destination itself if it is a switch; kNone for a terminal
// without a switch.
inline Switch home_of(const Fabric& fabric, const ForwardingTables& tables,
                      Destination destination) {
  return tables.is_switch(destination) ? tables.as_switch(destination)
                                       : fabric.leaf(tables.terminal(destination));
}

// The right entry at that switch: the port to the terminal, or kOwnPort if the switch is the
// destination.
inline Port own_port(const Fabric& fabric, const ForwardingTables& tables,
                     Destination destination) {
  return tables.is_switch(destination) ? kOwnPort : fabric.leaf_port(tables.terminal(destination));
}

// The service level (SL) of each (source switch, destination). A path depends only on these two, so
// all terminals of a leaf have the same SL. Empty if all SLs are 0. SL n uses VL n, unless the
// routing has SL-to-VL tables (Routing::sl2vl). Equal rows are stored once; in LASH, for example,
// all destinations of a switch share a row.
struct Lanes {
  unsigned count = 1;
  std::vector<std::uint32_t> row_of;  // by destination
  std::vector<std::uint8_t> lane;     // [row][switch]
  std::size_t switches = 0;

  bool single() const { return count == 1; }
  unsigned at(Destination destination, Switch source) const {
    if (lane.empty()) return 0;
    return lane[std::size_t{row_of[index(destination)]} * switches + index(source)];
  }
};

// Paths per pair of switches that need not fit forwarding tables (APOT). The channels of pair (s,
// d) are channels[first[s*S+d] .. first[s*S+d+1]).
struct SourceRoutes {
  std::size_t switches = 0;
  std::vector<std::uint32_t> first;
  std::vector<Channel> channels;

  bool empty() const { return first.empty(); }
  std::span<const Channel> at(Switch source, Switch destination) const {
    const std::size_t pair = std::size_t{index(source)} * switches + index(destination);
    return {channels.data() + first[pair], channels.data() + first[pair + 1]};
  }
};

// Unknown table entries: those of switches without a dump, or missing from a dump that was cut
// short. In the tables they are kNoRoute.
class UnknownEntries {
 public:
  bool empty() const { return column_.empty(); }
  bool at(Destination destination, Switch s) const {
    return !column_.empty() && !column_[s].empty() && column_[s][index(destination)];
  }
  // `unknown` by destination; `switches` is the number of all switches.
  void set(std::size_t switches, Switch s, std::vector<bool> unknown) {
    column_.resize(switches);
    column_[s] = std::move(unknown);
  }

 private:
  Table<Switch, std::vector<bool>> column_;  // empty column: all known
};

struct Routing {
  std::string engine = {};       // its name, which route() fills in, or the file of tables
  ForwardingTables tables = {};  // empty (no destinations) if there are only source routes
  Lanes lanes = {};
  LaneMap sl2vl = {};               // SL to VL by ports; empty: SL n uses VL n
  SourceRoutes source_routes = {};  // empty unless the engine routes by pair
  PortSets sets = {};               // empty unless an entry has several ports
  UnknownEntries unknown = {};      // of tables from a file; empty if all are known
  // With several ports: a packet may leave by the port it came by, as IP allows. InfiniBand
  // switches take another port of the group.
  bool may_return = false;

  // All ports that a switch can use for a destination: the port of the tables, or those of a set.
  std::span<const Port> ports(Switch s, Destination destination) const {
    return sets.ports(s, destination, tables.at(destination, s));
  }
};

// Tables together with the model of their fabric. Code that compares tables before and after a
// change takes two of these, because the cables may differ, too.
class Model;
struct PlacedTables {
  const Model& model;
  const ForwardingTables& tables;
};

}  // namespace fatwood
