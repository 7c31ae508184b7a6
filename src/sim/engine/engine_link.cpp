// SPDX-License-Identifier: BSD-3-Clause
// The engine's links: from an output lane, over the link, into the input lane at the other end.
//
// A link starts the first packet of a lane when it is free, the packet may start (model.hpp) and
// the lane has credits for all of it; several lanes take turns by weight and priority, as
// InfiniBand's arbitration tables have it.
// Cost: O(1) per packet, O(lanes of the port) where there are several.

#include <algorithm>
#include <bit>

#include "sim/engine/engine.hpp"

namespace fatwood::sim {

void Engine::append_out(std::uint32_t p, std::uint32_t out_lane, Time ready, Time t) {
  Packet& packet = packets_[p];
  OutLane& lane = out_[out_lane];
  packet.ready = ready;
  packet.next = kNil;
  lane.used += packet.flits;
  if (lane.head != kNil) {
    packets_[lane.tail].next = p;
    lane.tail = p;
    return;
  }
  const std::uint32_t port = out_lane >> shift_;
  lane.head = lane.tail = p;
  if (lanes_ == 1 && ports_[port].link_free <= t && lane.credits >= packet.flits) {
    // Nothing can come between: the lane is the only one, and credits never get fewer.
    start(port, 0, std::max(ready, t), t);
    return;
  }
  ports_[port].filled |= static_cast<std::uint16_t>(1U << (out_lane & ((1U << shift_) - 1)));
  plan_transmit(port, std::max(ready, ports_[port].link_free), t);
}

void Engine::transmit(std::uint32_t port_index, Time t) {
  Port& port = ports_[port_index];
  if (port.link_free > t || port.filled == 0) return;  // filling or freeing it plans again
  if (lanes_ > 1) {
    transmit_one_of(port_index, t);
    return;
  }
  const OutLane& lane = out_[port_index];
  const Packet& packet = packets_[lane.head];
  if (packet.ready > t) {
    plan_transmit(port_index, packet.ready, t);
  } else if (lane.credits >= packet.flits) {
    start(port_index, 0, t, t);
  }
}

// Several lanes: those that can send take turns by weight; if none can yet, looks again when the
// first can for all we know.
void Engine::transmit_one_of(std::uint32_t port_index, Time t) {
  unsigned eligible = 0;
  Time soonest = kNever;
  for (unsigned lanes = ports_[port_index].filled; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const OutLane& out = out_[(port_index << shift_) | lane];
    const Packet& packet = packets_[out.head];
    if (out.credits < packet.flits) continue;
    if (packet.ready <= t) {
      eligible |= 1U << lane;
    } else {
      soonest = std::min(soonest, packet.ready);
    }
  }
  if (eligible != 0) {
    start(port_index, weighted_turn(port_index, eligible), t, t);
  } else if (soonest != kNever) {
    plan_transmit(port_index, soonest, t);
  }
}

// High before low, unless high has had its limit and low waits. Within a priority a lane keeps the
// turn while it can send and has weight left, then the next in order gets it with full weight.
unsigned Engine::weighted_turn(std::uint32_t port_index, unsigned eligible) {
  Turns& turns = turns_[port_index];
  const unsigned high = eligible & high_lanes_;
  const unsigned low = eligible & ~high_lanes_;
  const bool limit_reached = model_.high_limit != 0 && turns.high_run >= model_.high_limit;
  const unsigned priority = high != 0 && (low == 0 || !limit_reached) ? 1 : 0;
  const unsigned among = priority == 1 ? high : low;
  unsigned lane = turns.lane[priority];
  if ((among >> lane & 1U) == 0 || turns.left[priority] <= 0) {
    const unsigned later = among >> (lane + 1) << (lane + 1);
    lane = static_cast<unsigned>(std::countr_zero(later != 0 ? later : among));
    turns.lane[priority] = static_cast<std::uint8_t>(lane);
    turns.left[priority] = weight_[lane];
  }
  const std::uint32_t flits = packets_[out_[(port_index << shift_) | lane].head].flits;
  turns.left[priority] -= flits;
  turns.high_run = priority == 1 ? turns.high_run + flits : 0;
  return lane;
}

// Puts the first packet of a lane on the link at t, and into the input lane at the other end.
// t may be after now() when nothing can keep the packet from starting then.
void Engine::start(std::uint32_t port_index, unsigned lane_number, Time t, Time now) {
  release_leaving(port_index, now);
  Port& port = ports_[port_index];
  const std::uint32_t out_lane = (port_index << shift_) | lane_number;
  OutLane& lane = out_[out_lane];
  const std::uint32_t p = lane.head;
  Packet& packet = packets_[p];
  lane.head = packet.next;
  if (lane.head == kNil) {
    lane.tail = kNil;
    port.filled &= static_cast<std::uint16_t>(~(1U << lane_number));
  }
  lane.credits -= packet.flits;
  port.link_free = t + Time{packet.flits} * port.flit_ticks;
  port.leaving_flits = packet.flits;
  port.leaving_lane = static_cast<std::uint8_t>(lane_number);
  port.sent += packet.flits;
  if (lane.requests != 0) plan_arbitrate(out_lane, port.link_free);
  if (port.filled != 0) {
    const Time ready = lanes_ == 1 ? packets_[lane.head].ready : 0;
    plan_transmit(port_index, std::max(port.link_free, ready), t);
  }
  if (port.endpoint != kNil) left_adapter(packet, port.endpoint, port.link_free, t);

  const Time head = t + port.flit_ticks + port.latency;
  if (port.peer_endpoint != kNil) {
    take_in(p, out_lane, head);
    return;
  }
  const std::uint32_t in_lane = (port.peer << shift_) | lane_number;
  InLane& next = in_[in_lane];
  packet.ready = head + net_.switch_latency;
  packet.wants = kNil;
  packet.next = kNil;
  if (next.head == kNil || !fifo_) {
    plan(fifo_ ? std::max(packet.ready, next.read_free) : packet.ready, Kind::kRequest, in_lane, p);
  }
  if (next.head == kNil) {
    next.head = p;
  } else {
    packets_[next.tail].next = p;
  }
  next.tail = p;
}

void Engine::plan_transmit(std::uint32_t port, Time at, Time t) {
  if (at <= t) {
    to_transmit_.push_back(port);
  } else if (ports_[port].try_at != at) {
    ports_[port].try_at = at;
    plan(at, Kind::kTransmit, port);
  }
}

}  // namespace fatwood::sim
