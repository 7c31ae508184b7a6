// SPDX-License-Identifier: BSD-3-Clause
// The engine's switches: from the input lanes of a switch, through its crossbar, into an output
// lane.
//
// A packet requests its output lane when its head has been read. The requesting input lanes of an
// output lane are a bit mask and take turns; a request that is alone is kept as it is. A granted
// packet streams across (model.hpp). When its last flit has left the input lane, its buffer space
// returns to the sender as a credit, unless the sender counts on it already (OutPort::early).
// Cost: O(1) per packet-hop; in queues that are not FIFOs, also a search for the first packet for
// an output.

#include <algorithm>
#include <bit>
#include <cassert>

#include "sim/engine/engine_thread.hpp"

namespace fatwood::sim {

// The output of a packet that asks.
std::uint32_t EnginePart::output_of(Place place, std::uint32_t p, Time t) {
  Packet& packet = packets_[p];
  assert(t >= packet.ready);
  if (routes_.is_adaptive()) return least_queued(packet, place.owner(), t);
  if (routes_.sets() != nullptr) return choose_from_group(packet, place, t);
  return routes_.output(packet.route, place.owner(), switch_first_[place.owner()], packet.dest, t);
}

// A packet of an input lane asks for its output lane: the first of a FIFO, or any, in order of
// arrival for the same output.
void EnginePart::ask(Place place, std::uint32_t p, std::uint32_t output, Time t) {
  if (routes_.changes() && !goes_on(p, output)) {
    discard(place, p, t);
    return;
  }
  const std::uint32_t out_lane =
      (output << shift_) | lane_of(kind(port(output)), packets_[p].service_level);
  OutLane& lane = out(out_lane);
  if (lane.requests == 0 && !fifo_) {
    lane.alone = {p, place.number};
    lane.requests = OutLane::kAlone;
  } else {
    if (lane.requests == OutLane::kAlone) line_up_alone(out_lane);
    line_up(out_lane, place, p);
  }
  to_arbitrate_.push_back(out_lane);
}

// A packet waits in the list of its input lane, and the lane asks.
void EnginePart::line_up(std::uint32_t out_lane, Place place, std::uint32_t p) {
  Packet& packet = packets_[p];
  packet.wants = out_lane;
  const std::uint32_t own = in_lane(place, packet);
  if (!fifo_) append_in(own, p);
  if (packet.early) {
    packet.early = false;
    const unsigned sender = kinds_[in_[own].kind].far_part;
    if (sender == id_) {
      lose_credit(in_[own].sender);
    } else {
      thread_.take_credit_back(sender, in_[own].sender);
    }
  }
  const std::uint32_t bit = (place.port() << shift_) | packet.lane;
  std::uint64_t& word = mask_of(out_lane)[bit / 64];
  const std::uint64_t asks = std::uint64_t{1} << (bit % 64);
  if ((word & asks) != 0) return;  // one before it asks already
  word |= asks;
  ++out(out_lane).requests;
}

void EnginePart::line_up_alone(std::uint32_t out_lane) {
  OutLane& lane = out(out_lane);
  const OutLane::Alone alone = lane.alone;
  lane.requests = 0;
  lane.mask = 0;
  line_up(out_lane, Place(alone.place), alone.packet);
}

// Whether the packet has a route; notes one that must have come to some switch twice.
bool EnginePart::goes_on(std::uint32_t p, std::uint32_t output) {
  const Packet& packet = packets_[p];
  const auto most = std::min<std::size_t>(net_.switches, kMostCounted);
  if (packet.route.hop == most + 1) {
    const Message& message = messages_[packet.message];
    if (counters_.packets_looping++ == 0) {
      first_looping_ = {static_cast<Endpoint>(message.source), static_cast<Endpoint>(message.dest)};
    }
  }
  return output != kNil;
}

// A packet without a route is read and discarded; its message never arrives.
void EnginePart::discard(Place place, std::uint32_t p, Time t) {
  const Packet& packet = packets_[p];
  const std::uint32_t own = in_lane(place, packet);
  const Time in_ticks = kinds_[packet.kind].flit_ticks;
  const Time read = std::max(packet.ready + (packet.flits - 1) * in_ticks, t + 1);
  if (fifo_) unlink(own, p, read);
  if (!packet.early) give_credit(in_[own], read, packet.flits);
  counters_.flits_discarded += packet.flits;
  ++counters_.packets_discarded;
  Message& message = messages_[packet.message];
  message.discarded = true;
  if (--message.packets == 0) message_pool_.give(free_.messages, packet.message);
  packet_pool_.give(free_.packets, p);
}

// Of the outputs on shortest ways, the one with the fewest flits in its lane; on a tie the next
// in cyclic order from (destination mod their number), so that idle switches spread like d-mod-k.
std::uint32_t EnginePart::least_queued(const Packet& packet, std::uint32_t owner, Time t) const {
  routes_.candidates(owner, packet.dest, candidates_);
  const std::size_t n = candidates_.size();
  std::uint32_t best = kNil;
  std::uint32_t least = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t output = candidates_[(packet.dest + i) % n];
    const std::uint32_t used = flits_queued(output, packet, t);
    if (best == kNil || used < least) {
      best = output;
      least = used;
    }
  }
  return best;
}

