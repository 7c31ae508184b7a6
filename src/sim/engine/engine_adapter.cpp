// SPDX-License-Identifier: BSD-3-Clause
// The engine's adapters: they divide the workload's messages into packets, put these into their
// output lane, and receive packets at the end of their path.
//
// An adapter feeds one packet after the other, at its own speed, while its output buffer has room.
// If there is no room, the start of its link wakes it. The time at which a packet is delivered is
// known when its last link starts, because a link delivers packets in order.
// Cost: O(1) per packet.

#include <algorithm>
#include <cassert>

#include "sim/engine/engine_part.hpp"

namespace fatwood::sim {

// Moves packets of the source into its adapter's output buffer while there is room.
void EnginePart::feed(std::uint32_t endpoint, Time t) {
  Source& source = sources_[endpoint];
  const std::uint32_t port_index = source.port;
  source.blocked = false;
  for (;;) {
    if (source.message == kNil) {
      const Time at = workload_.next_at(static_cast<Endpoint>(endpoint));
      if (at == kNever) return;
      if (at > t) {
        plan_feed(endpoint, at);
        return;
      }
      begin_message(endpoint, t);
    }
    if (source.adapter_free > t) {
      plan_feed(endpoint, source.adapter_free);
      return;
    }
    if (!source.path_chosen) choose_path(endpoint);
    const OutPort& port = this->port(port_index);
    const std::uint32_t out_lane =
        (port_index << shift_) | lane_of(kind(port), source.service_level + source.route.lane);
    release_leaving(port_index, t);
    const auto flits =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(model_.packet_flits, source.flits_left));
    if (out(out_lane).used + flits > model_.output_flits) {
      if (port.leaving_flits != 0) plan_feed(endpoint, port.link_free);
      source.blocked = true;
      return;
    }
    send_packet(endpoint, out_lane, flits, t);
  }
}

void EnginePart::begin_message(std::uint32_t endpoint, Time t) {
  Source& source = sources_[endpoint];
  const MessageSpec spec = workload_.take(static_cast<Endpoint>(endpoint), t);
  assert(spec.flits > 0 && fatwood::index(spec.dest) != endpoint);
  source.message = message_pool_.take(free_.messages);
  messages_[source.message] = {
      spec.created,
      endpoint,
      fatwood::index(spec.dest),
      source.messages++,
      static_cast<std::uint32_t>((spec.flits + model_.packet_flits - 1) / model_.packet_flits),
      false};
  source.flits_left = spec.flits;
  source.packet = 0;
  source.service_level = spec.service_level;
  source.path_chosen = false;
  ++counters_.messages_begun;
}

void EnginePart::choose_path(std::uint32_t endpoint) {
  Source& source = sources_[endpoint];
  const auto s = static_cast<Endpoint>(endpoint);
  const auto d = static_cast<Endpoint>(messages_[source.message].dest);
  const std::uint32_t count = routes_.paths(s, d);
  std::uint32_t path = 0;
  if (count > 1) {
    switch (choice_) {
      case PathChoice::kRandomPerPacket:
      case PathChoice::kRandomPerMessage:
        path = random_[endpoint].below(count);
        break;
      case PathChoice::kRoundRobinPerPacket:
      case PathChoice::kRoundRobinPerMessage:
        path = path_turn_[endpoint]++ % count;
        break;
      case PathChoice::kInOrderPerPacket:
        path = source.packet % count;
        break;
    }
  }
  source.route = routes_.itinerary(s, d, path);
  source.path_chosen = true;
}

