// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The fabric as the simulator uses it: one flat array of ports, with times in ticks.
//
// Ports 0 .. channels-1 are the slots of the fabric. Port channels + s is the adapter behind port 0
// of switch s, connected to that slot. An endpoint is a terminal (number t) or a switch (number
// terminals + s). Unconnected slots have no peer and are never used.
// All runs of a sweep share it; it never changes. Cost: O(ports).

#include <cstdint>
#include <vector>

#include "sim/engine/model.hpp"
#include "sim/engine/time_wheel.hpp"
#include "topology/adapters.hpp"

namespace fatwood::sim {

enum class Endpoint : std::uint32_t {};

inline constexpr std::uint32_t kNil = 0xffffffffU;

struct NetPort {
  std::uint32_t peer = kNil;
  std::uint32_t owner = kNil;       // switch number; kNil for an adapter
  std::uint32_t first = 0;          // port 0 of the switch
  std::uint32_t endpoint = kNil;    // of an adapter's port
  std::uint32_t flit_ticks = 0;     // of the channel that leaves here
  std::uint32_t latency = 0;        // ticks
  std::uint32_t adapter_ticks = 0;  // y, for an adapter's port
  std::uint32_t sl_to_vl = 0;       // number of the map
};

struct Network {
  std::vector<NetPort> ports;
  std::vector<std::uint32_t> endpoint_port;  // by endpoint: the port of its adapter
  std::vector<std::uint32_t> leaf;           // by endpoint: its switch, or kNil
  std::vector<std::uint32_t> switch_first;   // by switch: its port 0
  std::vector<std::uint32_t> switch_ports;   // slots, port 0 included
  Adapters adapters;                         // counted ones
  std::size_t channels = 0;                  // of the fabric
  std::size_t terminals = 0;
  std::size_t switches = 0;
  std::uint32_t cycle = 1;           // ticks of a flit on the fastest link
  std::uint32_t switch_latency = 0;  // ticks
  std::uint32_t crossbar_ticks = 0;  // x
  double tick_seconds = 0;
  double cycle_seconds() const { return tick_seconds * cycle; }

  std::size_t endpoints() const { return terminals + switches; }
  Endpoint endpoint(Terminal t) const { return static_cast<Endpoint>(fatwood::index(t)); }
  Endpoint endpoint(Switch s) const { return static_cast<Endpoint>(terminals + fatwood::index(s)); }
  bool is_terminal(Endpoint e) const { return fatwood::index(e) < terminals; }
  // Calls visit(switch) for each cable of a switch to a switch.
  template <class Visit>
  void each_neighbour(std::uint32_t s, const Visit& visit) const {
    for (std::uint32_t p = switch_first[s]; p < switch_first[s] + switch_ports[s]; ++p) {
      const std::uint32_t peer = ports[p].peer;
      if (peer != kNil && ports[peer].owner != kNil) visit(ports[peer].owner);
    }
  }
  // Whether this is a switch's port with an adapter at the other end.
  bool leads_to_receiver(std::uint32_t port) const {
    return ports[port].owner != kNil && ports[port].peer != kNil &&
           ports[ports[port].peer].endpoint != kNil;
  }
};

// InputError if the model is impossible: buffers smaller than a packet, lanes out of range, maps to
// lanes that do not exist, speeds without a common measure.
Network make_network(const Fabric& fabric, const Model& model, Adapters adapters);
// Every terminal counts.
inline Network make_network(const Fabric& fabric, const Model& model) {
  return make_network(fabric, model, Adapters(fabric));
}

// "H3", "S2_7[4]", "S2_7 port 0".
std::string port_text(const Fabric& fabric, const Network& network, std::uint32_t port);
std::string endpoint_text(const Fabric& fabric, const Network& network, Endpoint e);

}  // namespace fatwood::sim
