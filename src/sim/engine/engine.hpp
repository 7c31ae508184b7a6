// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The engine: packets through switches, exact to the flit, with the packet as the event.
//
// Problem: what model.hpp says, for any fabric, routes and workload, at tens of millions of
// flit-hops a second.
// Method: a granted packet streams, so that all its flits' times follow from two lines (see
// model.hpp) and nothing happens between its head and its tail. A packet is put into the next
// input lane when its link starts, with the time at which it may ask; so one request event and
// one link event a hop, and one for the credit. Room and ports that come free are noted as times
// and looked at when somebody asks; only who waits gets an event. Flat arrays of ports and lanes;
// queues are lists through the packets; the requests of an output lane are a bit mask.
// Result: Delivery by delivery to the observer; counters here; a deadlock as a cycle.
// Cost: about 3 events a packet-hop; 160 bytes a port with one lane, 96 more for each other lane.

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
  std::uint32_t message;  // how many messages the source had begun before
  std::uint32_t packet;   // number within its message
  std::uint32_t flits;
  Time created;    // the message
  Time started;    // first flit on the wire
  Time delivered;  // last flit taken in
  bool last;       // the message is complete; of several in one tick, any is the one

  friend bool operator==(const Delivery&, const Delivery&) = default;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void delivered(const Delivery& delivery) = 0;
};

// A packet that can't move: the buffer it holds, first of its lane, and the one it wants.
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
// Each wants what the next holds; the last what the first holds.
using Deadlock = std::vector<Wait>;

struct Counters {
  std::uint64_t flits_injected = 0;  // into an adapter's output buffer
  std::uint64_t flits_delivered = 0;
  std::uint64_t packets_delivered = 0;
  std::uint64_t messages_begun = 0;
  std::uint64_t messages_delivered = 0;
  std::uint64_t packets_discarded = 0;  // while tables change: no route
  std::uint64_t flits_discarded = 0;
  std::uint64_t packets_looping = 0;  // while tables change: came to some switch twice
  std::uint64_t flit_hops = 0;        // flits through a switch
  std::uint64_t events = 0;
};

class Engine {
 public:
  // REQUIRES: all references outlive the engine.
  Engine(const Network& network, const Model& model, const Routes& routes, PathChoice choice,
         std::uint64_t seed, Workload& workload, Observer& observer);

  // Runs until after tick `until`, or no event is left.
  void run(Time until);
  Time now() const { return wheel_.now(); }
  bool idle() const { return wheel_.empty(); }
  Time last_delivery() const { return last_delivery_; }
  const Counters& counters() const { return counters_; }
  std::uint64_t flits_sent(std::uint32_t port) const { return ports_[port].sent; }

  // The first packet that came to more switches than there are (than 250 on larger fabrics).
  struct Pair {
    Endpoint source, dest;
  };
  std::optional<Pair> first_looping() const { return first_looping_; }

  // A cycle of packets that can never move again, if there is one now. Exact: packets that only
  // wait for others that move are not in it. Cost: O(lanes of all ports).
  std::optional<Deadlock> deadlock() const;
  // "" or what does not balance: flits injected = delivered + in buffers and on wires; and on each
  // lane credits + credits under way + what the receiver holds = its buffer.
  std::string imbalance() const;
  std::size_t bytes() const;

 private:
  enum class Kind : std::uint64_t {
    kRequest,    // input lane, packet: it asks for its output lane
    kCredit,     // output lane, flits
    kArbitrate,  // output lane
    kTransmit,   // port
    kFeed,       // end-point: the adapter looks for the next packet
    kSent,       // end-point: its message is on the wire
    kDeliver     // packet
  };
  struct alignas(64) Packet {
    Time ready;             // in an input lane: R; in an output lane: may start
    Time started;           // on the source's link
    std::uint32_t next;     // in its lane
    std::uint32_t message;  // pool index
    std::uint32_t dest;
    std::uint32_t wants;   // output lane asked for
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
    bool discarded = false;  // one of its packets was
  };
  struct alignas(32) InLane {
    std::uint32_t head, tail;
    Time read_free;
    std::uint32_t flit_ticks;  // of the link that fills it
    std::uint32_t latency;     // of that link, for the credit's way back
    std::uint32_t sender;      // output lane
  };
  struct alignas(64) OutLane {
    std::uint32_t head, tail;
    std::uint32_t used;  // flits, with the packet that is leaving
    std::uint32_t credits;
    Time write_free;
    Time wake_at;  // an arbitration is planned then
    std::uint64_t mask;
    std::uint32_t turn;      // next asking input lane to look at
    std::uint32_t requests;  // how many ask
  };
  struct alignas(64) Port {
    Time link_free;
    Time try_at;  // a transmission is planned then
    std::uint64_t sent;
    std::uint32_t flit_ticks, latency, peer, owner, first;
    std::uint32_t endpoint;       // whose adapter this is, or kNil
    std::uint32_t peer_endpoint;  // whose adapter is at the other end, or kNil
    std::uint16_t leaving_flits;  // on the link until link_free, still in the buffer
    std::uint16_t filled;         // lanes with a packet
    std::uint16_t sl_to_vl;
    std::uint8_t leaving_lane;
    bool unlimited;  // a switch's port to a receiver that takes in any number at once
  };
  struct Turns {  // weighted round robin of a port's lanes, by priority
    std::array<std::uint8_t, 2> lane{};
    std::array<std::int64_t, 2> left{};
    std::uint64_t high_run = 0;
  };
  struct Source {  // and sink: the adapter of an end-point
    Time adapter_free = 0;
    Time sink_free = 0;
    Time feed_at = -1;  // a look for the next packet is planned then
    std::uint64_t flits_left = 0;
    std::uint32_t ticks = 0;       // y
    std::uint32_t message = kNil;  // being cut into packets
    std::uint32_t messages = 0;    // begun
    std::uint32_t packet = 0;      // next number
    std::uint32_t turn = 0;        // round robin over paths
    Itinerary route;               // of the next packet
    std::uint8_t service_level = 0;
    bool path_chosen = false;
    bool blocked = false;  // the output buffer has no room
  };

  static constexpr std::uint32_t kPathStream = 1;
  static constexpr std::size_t kMostCounted = 250;  // switches a packet passes

  // Requests whose output is known and on its way into the cache. They ask a few events later: the
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
  struct Burst {  // of bounded entries: the port that was last taken, and when
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
  const Time crossbar_ticks_;  // 0: without limit
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
  std::vector<Random> random_;  // one a source
  std::vector<SlToVl> sl_to_vl_;
  HugeVector<Packet> packets_;
  HugeVector<Message> messages_;
  std::uint32_t free_packet_ = kNil, free_message_ = kNil;
  std::vector<TimeWheel::Event> now_;  // of this tick
  std::array<Asking, kAhead> asking_{};
  std::size_t num_asking_ = 0;  // this tick, those that asked already included
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