void EnginePart::send_packet(std::uint32_t endpoint, std::uint32_t out_lane, std::uint32_t flits,
                             Time t) {
  Source& source = sources_[endpoint];
  const std::uint32_t p = packet_pool_.take(free_.packets);
  source.flits_left -= flits;
  Packet& packet = packets_[p];
  packet.message = source.message;
  packet.dest = messages_[source.message].dest;
  packet.number = source.packet++;
  packet.flits = static_cast<std::uint16_t>(flits);
  packet.service_level = static_cast<std::uint8_t>(source.service_level + source.route.lane);
  packet.last_of_message = source.flits_left == 0;
  packet.route = source.route;
  counters_.flits_injected += flits;
  const LinkKind& link = kind(port(out_lane >> shift_));
  const Time y = link.adapter_ticks;
  const Time f = link.flit_ticks;
  source.adapter_free = t + Time{flits} * y;
  if (source.flits_left == 0) source.message = kNil;
  const bool by_message =
      choice_ == PathChoice::kRandomPerMessage || choice_ == PathChoice::kRoundRobinPerMessage;
  if (!by_message) source.path_chosen = false;
  append_out(p, out_lane, t + y + (Time{flits} - 1) * std::max<Time>(0, y - f), t);
}

void EnginePart::left_adapter(Packet& packet, std::uint32_t endpoint, Time link_free, Time t) {
  packet.started = t;
  Source& source = sources_[endpoint];
  if (packet.last_of_message && wants_sent_) plan(link_free, Kind::kSent, endpoint, source.port);
  if (!source.blocked) return;
  source.blocked = false;
  plan_feed(endpoint, link_free);
}

// The adapter at the end of the path: everything about the packet's end is known when its link
// starts, since the link brings packets in order.
void EnginePart::take_in(std::uint32_t p, std::uint32_t out_lane, Time head) {
  const Packet& packet = packets_[p];
  const OutPort& port = this->port(out_lane >> shift_);
  const LinkKind& link = kind(port);
  const Time y = model_.receivers == Receivers::kUnlimited ? 0 : Time{link.adapter_ticks};
  const Time flits = packet.flits;
  Time done = head + (flits - 1) * Time{link.flit_ticks} + y;
  if (y != 0) {  // else the packet before it was taken in as it came
    Time& sink_free = sink_free_[port.peer];
    sink_free = done = std::max(done, std::max(sink_free, head) + flits * y);
  }
  plan(done, Kind::kDeliver, p, packet.message);
  if (!packet.early) plan(done + link.latency, Kind::kCredit, out_lane, packet.flits);
}

// A receiver without limit: the packet's link starts at `start`, whatever else is on its way there.
void EnginePart::take_in_at_once(std::uint32_t p, std::uint32_t port_index, Time start) {
  OutPort& port = this->port(port_index);
  const LinkKind& link = kind(port);
  const Packet& packet = packets_[p];
  port.sent += packet.flits;
  plan(start + Time{packet.flits} * link.flit_ticks + link.latency, Kind::kDeliver, p,
       packet.message);
}

void EnginePart::deliver(std::uint32_t p, Time t) {
  Packet& packet = packets_[p];
  Message& message = messages_[packet.message];
  const bool gone = --message.packets == 0;
  const bool last = gone && !message.discarded;
  counters_.flits_delivered += packet.flits;
  ++counters_.packets_delivered;
  last_delivery_ = t;
  observer_.delivered({static_cast<Endpoint>(message.source), static_cast<Endpoint>(message.dest),
                       message.number, packet.number, packet.flits, message.created, packet.started,
                       t, last});
  if (last) {
    ++counters_.messages_delivered;
    const auto woken = workload_.delivered(static_cast<Endpoint>(message.source),
                                           static_cast<Endpoint>(message.dest), t);
    for (const Endpoint e : woken) to_feed_.push_back(fatwood::index(e));
  }
  if (gone) message_pool_.give(free_.messages, packet.message);
  packet_pool_.give(free_.packets, p);
}

void EnginePart::plan_feed(std::uint32_t endpoint, Time at) {
  Source& source = sources_[endpoint];
  if (source.feed_at == at) return;
  source.feed_at = at;
  plan(at, Kind::kFeed, endpoint, source.port);
}

}  // namespace fatwood::sim
