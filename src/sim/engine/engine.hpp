// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The simulation engine: packets through switches, exact to the flit, with one event per packet
// instead of per flit.
//
// Problem: simulate model.hpp for any fabric, routes and workload, at tens of millions of flit-hops
// per second.
// Method: a granted packet streams without gaps, so the times of all its flits follow from two
// lines (see model.hpp), and nothing happens between its head and its tail. When its link starts, a
// packet is put into the next input lane, with the time of its request. So a hop takes one request
// event, one link event, and one for the credit. Freed buffer space and ports are stored as times
// and evaluated on request; only waiting packets get an event. Data: flat arrays of ports and
// lanes; queues are linked lists of packets; the requests of an output lane are a bit mask. Result:
// each Delivery goes to the observer; counters are here; a deadlock is a cycle. Cost: about 3
// events per packet-hop; 160 bytes per port with one lane, 96 for each further lane.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/random.hpp"
#include "sim/engine/huge_vector.hpp"
#include "sim/engine/network.hpp"
#include "sim/engine/routes.hpp"
#include "sim/engine/time_wheel.hpp"
#include "sim/workload/workload.hpp"

namespace fatwood::sim {

// One packet, at its destination.
struct Delivery {
  Endpoint source, dest;
  std::uint32_t message;  // number of messages that the source had begun before
  std::uint32_t packet;   // number within its message
  std::uint32_t flits;
  Time created;    // the message
  Time started;    // first flit on the wire
  Time delivered;  // last flit received
  bool last;       // the message is complete; of several packets in one tick, any may be marked

  friend bool operator==(const Delivery&, const Delivery&) = default;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void delivered(const Delivery& delivery) = 0;
};

// A packet that cannot move: the buffer that it holds, as first of its lane, and the one it wants.
struct Wait {
  Endpoint source, dest;
  std::uint32_t message, packet;
  struct Buffer {
    std::uint32_t port;  // of the network
    unsigned lane;
    bool output;
    friend bool operator==(const Buffer&, const Buffer&) = default;
  } holds, wants;
};
// Each wants what the next one holds, and the last wants what the first holds.
using Deadlock = std::vector<Wait>;

struct Counters {
  std::uint64_t flits_injected = 0;  // into an adapter's output buffer
  std::uint64_t flits_delivered = 0;
  std::uint64_t packets_delivered = 0;
  std::uint64_t messages_begun = 0;
  std::uint64_t messages_delivered = 0;
  std::uint64_t packets_discarded = 0;  // while tables change: no route
  std::uint64_t flits_discarded = 0;
  std::uint64_t packets_looping = 0;  // while tables change: came to a switch twice
  std::uint64_t flit_hops = 0;        // flits through a switch
  std::uint64_t events = 0;
};

class Engine {
 public:
  // REQUIRES: all references outlive the engine.
  Engine(const Network& network, const Model& model, const Routes& routes, PathChoice choice,
         std::uint64_t seed, Workload& workload, Observer& observer);

  // Runs until after tick `until`, or until no event is left.
  void run(Time until);
  Time now() const { return wheel_.now(); }
  bool idle() const { return wheel_.empty(); }
  Time last_delivery() const { return last_delivery_; }
  const Counters& counters() const { return counters_; }
  std::uint64_t flits_sent(std::uint32_t port) const { return ports_[port].sent; }

  // The first packet that visited more switches than there are (or more than 250).
  struct Pair {
    Endpoint source, dest;
  };
  std::optional<Pair> first_looping() const { return first_looping_; }

  // A cycle of packets that can never move again, if there is one now. Exact: packets that wait
  // only for moving packets are not in it. Cost: O(lanes of all ports).
  std::optional<Deadlock> deadlock() const;
  // "", or a description of the imbalance. Flits injected = delivered + in buffers and on wires. On
  // each lane, credits + credits in flight + flits at the receiver = its buffer.
  std::string imbalance() const;
  std::size_t bytes() const;

