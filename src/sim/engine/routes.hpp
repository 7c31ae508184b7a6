// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The next hop of a packet: forwarding tables of any engine or dump, source routes, the paths of an
// oblivious routing in closed form, or an adaptive choice among shortest ways. Adaptive tables have
// groups of ports, of which the switch chooses as the entry says (engine_choice.cpp).
//
// A pair has `paths` ways (the 2^lmc addresses of a terminal, the K paths of an oblivious
// routing); the source picks one for each packet or message, and writes it into the packet's
// Itinerary. A switch then finds the output from the itinerary alone.
// Tables can change while packets fly (change_tables): each switch is written at its own time, and
// a packet reads the entry when it asks for an output. An entry that leads nowhere discards it.
// Shared, unchanged, by all runs of a sweep.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "routing/closed/oblivious.hpp"
#include "routing/tables/routing.hpp"
#include "sim/engine/network.hpp"
#include "topology/recognise/whole_tree.hpp"

namespace fatwood::sim {

// Turns go on from message to message of a source, whoever they are for. In order, packet n of a
// message takes path n mod paths of the list, so that every message starts with the first path.
enum class PathChoice : std::uint8_t {
  kRandomPerPacket,
  kRoundRobinPerPacket,
  kInOrderPerPacket,
  kRandomPerMessage,
  kRoundRobinPerMessage,
};

inline constexpr std::size_t kMaxInlineHops = 15;

// From this tick on the switch forwards by these tables of a list.
struct TableChange {
  Time at = 0;
  std::uint32_t owner = 0;
  std::uint32_t tables = 0;

  friend bool operator==(const TableChange&, const TableChange&) = default;
};

// The routing state that a packet carries.
struct Itinerary {
  std::uint32_t at = 0;   // row of the tables, or place in the source routes
  std::uint8_t hop = 0;   // switches passed; of tables only while they change, 255 at most
  std::uint8_t lane = 0;  // that the routing assigns; the service level is the class's plus it
  std::array<Port, kMaxInlineHops> port{};  // closed form: output at each switch
};

class Routes {
 public:
  // REQUIRES: what is passed outlives the routes.
  static Routes by_tables(const Network& network, const Routing& routing);
  // `tree`: where the fabric has the places of the routing's tree; null: at their own numbers.
  static Routes by_paths(const Network& network, const ObliviousRouting& routing,
                         const WholeTree* tree = nullptr);
  // Least-queued among the outputs on shortest ways, chosen in each switch.
  static Routes adaptive(const Network& network);

  // The tables of the routing come first, tables[i] is number i + 1; every switch starts with 0.
  // REQUIRES routes by tables with one port per entry, tables of the same size and LMC, on one
  // lane.
  void change_tables(std::vector<ForwardingTables> tables, std::vector<TableChange> changes);
  bool changes() const { return !later_.empty(); }

  bool is_adaptive() const { return kind_ == Kind::kAdaptive; }
  // Of adaptive tables, else null: itinerary.at is the destination.
  const PortSets* sets() const { return sets_; }
  unsigned lanes() const { return lanes_; }
  bool reaches_switches() const { return kind_ != Kind::kPaths; }

  // The number of paths of (s, d). REQUIRES s != d.
  std::uint32_t paths(Endpoint s, Endpoint d) const;
  Itinerary itinerary(Endpoint s, Endpoint d, std::uint32_t path) const;

  // The output port (of the network) at the switch with this number, whose port 0 is `first`, in
  // this tick. While tables change: kNil where the entry does not lead to a switch or to `dest`.
  // REQUIRES !is_adaptive().
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
  // The outputs on shortest ways from this switch to the end-point.
  void candidates(std::uint32_t owner, std::uint32_t dest, std::vector<std::uint32_t>& out) const;

  // InputError naming a pair that has no route: of two terminals, or of two switches. Terminals:
  // those that hosts send by (Adapters::port_pairs), or any two, where a trace may name ports.
  enum class Between : std::uint8_t { kPortPairs, kAnyPorts };
  void check_terminals(const Fabric& fabric, Between between = Between::kPortPairs) const;
  void check_switches(const Fabric& fabric) const;

 private:
  enum class Kind : std::uint8_t { kTables, kSourceRoutes, kPaths, kAdaptive };
  explicit Routes(const Network& network) : network_(&network), switches_(network.switches) {}
  // Of a terminal, in the tree of a closed form.
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
  const ObliviousRouting* oblivious_ = nullptr;
  const WholeTree* tree_ = nullptr;  // of a closed form on a fabric with other numbers
  const PortSets* sets_ = nullptr;
  unsigned lanes_ = 1;
  std::vector<std::uint8_t> distance_;       // adaptive: [switch][switch] hops
  std::vector<ForwardingTables> later_;      // that switches change to
  std::vector<TableChange> changes_;         // by switch, then time
  std::vector<std::uint32_t> first_change_;  // by switch, and the end
};

}  // namespace fatwood::sim
