// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The state of all ports, lanes, packets and adapters of a running engine, in flat arrays. Its
// parts (engine_part.hpp) share the arrays; each part uses those of its own switches and adapters.
//
// With tens of thousands of nodes the state does not fit the caches, and the time of a hop is the
// number of cache lines that it touches. So a port and its output lanes are adjacent, in one line
// if there is one lane; rarely used data are elsewhere; and data that many links have in common are
// in a LinkKind.

#include <array>
#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "sim/engine/huge_vector.hpp"
#include "sim/engine/network.hpp"
#include "sim/engine/pool.hpp"
#include "sim/engine/routes.hpp"
#include "sim/workload/workload.hpp"

namespace fatwood::sim {

struct LinkKind {
  std::uint32_t flit_ticks = 0;
  std::uint32_t latency = 0;   // ticks
  std::uint16_t far_part = 0;  // part of the engine at the other end
  std::uint16_t sl_to_vl = 0;
  bool unlimited = false;     // the receiver takes any number of packets at once
  bool from_adapter = false;  // otherwise from a switch
  bool to_adapter = false;
  bool early = false;               // see OutPort::early
  std::uint32_t adapter_ticks = 0;  // y of the adapter at either end, if there is one
  friend bool operator==(const LinkKind&, const LinkKind&) = default;
};

struct alignas(64) Packet {
  Time ready;             // in an input lane: R of model.hpp; in an output lane: may start
  Time started;           // on the source's link
  std::uint32_t next;     // in its lane
  std::uint32_t message;  // pool index
  std::uint32_t dest;
  std::uint32_t wants;   // requested output lane
  std::uint32_t number;  // in the message
  std::uint16_t flits;
  std::uint16_t kind;  // of the last link
  std::uint8_t service_level;
  std::uint8_t lane;  // on the last link
  bool last_of_message;
  bool early;  // its credit need not be returned: see OutPort
  Itinerary route;
};
static_assert(sizeof(Packet) == 64);

struct Message {
  Time created;
  std::uint32_t source, dest;
  std::uint32_t number;   // at its source
  std::uint32_t packets;  // not delivered yet
  bool discarded;         // whether one of its packets was discarded
};

using PacketPool = Pool<Packet, &Packet::next>;
using MessagePool = Pool<Message, &Message::number>;

// A port of a switch, as one number: both are of use at the other end of a link.
struct Place {
  std::uint32_t number;
  Place(std::uint32_t owner, std::uint32_t port) : number(owner << 8U | port) {}
  explicit Place(std::uint32_t n) : number(n) {}
  std::uint32_t owner() const { return number >> 8U; }
  std::uint32_t port() const { return number & 0xffU; }
};

// A FIFO lane holds its packets from the start of their link on; other lanes hold those that were
// not granted in the tick of their request.
struct alignas(32) InLane {
  std::uint32_t head, tail;
  Time read_free;
  std::uint32_t sender;  // output lane
  std::uint32_t place;
  std::uint16_t kind;  // of the link that fills it; far_part is the sender's
};

struct OutLane {
  struct Alone {
    std::uint32_t packet, place;
  };
  union {
    std::uint64_t mask;  // input lanes that ask, if they are up to 64
    Alone alone;         // if requests is kAlone
  };
  std::uint32_t head, tail;
  std::uint32_t used;  // flits, including those of the packet that is leaving
  std::uint32_t credits;
  std::uint16_t turn;      // next requesting input lane to consider
  std::uint16_t requests;  // number of requests
  // Within a tick: one request, whose packet is not in the list of its input lane. Nearly all are
  // granted at once, so that most input lanes are never touched.
  static constexpr std::uint16_t kAlone = 0xffff;
  // Only for a port's first lane: when a transmission is planned, as low bits of the tick; 0: none,
  // or unknown. Cleared at that time, so the low bits are enough.
  std::uint32_t try_at;
};

struct OutPort {
  Time link_free;
  std::uint64_t sent;
  std::uint32_t first;          // port 0 of the switch; of an adapter: its endpoint
  std::uint32_t peer;           // Place at the other end; of an adapter there: its endpoint
  std::uint16_t kind;           // of the link that leaves here
  std::uint16_t leaving_flits;  // on the link until link_free, still in the buffer
  std::uint16_t filled;         // lanes with a packet
  std::uint8_t leaving_lane;
  // The credit for the leaving packet comes when the link is free. This is so if there is no
  // latency and the packet is granted in the tick of its request; if it is not, the receiver takes
  // this back in that tick, and returns the credit later. So most credits are no events.
  bool early;
};

// A port, or one of its output lanes.
union alignas(32) Cell {
  OutPort port;
  OutLane lane;
};

// For lanes that wait: an arbitration is planned at wake_at.
struct LaneTimes {
  Time write_free = 0;
  Time wake_at = -1;
};

struct Turns {  // weighted round robin of a port's lanes, by priority
  std::array<std::uint8_t, 2> lane{};
  std::array<std::int64_t, 2> left{};
  std::uint64_t high_run = 0;
};

struct alignas(64) Source {  // the adapter of an endpoint
  Time adapter_free = 0;
  Time feed_at = -1;  // when a check for the next packet is planned
  std::uint64_t flits_left = 0;
  std::uint32_t message = kNil;  // being divided into packets
  std::uint32_t messages = 0;    // messages begun
  std::uint32_t packet = 0;      // number of the next packet
  std::uint32_t port = kNil;     // of the adapter
  Itinerary route;               // of the next packet
  std::uint8_t service_level = 0;
  bool path_chosen = false;
  bool blocked = false;  // the output buffer has no room
};

// Everything that the parts share. All parts read the first block of members; in the second, each
// part owns the data of its switches.
struct EngineState {
  // `part_of`: by port. InputError if links are of more kinds than can be numbered.
  EngineState(const Network& network, const Model& model, const Routes& routes, PathChoice choice,
              std::uint64_t seed, Workload& workload, std::vector<std::uint16_t> part_of,
              unsigned threads);