 private:
  enum class Kind : std::uint64_t {
    kRequest,    // input lane, packet: requests its output lane
    kCredit,     // output lane, flits
    kArbitrate,  // output lane
    kTransmit,   // port
    kFeed,       // end point: the adapter looks for its next packet
    kSent,       // end point: its message is on the wire
    kDeliver     // packet
  };
  struct alignas(64) Packet {
    Time ready;             // in an input lane: R; in an output lane: when it may start
    Time started;           // on the source's link
    std::uint32_t next;     // in its lane
    std::uint32_t message;  // pool index
    std::uint32_t dest;
    std::uint32_t wants;   // requested output lane
    std::uint32_t number;  // in the message
    std::uint16_t flits;
    std::uint8_t service_level;
    bool last_of_message;
    Itinerary route;
  };
  struct Message {
    Time created;
    std::uint32_t source, dest;
    std::uint32_t number;    // at its source
    std::uint32_t packets;   // not delivered yet
    bool discarded = false;  // one of its packets was discarded
  };
  struct alignas(32) InLane {
    std::uint32_t head, tail;
    Time read_free;
    std::uint32_t flit_ticks;  // of the link that fills it
    std::uint32_t latency;     // of that link, for the credit on its return
    std::uint32_t sender;      // output lane
  };
  struct alignas(64) OutLane {
    std::uint32_t head, tail;
    std::uint32_t used;  // flits, including the packet that is leaving
    std::uint32_t credits;
    Time write_free;
    Time wake_at;  // time of the planned arbitration
    std::uint64_t mask;
    std::uint32_t turn;      // next requesting input lane to consider
    std::uint32_t requests;  // number of requests
  };
  struct alignas(64) Port {
    Time link_free;
    Time try_at;  // time of the planned transmission
    std::uint64_t sent;
    std::uint32_t flit_ticks, latency, peer, owner, first;
    std::uint32_t endpoint;       // of this adapter, or kNil
    std::uint32_t peer_endpoint;  // of the adapter at the other end, or kNil
    std::uint16_t leaving_flits;  // on the link until link_free, still in the buffer
    std::uint16_t filled;         // number of lanes with a packet
    std::uint16_t sl_to_vl;
    std::uint8_t leaving_lane;
    bool unlimited;  // a switch's port to a receiver without limit
  };
  struct Turns {  // weighted round robin over a port's lanes, by priority
    std::array<std::uint8_t, 2> lane{};
    std::array<std::int64_t, 2> left{};
    std::uint64_t high_run = 0;
  };
  struct Source {  // the adapter of an end point, which is also a sink
    Time adapter_free = 0;
    Time sink_free = 0;
    Time feed_at = -1;  // time of the planned kFeed
    std::uint64_t flits_left = 0;
    std::uint32_t ticks = 0;       // y
    std::uint32_t message = kNil;  // being split into packets
    std::uint32_t messages = 0;    // begun so far
    std::uint32_t packet = 0;      // next number
    std::uint32_t turn = 0;        // round robin over paths
    Itinerary route;               // of the next packet
    std::uint8_t service_level = 0;
    bool path_chosen = false;
    bool blocked = false;  // the output buffer has no room
  };

  static constexpr std::uint32_t kPathStream = 1;
  static constexpr std::size_t kMostCounted = 250;  // limit of counted switches of a packet

  // Requests whose output is known and being prefetched. They are processed a few events later; the
  // order within a tick does not matter.
  struct Asking {
    std::uint32_t in_lane, packet, output;
  };
  static constexpr std::size_t kAhead = 8;  // events

  void build_ports();
  void tick();
  void take_event(TimeWheel::Event event, Time t);
  void ask_soon(std::uint32_t in_lane, std::uint32_t p, Time t);
  void prefetch(TimeWheel::Event event) const;

  // engine_choice.cpp
  struct Burst {  // for bounded entries: the last port, and when it was used
    std::uint32_t output = kNil;
    Time last = 0;
  };
  std::uint32_t choose_from_group(const Packet& packet, std::uint32_t in_lane, Time t);
  std::uint32_t least_queued_of(std::span<const fatwood::Port> ports, const Packet& packet,
                                std::uint32_t in_port, Time t) const;
  std::uint32_t flits_queued(std::uint32_t output, const Packet& packet, Time t) const;

  // engine_crossbar.cpp
  std::uint32_t output_of(std::uint32_t in_lane, std::uint32_t p, Time t);
  void ask(std::uint32_t in_lane, std::uint32_t p, std::uint32_t output, Time t);
  bool goes_on(std::uint32_t p, std::uint32_t output);
  void discard(std::uint32_t in_lane, std::uint32_t p, Time t);
  std::uint32_t least_queued(const Packet& packet, std::uint32_t owner, Time t) const;
  void arbitrate(std::uint32_t out_lane, Time t);
  std::uint32_t next_request(std::uint32_t out_lane) const;
  std::uint32_t first_for(std::uint32_t in_lane, std::uint32_t out_lane) const;
  void grant(std::uint32_t in_lane, std::uint32_t p, std::uint32_t out_lane, Time t);
  void unlink(std::uint32_t in_lane, std::uint32_t p, Time read);
  void take_from_lane(std::uint32_t in_lane, std::uint32_t p, Time read);
  void plan_arbitrate(std::uint32_t out_lane, Time at);

