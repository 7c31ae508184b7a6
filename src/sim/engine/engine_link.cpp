// SPDX-License-Identifier: BSD-3-Clause
// The engine's links: from an output lane, over the link, into the input lane at the other end.
//
// A link starts the first packet of a lane when the link is free, the packet may start (model.hpp),
// and the lane has credits for the whole packet. Several lanes take turns by weight and priority,
// as in InfiniBand's arbitration tables.
// Cost: O(1) per packet; O(lanes of the port) if there are several.

#include <algorithm>
#include <bit>

#include "sim/engine/engine_thread.hpp"

namespace fatwood::sim {

void EnginePart::append_out(std::uint32_t p, std::uint32_t out_lane, Time ready, Time t) {
  Packet& packet = packets_[p];
  OutLane& lane = out(out_lane);
  packet.ready = ready;
  packet.next = kNil;
  lane.used += packet.flits;
  if (lane.head != kNil) {
    packets_[lane.tail].next = p;
    lane.tail = p;
    return;
  }
  const std::uint32_t port_index = out_lane >> shift_;
  OutPort& port = this->port(port_index);
  lane.head = lane.tail = p;
  if (lanes_ == 1 && port.link_free <= t && lane.credits >= packet.flits) {
    // Nothing can come between: the lane is the only one, and credits never get fewer.
    start(port_index, 0, std::max(ready, t), t);
    return;
  }
  port.filled |= static_cast<std::uint16_t>(1U << (out_lane & lane_mask_));
  plan_transmit(port_index, std::max(ready, port.link_free), t);
}

void EnginePart::transmit(std::uint32_t port_index, Time t) {
  const OutPort& port = this->port(port_index);
  if (port.link_free > t || port.filled == 0) return;  // filling or freeing it plans again
  release_leaving(port_index, t);
  if (lanes_ > 1) {
    transmit_one_of(port_index, t);
    return;
  }
  const OutLane& lane = out(port_index);
  const Packet& packet = packets_[lane.head];
  if (packet.ready > t) {
    plan_transmit(port_index, packet.ready, t);
  } else if (lane.credits >= packet.flits) {
    start(port_index, 0, t, t);
  }
}

// Several lanes: those that can send take turns by weight; if none can yet, looks again when the
// first can for all we know.
void EnginePart::transmit_one_of(std::uint32_t port_index, Time t) {
  unsigned eligible = 0;
  Time soonest = kNever;
  for (unsigned lanes = port(port_index).filled; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const OutLane& out = this->out((port_index << shift_) | lane);
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
unsigned EnginePart::weighted_turn(std::uint32_t port_index, unsigned eligible) {
  Turns& turns = turns_[port_index];
  const unsigned high = eligible & state_.high_lanes;
  const unsigned low = eligible & ~state_.high_lanes;
  const bool limit_reached = model_.high_limit != 0 && turns.high_run >= model_.high_limit;
  const unsigned priority = high != 0 && (low == 0 || !limit_reached) ? 1 : 0;
  const unsigned among = priority == 1 ? high : low;
  unsigned lane = turns.lane[priority];
  if ((among >> lane & 1U) == 0 || turns.left[priority] <= 0) {
    const unsigned later = among >> (lane + 1) << (lane + 1);
    lane = static_cast<unsigned>(std::countr_zero(later != 0 ? later : among));
    turns.lane[priority] = static_cast<std::uint8_t>(lane);
    turns.left[priority] = state_.weight[lane];
  }
  const std::uint32_t flits = packets_[out((port_index << shift_) | lane).head].flits;
  turns.left[priority] -= flits;
  turns.high_run = priority == 1 ? turns.high_run + flits : 0;
  return lane;
}

// Puts the first packet of a lane on the link at t, and into the input lane at the other end.
// t may be after now() when nothing can keep the packet from starting then.
void EnginePart::start(std::uint32_t port_index, unsigned lane_number, Time t, Time now) {
  release_leaving(port_index, now);
  OutPort& port = this->port(port_index);
  const LinkKind& link = kind(port);
  const std::uint32_t out_lane = (port_index << shift_) | lane_number;
  OutLane& lane = out(out_lane);
  const std::uint32_t p = lane.head;
  Packet& packet = packets_[p];
  lane.head = packet.next;
  if (lane.head == kNil) {
    lane.tail = kNil;
    port.filled &= static_cast<std::uint16_t>(~(1U << lane_number));
  }
  lane.credits -= packet.flits;
  port.link_free = t + Time{packet.flits} * link.flit_ticks;
  port.leaving_flits = packet.flits;
  port.leaving_lane = static_cast<std::uint8_t>(lane_number);
  port.sent += packet.flits;
  // A packet of one flit frees its buffer a tick later.
  packet.early = port.early = link.early && packet.flits > 1;
  if (lane.requests != 0) plan_arbitrate(out_lane, port.link_free);
  if (port.filled != 0) {
    const Time ready = lanes_ == 1 ? packets_[lane.head].ready : 0;
    plan_transmit(port_index, std::max(port.link_free, ready), t);
  }
  if (link.from_adapter) left_adapter(packet, port.first, port.link_free, t);

  const Time head = t + link.flit_ticks + link.latency;
  if (link.to_adapter) {
    take_in(p, out_lane, head);
    return;
  }
  packet.kind = port.kind;
  packet.lane = static_cast<std::uint8_t>(lane_number);
  packet.ready = head + net_.switch_latency;
  packet.wants = kNil;
  packet.next = kNil;
  if (link.far_part == id_) {
    arrive(Place(port.peer), p);
    return;
  }
  thread_.send_packet(link.far_part, Place(port.peer), p, packet.ready);
}

// A packet is on its link to an input here. A FIFO has it from now on, other lanes if it has to
// wait.
void EnginePart::arrive(Place to, std::uint32_t p) {
  const Packet& packet = packets_[p];
  if (!fifo_) {
    plan(packet.ready, Kind::kRequest, to.number, p);
    return;
  }
  const std::uint32_t own = in_lane(to, packet);
  if (in_[own].head == kNil) {
    plan(std::max(packet.ready, in_[own].read_free), Kind::kRequest, to.number, p);
  }
  append_in(own, p);
}

void EnginePart::append_in(std::uint32_t in_lane, std::uint32_t p) {
  InLane& lane = in_[in_lane];
  if (lane.head == kNil) {
    lane.head = p;
  } else {
    packets_[lane.tail].next = p;
  }
  lane.tail = p;
}

void EnginePart::plan_transmit(std::uint32_t port, Time at, Time t) {
  if (at <= t) {
    to_transmit_.push_back(port);
    return;
  }
  std::uint32_t& try_at = out(port << shift_).try_at;
  const auto bits = static_cast<std::uint32_t>(at);
  if (try_at != bits || bits == 0) {
    try_at = bits;
    plan(at, Kind::kTransmit, port, lanes_ == 1 ? out(port).head : 0);
  }
}

}  // namespace fatwood::sim
