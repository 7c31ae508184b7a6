// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The next hop of a packet: from forwarding tables of any engine or dump, source routes, the paths
// of an algebraic routing, or an adaptive choice among shortest paths. Adaptive tables have groups
// of ports from which a switch chooses as the entry says (engine_choice.cpp).
//
// A pair has `paths` paths (the 2^lmc addresses of a terminal, or the K paths of an algebraic
// routing). The source chooses one per packet or message and writes it into the packet's Itinerary.
// A switch finds the output from the itinerary alone.
// Tables can change while packets are in flight (change_tables): each switch is written at its own
// time, and a packet reads the entry when it requests an output. An entry without a next hop
// discards the packet.
// All runs of a sweep share the routes; times of writing are set before a run.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "routing/algebraic/algebraic.hpp"
#include "routing/tables/routing.hpp"
#include "sim/engine/network.hpp"
#include "topology/recognise/complete_tree.hpp"

namespace fatwood::sim {

// Round robin continues from message to message of a source, whatever the destination. In order:
// packet n of a message takes path n mod paths, so every message starts with the first path.
enum class PathChoice : std::uint8_t {
  kRandomPerPacket,
  kRoundRobinPerPacket,
  kInOrderPerPacket,
  kRandomPerMessage,
  kRoundRobinPerMessage,
};

inline constexpr std::size_t kMaxInlineHops = 15;

// From this tick on, the switch uses these tables of a list.
struct TableChange {
  Time at = 0;
  std::uint32_t owner = 0;
  std::uint32_t tables = 0;

  friend bool operator==(const TableChange&, const TableChange&) = default;
};

// The routing state that a packet carries.
struct Itinerary {
  union {
    std::uint32_t at = 0;                   // row of the tables, or index in the source routes
    std::array<Port, kMaxInlineHops> port;  // algebraic routing: output at each switch
  };
  std::uint8_t hop = 0;   // switches passed; for tables only while they change, at most 255
  std::uint8_t lane = 0;  // assigned by the routing; added to the service level of the class
};

class Routes {
 public:
  // REQUIRES that the arguments outlive the routes.
  static Routes by_tables(const Network& network, const Routing& routing);
  // `tree`: maps the places of the routing's tree to the fabric; nullptr: numbers are equal.
  static Routes by_paths(const Network& network, const AlgebraicRouting& routing,
                         const CompleteTree* tree = nullptr);
  // Each switch chooses the shortest queue among the outputs on shortest paths.
  static Routes adaptive(const Network& network);

  // The tables of the routing have number 0, with which every switch starts; tables[i] has number
  // i + 1. REQUIRES routes by tables with one port per entry, tables of the same size and LMC, on
  // one lane.
  void change_tables(std::vector<ForwardingTables> tables, std::vector<TableChange> changes);
  bool changes() const { return !later_.empty(); }

  bool is_adaptive() const { return kind_ == Kind::kAdaptive; }
  // For adaptive tables, otherwise nullptr: itinerary.at is the destination.
  const PortSets* sets() const { return sets_; }
  unsigned lanes() const { return lanes_; }

  // The number of paths of (s, d). REQUIRES s != d.
  std::uint32_t paths(Endpoint s, Endpoint d) const;
  Itinerary itinerary(Endpoint s, Endpoint d, std::uint32_t path) const;

  // The output port (of the network) at switch `owner`, whose port 0 is `first`, in this tick.
  // While tables change: kNil if the entry leads neither to a switch nor to `dest`. REQUIRES
  // !is_adaptive().
  std::uint32_t output(Itinerary& route, std::uint32_t owner, std::uint32_t first,
                       std::uint32_t dest, Time t) const {
    switch (kind_) {
      case Kind::kTables:
        if (!later_.empty()) [[unlikely]]
          return changing_output(route, owner, dest, t);
        return first + index(next_[std::size_t{route.at} * switches_ + owner]);
      case Kind::kPaths:
        return first + index(route.port[route.hop++]);
      default:
        return source_output(route, dest);
    }
  }
  // The outputs on shortest paths from this switch to the endpoint.
  void candidates(std::uint32_t owner, std::uint32_t dest, std::vector<std::uint32_t>& out) const;

  // InputError, with the pair, if two terminals or two switches have no route. Terminals: the pairs
  // of ports that hosts use (Adapters::port_pairs), or any two, if a trace may name ports.
  enum class Between : std::uint8_t { kPortPairs, kAnyPorts };
  void check_terminals(const Fabric& fabric, Between between = Between::kPortPairs) const;
  void check_switches(const Fabric& fabric) const;

 private:
  enum class Kind : std::uint8_t { kTables, kSourceRoutes, kPaths, kAdaptive };
  explicit Routes(const Network& network) : network_(&network), switches_(network.switches) {}
  // The place of a terminal in the tree of an algebraic routing.
  std::uint32_t place(Endpoint terminal) const {
    return tree_ == nullptr ? index(terminal)
                            : tree_->place(static_cast<Terminal>(index(terminal)));
  }
  Itinerary path_itinerary(std::uint32_t from, std::uint32_t to, std::uint32_t path) const;
  std::uint32_t source_output(Itinerary& route, std::uint32_t dest) const;
  std::uint32_t changing_output(Itinerary& route, std::uint32_t owner, std::uint32_t dest,
                                Time t) const;
  void check_choices(const Fabric& fabric, std::span<const Destination> destinations,
                     std::span<const std::uint32_t> sources) const;
  void check_sources(const Fabric& fabric, std::uint32_t destination, std::uint32_t dest,
                     std::span<const std::uint32_t> sources,
                     std::vector<std::uint32_t>& reached) const;

  Kind kind_ = Kind::kTables;
  const Network* network_;
  std::size_t switches_;
  const Port* next_ = nullptr;
  const Routing* routing_ = nullptr;
  const AlgebraicRouting* algebraic_ = nullptr;
  const CompleteTree* tree_ = nullptr;  // for an algebraic routing on a fabric with other numbers
  const PortSets* sets_ = nullptr;
  unsigned lanes_ = 1;
  std::vector<std::uint8_t> distance_;       // adaptive: [switch][switch] hops
  std::vector<ForwardingTables> later_;      // tables that switches change to
  std::vector<TableChange> changes_;         // by switch, then time
  std::vector<std::uint32_t> first_change_;  // by switch, and the end
};

}  // namespace fatwood::sim
