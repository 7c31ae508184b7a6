// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The ports whose packets are checked for deadlock. The same ports send and receive.

#include <cstdint>
#include <vector>

#include "routing/tables/routing.hpp"
#include "topology/hosts/aggregation.hpp"
#include "verify/reach/endpoint.hpp"

namespace fatwood {

// Three tiers, each including those before it.
enum class Sources : std::uint8_t {
  kHosts,      // terminals outside switches
  kTerminals,  // also aggregation nodes inside switches
  kAll,        // also the switches' own ports
};

class Senders {
 public:
  Senders(const Fabric& fabric, Sources sources)
      : sources_(sources), terminals_(fabric.num_switches()) {
    if (sources == Sources::kHosts) silent_ = aggregation_terminals(fabric);
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      if (fabric.leaf(t) != kNone<Switch> && counts(t)) ++terminals_[fabric.leaf(t)];
    }
  }

  bool switches() const { return sources_ == Sources::kAll; }
  bool counts(Terminal t) const { return silent_.empty() || silent_[t] == 0; }
  bool counts(const ForwardingTables& tables, Destination destination) const {
    return tables.is_switch(destination) ? switches() : counts(tables.terminal(destination));
  }
  // Whether packets start at the switch.
  bool starts_at(Switch s) const { return switches() || terminals_[s] > 0; }
  // If only terminals send: a leaf whose only terminal is the destination sends nothing to it.
  // kNone: there is no such switch.
  Switch silent(const Fabric& fabric, const ForwardingTables& tables,
                Destination destination) const {
    if (switches()) return kNone<Switch>;
    const Switch leaf = fabric.leaf(tables.terminal(destination));
    return leaf != kNone<Switch> && terminals_[leaf] == 1 ? leaf : kNone<Switch>;
  }
  // Only destinations below this number count: switches come last.
  std::size_t destinations(const ForwardingTables& tables) const {
    return tables.num_destinations() - (switches() ? 0 : tables.num_switches());
  }

 private:
  Sources sources_;
  Table<Terminal, std::uint8_t> silent_;  // empty: all count
  Table<Switch, std::uint32_t> terminals_;
};

// The start of a packet: a terminal's port, or a switch's own.
struct Start {
  Switch at;
  Port in;
  Endpoint source;
};

inline std::vector<Start> starts_of(const Fabric& fabric, const Senders& senders) {
  std::vector<Start> starts;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) == kNone<Switch> || !senders.counts(t)) continue;
    starts.push_back({fabric.leaf(t), fabric.leaf_port(t), endpoint(t)});
  }
  if (!senders.switches()) return starts;
  for (const Switch s : ids<Switch>(fabric.num_switches()))
    starts.push_back({s, kOwnPort, endpoint(s)});
  return starts;
}

}  // namespace fatwood