// Lets packets into an output lane while it can take them.
void EnginePart::arbitrate(std::uint32_t out_lane, Time t) {
  OutLane& lane = out(out_lane);
  if (lane.requests != OutLane::kAlone) {
    arbitrate_queues(out_lane, t);
    return;
  }
  const OutLane::Alone alone = lane.alone;
  if (!takes(out_lane, alone.packet, t)) {
    line_up_alone(out_lane);
    return;
  }
  lane.requests = 0;
  lane.mask = 0;
  const Place place(alone.place);
  const Packet& packet = packets_[alone.packet];
  pass_turn(lane, (place.port() << shift_) | packet.lane);
  grant(alone.packet, in_lane(place, packet), false, out_lane, t);
}

// The same for packets in lists of input lanes.
void EnginePart::arbitrate_queues(std::uint32_t out_lane, Time t) {
  OutLane& lane = out(out_lane);
  const std::uint32_t first = port(out_lane >> shift_).first << shift_;
  while (lane.requests > 0) {
    const std::uint32_t bit = next_request(out_lane);
    const std::uint32_t p = first_for(first + bit, out_lane);
    if (!takes(out_lane, p, t)) return;
    mask_of(out_lane)[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
    --lane.requests;
    pass_turn(lane, bit);
    grant(p, first + bit, true, out_lane, t);
  }
}

// Whether there is room for a packet; if not, looks again when there may be.
bool EnginePart::takes(std::uint32_t out_lane, std::uint32_t p, Time t) {
  const std::uint32_t port_index = out_lane >> shift_;
  const OutPort& port = this->port(port_index);
  if (kind(port).unlimited) return true;
  if (crossbar_ticks_ != 0 && times_[out_lane].write_free > t) {
    plan_arbitrate(out_lane, times_[out_lane].write_free);
    return false;
  }
  release_leaving(port_index, t);
  if (out(out_lane).used + packets_[p].flits <= model_.output_flits) return true;
  // Room comes with the end of a transmission of this lane: one that is going on, or the next one
  // to start.
  if (port.leaving_flits != 0 && port.leaving_lane == (out_lane & lane_mask_)) {
    plan_arbitrate(out_lane, port.link_free);
  }
  return false;
}

// The asking input lane whose turn it is, as a bit number. REQUIRES requests > 0.
std::uint32_t EnginePart::next_request(std::uint32_t out_lane) const {
  const OutLane& lane = out(out_lane);
  const std::uint64_t* mask = words_ == 1 ? &lane.mask : &masks_[std::size_t{out_lane} * words_];
  std::uint32_t w = lane.turn / 64;
  std::uint64_t word = mask[w] >> (lane.turn % 64) << (lane.turn % 64);
  while (word == 0) {
    w = w + 1 == words_ ? 0 : w + 1;
    word = mask[w];
  }
  return w * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
}

// The first packet of the input lane that asks for the output lane, or kNil.
std::uint32_t EnginePart::first_for(std::uint32_t in_lane, std::uint32_t out_lane) const {
  std::uint32_t p = in_[in_lane].head;
  while (p != kNil && packets_[p].wants != out_lane) p = packets_[p].next;
  return p;
}

// See model.hpp: the two lines that bound when flits are across, and when the link may start.
void EnginePart::grant(std::uint32_t p, std::uint32_t in_lane, bool listed, std::uint32_t out_lane,
                       Time t) {
  const Packet& packet = packets_[p];
  const Time flits = packet.flits;
  const Time x = crossbar_ticks_;
  const Time in_ticks = kinds_[packet.kind].flit_ticks;
  const LinkKind& out_kind = kind(port(out_lane >> shift_));
  const Time out_ticks = out_kind.flit_ticks;
  const Time across = std::max(t + flits * x, packet.ready + (flits - 1) * in_ticks + x);
  const Time may_start =
      std::max(t + x + (flits - 1) * std::max<Time>(0, x - out_ticks),
               packet.ready + x + (flits - 1) * std::max<Time>(0, in_ticks - out_ticks));
  const Time room_back = std::max(across, t + 1);
  if (listed) take_from_lane(in_lane, p, room_back);
  if (!packet.early) give_credit(in_[in_lane], room_back, packet.flits);
  if (x != 0) times_[out_lane].write_free = across;
  counters_.flit_hops += packet.flits;
  if (out_kind.unlimited) {
    take_in_at_once(p, out_lane >> shift_, std::max(may_start, t));
    return;
  }
  append_out(p, out_lane, may_start, t);
}

// The room of a packet that has been read goes back to the sender.
void EnginePart::give_credit(const InLane& lane, Time read, std::uint32_t flits) {
  const LinkKind& link = kinds_[lane.kind];
  const Time at = read + link.latency;
  if (link.far_part == id_) {
    plan(at, Kind::kCredit, lane.sender, flits);
    return;
  }
  thread_.send_credit(link.far_part, at, lane.sender, flits);
}

// Takes a packet out of its lane. The next one of a FIFO asks when this one has been read.
void EnginePart::unlink(std::uint32_t in_lane, std::uint32_t p, Time read) {
  InLane& lane = in_[in_lane];
  const Packet& packet = packets_[p];
  if (lane.head == p) {
    lane.head = packet.next;
    if (lane.head == kNil) lane.tail = kNil;
  } else {
    std::uint32_t before = lane.head;
    while (packets_[before].next != p) before = packets_[before].next;
    packets_[before].next = packet.next;
    if (lane.tail == p) lane.tail = before;
  }
  if (fifo_) {
    lane.read_free = read;
    if (lane.head != kNil) {
      plan(std::max(read, packets_[lane.head].ready), Kind::kRequest, lane.place, lane.head);
    }
  }
}

// Unlinks a granted packet; another one that wants the same output asks on.
void EnginePart::take_from_lane(std::uint32_t in_lane, std::uint32_t p, Time read) {
  unlink(in_lane, p, read);
  if (fifo_) return;
  const Packet& packet = packets_[p];
  std::uint32_t next = packet.next;
  while (next != kNil && packets_[next].wants != packet.wants) next = packets_[next].next;
  if (next == kNil) return;
  const std::uint32_t bit = in_lane - (port(packet.wants >> shift_).first << shift_);
  mask_of(packet.wants)[bit / 64] |= std::uint64_t{1} << (bit % 64);
  ++out(packet.wants).requests;
}

void EnginePart::plan_arbitrate(std::uint32_t out_lane, Time at) {
  if (times_[out_lane].wake_at == at) return;
  times_[out_lane].wake_at = at;
  plan(at, Kind::kArbitrate, out_lane);
}

}  // namespace fatwood::sim