  // engine_link.cpp
  void append_out(std::uint32_t p, std::uint32_t out_lane, Time ready, Time t);
  void transmit(std::uint32_t port_index, Time t);
  void transmit_one_of(std::uint32_t port_index, Time t);
  unsigned weighted_turn(std::uint32_t port_index, unsigned eligible);
  void start(std::uint32_t port_index, unsigned lane_number, Time t, Time now);
  void plan_transmit(std::uint32_t port, Time at, Time t);
  void release_leaving(std::uint32_t port_index, Time t) {
    Port& port = ports_[port_index];
    if (port.leaving_flits == 0 || port.link_free > t) return;
    out_[(port_index << shift_) | port.leaving_lane].used -= port.leaving_flits;
    port.leaving_flits = 0;
  }

  // engine_adapter.cpp
  void feed(std::uint32_t endpoint, Time t);
  void begin_message(std::uint32_t endpoint, Time t);
  void choose_path(std::uint32_t endpoint);
  void send_packet(std::uint32_t endpoint, std::uint32_t out_lane, std::uint32_t flits, Time t);
  void left_adapter(Packet& packet, std::uint32_t endpoint, Time link_free, Time t);
  void take_in(std::uint32_t p, std::uint32_t out_lane, Time head);
  void take_in_at_once(std::uint32_t p, std::uint32_t port_index, Time start);
  void deliver(std::uint32_t p, Time t);
  void plan_feed(std::uint32_t endpoint, Time at);

  void plan(Time at, Kind kind, std::uint32_t id, std::uint32_t amount = 0) {
    wheel_.push(at, (std::uint64_t{amount} << 36) | (static_cast<std::uint64_t>(kind) << 32) | id);
  }
  static Kind kind_of(TimeWheel::Event event) { return static_cast<Kind>((event >> 32) & 0xf); }
  static std::uint32_t id_of(TimeWheel::Event event) { return static_cast<std::uint32_t>(event); }
  static std::uint32_t amount_of(TimeWheel::Event event) {
    return static_cast<std::uint32_t>(event >> 36);
  }
  std::uint64_t* mask_of(std::uint32_t out_lane) {
    return words_ == 1 ? &out_[out_lane].mask : &masks_[std::size_t{out_lane} * words_];
  }

  // engine_check.cpp
  std::uint32_t queued(std::uint32_t head) const;  // flits
  std::uint32_t next_left(std::uint32_t out_lane,
                          const std::vector<std::vector<std::uint32_t>>& in) const;
  std::optional<Deadlock> cycle_of(const std::vector<std::vector<std::uint32_t>>& in,
                                   const std::vector<std::vector<std::uint32_t>>& out) const;

  const Network& net_;
  const Model& model_;
  const Routes& routes_;
  const PathChoice choice_;
  Workload& workload_;
  Observer& observer_;
  const unsigned shift_;  // lane v of port p is (p << shift_) | v
  const std::uint32_t lanes_;
  const Time crossbar_ticks_;  // 0: no limit
  const bool fifo_;            // input lanes keep the order of all packets
  std::uint32_t words_ = 1;
  unsigned high_lanes_ = 0;
  std::vector<std::uint32_t> weight_;

  TimeWheel wheel_;
  HugeVector<Port> ports_;
  HugeVector<InLane> in_;
  HugeVector<OutLane> out_;
  HugeVector<std::uint64_t> masks_;
  HugeVector<Turns> turns_;
  HugeVector<Source> sources_;
  std::vector<Random> random_;  // one per source
  std::vector<SlToVl> sl_to_vl_;
  HugeVector<Packet> packets_;
  HugeVector<Message> messages_;
  std::uint32_t free_packet_ = kNil, free_message_ = kNil;
  std::vector<TimeWheel::Event> now_;  // of this tick
  std::array<Asking, kAhead> asking_{};
  std::size_t num_asking_ = 0;  // in this tick, including those already processed
  std::vector<std::uint32_t> to_feed_, to_arbitrate_, to_transmit_;
  mutable std::vector<std::uint32_t> candidates_;
  std::unordered_map<std::uint64_t, Burst> bursts_;  // by port of arrival and destination
  const std::uint64_t seed_;
  Counters counters_;
  std::optional<Pair> first_looping_;
  bool wants_sent_ = false;
  Time last_delivery_ = 0;
};

}  // namespace fatwood::sim