  std::size_t cell_of_lane(std::uint32_t lane) const {
    return std::size_t{lane >> shift} * stride + 1 + (lane & lane_mask());
  }
  std::uint32_t lane_mask() const { return (1U << shift) - 1; }
  // The input lane that this output lane leads to. REQUIRES a cable.
  std::uint32_t lane_ahead(std::uint32_t lane) const {
    return (net.ports[lane >> shift].peer << shift) | (lane & lane_mask());
  }
  // Lane numbers are padded to a power of two; the padding is no lane.
  bool is_lane(std::uint32_t lane) const { return (lane & lane_mask()) < model.lanes; }
  const OutPort& port(std::uint32_t p) const { return cells[std::size_t{p} * stride].port; }
  const OutLane& out(std::uint32_t lane) const { return cells[cell_of_lane(lane)].lane; }

  const Network& net;
  const Model& model;
  const Routes& routes;
  const PathChoice choice;
  const std::uint64_t seed;
  Workload& workload;
  const unsigned shift;  // lane v of port p is (p << shift) | v
  const std::uint32_t stride;
  std::uint32_t words = 1;  // words of the request mask of an output lane
  unsigned high_lanes = 0;
  std::vector<std::uint32_t> weight;
  std::vector<SlToVl> sl_to_vl;
  std::vector<LinkKind> kinds;
  std::vector<std::uint16_t> part_of;

  HugeVector<Cell> cells;
  HugeVector<InLane> in;
  HugeVector<LaneTimes> times;           // by output lane
  HugeVector<Time> sink_free;            // by endpoint; for adapters with a limited speed
  std::vector<std::uint32_t> path_turn;  // by endpoint: round robin over paths
  HugeVector<std::uint64_t> masks;       // if a switch has more than 64 input lanes
  HugeVector<Turns> turns;               // if there are several lanes
  HugeVector<Source> sources;
  std::vector<Random> random;  // one per source
  PacketPool packets;
  MessagePool messages;

 private:
  void build_ports();
  void build_lanes();
  void set_lanes();
  std::uint16_t kind_number(const LinkKind& kind);
};

// The horizon of most events: a packet on the slowest link, with all latencies.
Time usual_delay(const Network& net, const Model& model);

}  // namespace fatwood::sim
