// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A part of the engine: some switches and their adapters, with a calendar of events. engine.hpp has
// the method. Parts exist because the memory that a part touches in a tick fits the cache; that of
// a large fabric does not.

#include <array>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/engine/engine_state.hpp"
#include "sim/engine/observer.hpp"
#include "sim/engine/time_wheel.hpp"

namespace fatwood::sim {

// Free packets and messages of the parts of one thread.
struct PartCells {
  PacketPool::Own packets;
  MessagePool::Own messages;
};

class EngineThread;

class EnginePart {
 public:
  EnginePart(EngineState& state, unsigned part, EngineThread& thread, PartCells& cells,
             Observer& observer);
  EnginePart(const EnginePart&) = delete;
  EnginePart& operator=(const EnginePart&) = delete;

  // Runs until after tick `until`, or no event is left.
  void run(Time until);
  // A packet has started on its link to an input of this part; a credit will arrive at a time, or
  // not as early as was thought.
  void arrive(Place to, std::uint32_t p);
  void expect_credit(Time at, std::uint32_t out_lane, std::uint32_t flits) {
    plan(at, Kind::kCredit, out_lane, flits);
  }
  void lose_credit(std::uint32_t out_lane) {
    assert(port(out_lane >> shift_).early);
    port(out_lane >> shift_).early = false;
  }

  Time now() const { return wheel_.now(); }
  const TimeWheel& wheel() const { return wheel_; }
  Time last_delivery() const { return last_delivery_; }
  const Counters& counters() const { return counters_; }
  struct Pair {
    Endpoint source, dest;
  };
  std::optional<Pair> first_looping() const { return first_looping_; }

  enum class Kind : std::uint64_t {
    kRequest,    // place, packet: it requests its output lane
    kCredit,     // output lane, flits
    kArbitrate,  // output lane
    kTransmit,   // port, packet to prefetch: a lane's first
    kFeed,       // endpoint, its port: the adapter looks for the next packet
    kSent,       // endpoint, its port: its message is on the wire
    kDeliver     // packet, its message
  };
  static Kind kind_of(TimeWheel::Event event) { return static_cast<Kind>((event >> 32) & 0xf); }
  static std::uint32_t id_of(TimeWheel::Event event) { return static_cast<std::uint32_t>(event); }
  static std::uint32_t amount_of(TimeWheel::Event event) {
    return static_cast<std::uint32_t>(event >> 36);
  }

 private:
  // Switches that a packet passes before it counts as looping.
  static constexpr std::size_t kMostCounted = 250;

  // Requests whose output is known and is being prefetched. They are made a few events later; this
  // is possible because the order within a tick does not matter.
  struct Asking {
    std::uint32_t place, packet, output;
  };
  static constexpr std::size_t kAhead = 16;  // events

  void tick();
  void take_event(TimeWheel::Event event, Time t);
  void ask_soon(Place place, std::uint32_t p, Time t);
  void prefetch(TimeWheel::Event event) const;
  void prefetch_lane(std::uint32_t lane) const;

  // engine_choice.cpp
  struct Burst {  // for bounded entries: the port used last, and when
    std::uint32_t output = kNil;
    Time last = 0;
  };
  std::uint32_t choose_from_group(const Packet& packet, Place place, Time t);
  std::uint32_t least_queued_of(std::span<const fatwood::Port> ports, const Packet& packet,
                                std::uint32_t in_port, Time t) const;
  std::uint32_t flits_queued(std::uint32_t output, const Packet& packet, Time t) const;

  // engine_crossbar.cpp
  std::uint32_t output_of(Place place, std::uint32_t p, Time t);
  void ask(Place place, std::uint32_t p, std::uint32_t output, Time t);
  bool goes_on(std::uint32_t p, std::uint32_t output);
  void discard(Place place, std::uint32_t p, Time t);
  std::uint32_t least_queued(const Packet& packet, std::uint32_t owner, Time t) const;
  void line_up(std::uint32_t out_lane, Place place, std::uint32_t p);
  void line_up_alone(std::uint32_t out_lane);
  void arbitrate(std::uint32_t out_lane, Time t);
  void arbitrate_queues(std::uint32_t out_lane, Time t);
  bool takes(std::uint32_t out_lane, std::uint32_t p, Time t);
  std::uint32_t next_request(std::uint32_t out_lane) const;
  std::uint32_t first_for(std::uint32_t in_lane, std::uint32_t out_lane) const;
  void grant(std::uint32_t p, std::uint32_t in_lane, bool listed, std::uint32_t out_lane, Time t);
  void pass_turn(OutLane& lane, std::uint32_t bit) const {
    lane.turn = static_cast<std::uint16_t>(bit + 1 == words_ * 64 ? 0 : bit + 1);
  }
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
    OutPort& port = this->port(port_index);
    if (port.leaving_flits == 0 || port.link_free > t) return;
    OutLane& lane = out((port_index << shift_) | port.leaving_lane);
    lane.used -= port.leaving_flits;
    if (port.early) lane.credits += port.leaving_flits;
    port.early = false;
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
  std::uint64_t* mask_of(std::uint32_t out_lane) {
    return words_ == 1 ? &out(out_lane).mask : &masks_[std::size_t{out_lane} * words_];
  }

  OutPort& port(std::uint32_t p) const { return cells_[std::size_t{p} * stride_].port; }
  OutLane& out(std::uint32_t lane) const {
    return cells_[std::size_t{lane >> shift_} * stride_ + 1 + (lane & lane_mask_)].lane;
  }
  const LinkKind& kind(const OutPort& port) const { return kinds_[port.kind]; }
  std::uint32_t in_lane(Place place, const Packet& packet) const {
    return ((switch_first_[place.owner()] + place.port()) << shift_) | packet.lane;
  }
  unsigned lane_of(const LinkKind& kind, unsigned service_level) const {
    return lanes_ == 1 ? 0 : sl_to_vl_[kind.sl_to_vl][service_level];
  }
  void give_credit(const InLane& lane, Time read, std::uint32_t flits);
  void append_in(std::uint32_t in_lane, std::uint32_t p);

  const EngineState& state_;
  const unsigned id_;
  const Network& net_;
  const Model& model_;
  const Routes& routes_;
  const PathChoice choice_;
  Workload& workload_;
  Observer& observer_;
  EngineThread& thread_;  // for packets and credits to other parts
  PartCells& free_;
  const unsigned shift_;
  const std::uint32_t lane_mask_, stride_, lanes_;
  const Time crossbar_ticks_;  // 0: without limit
  const bool fifo_;            // input lanes keep the order of all packets
  const bool wants_sent_;
  const std::uint32_t words_;
  // The state's arrays.
  const std::uint32_t* const switch_first_;
  const LinkKind* const kinds_;
  const SlToVl* const sl_to_vl_;
  Cell* const cells_;
  InLane* const in_;
  LaneTimes* const times_;
  Time* const sink_free_;
  std::uint32_t* const path_turn_;
  std::uint64_t* const masks_;
  Turns* const turns_;
  Source* const sources_;
  Random* const random_;
  Packet* const packets_;
  Message* const messages_;
  PacketPool& packet_pool_;
  MessagePool& message_pool_;

  TimeWheel wheel_;
  std::vector<TimeWheel::Event> now_;  // of this tick
  std::array<Asking, kAhead> asking_{};
  std::size_t num_asking_ = 0;  // of this tick, including those already made
  std::vector<std::uint32_t> to_feed_, to_arbitrate_, to_transmit_;
  mutable std::vector<std::uint32_t> candidates_;
  std::unordered_map<std::uint64_t, Burst> bursts_;  // by port of arrival and destination
  Counters counters_;
  std::optional<Pair> first_looping_;
  Time last_delivery_ = 0;
};

}  // namespace fatwood::sim
