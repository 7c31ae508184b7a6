#include "sim/engine.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace fatwood::sim {

namespace {

unsigned lane_bits(unsigned lanes) { return static_cast<unsigned>(std::bit_width(lanes - 1)); }

// How far ahead most events are: a packet on the slowest link, with all latencies.
Time usual_delay(const Network& net, const Model& model) {
  Time flit = 0;
  Time latency = 0;
  for (const NetPort& port : net.ports) {
    flit = std::max<Time>(flit, std::max(port.flit_ticks, port.adapter_ticks));
    latency = std::max<Time>(latency, port.latency);
  }
  return (model.packet_flits + 1) * flit + latency + net.switch_latency + 1;
}

}  // namespace

Engine::Engine(const Network& network, const Model& model, const Routes& routes, PathChoice choice,
               std::uint64_t seed, Workload& workload, Observer& observer)
    : net_(network),
      model_(model),
      routes_(routes),
      choice_(choice),
      workload_(workload),
      observer_(observer),
      shift_(lane_bits(model.lanes)),
      lanes_(model.lanes),
      crossbar_ticks_(network.crossbar_ticks),
      fifo_(model.queueing == Queueing::kFifo),
      wheel_(usual_delay(network, model)) {
  const std::size_t count = net_.ports.size() << shift_;
  build_ports();
  in_.assign(count, {kNil, kNil, 0, 0, 0, kNil});
  out_.assign(count, {kNil, kNil, 0, model.input_flits, 0, -1, 0, 0, 0});
  std::uint32_t most_slots = 1;
  for (const std::uint32_t slots : net_.switch_ports) most_slots = std::max(most_slots, slots);
  words_ = ((most_slots << shift_) + 63) / 64;
  if (words_ > 1) masks_.assign(count * words_, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const NetPort& port = net_.ports[i >> shift_];
    if (port.peer == kNil) continue;
    const NetPort& sender = net_.ports[port.peer];
    in_[i].flit_ticks = sender.flit_ticks;
    in_[i].latency = sender.latency;
    in_[i].sender = (port.peer << shift_) | (i & ((1U << shift_) - 1));
  }
  weight_.assign(lanes_, LaneShare{}.weight);
  for (unsigned lane = 0; lane < model.shares.size(); ++lane) {
    weight_[lane] = model.shares[lane].weight;
    if (model.shares[lane].priority == Priority::kHigh) high_lanes_ |= 1U << lane;
  }
  if (lanes_ > 1) turns_.resize(net_.ports.size());
  sl_to_vl_ = model.sl_to_vl;
  if (sl_to_vl_.empty()) {
    sl_to_vl_.emplace_back();
    for (unsigned sl = 0; sl < kServiceLevels; ++sl) {
      sl_to_vl_[0][sl] = static_cast<std::uint8_t>(sl % lanes_);
    }
  }
  wants_sent_ = workload_.wants_sent();
  sources_.resize(net_.endpoints());
  random_.reserve(net_.endpoints());
  for (std::uint32_t e = 0; e < net_.endpoints(); ++e) {
    sources_[e].ticks = net_.ports[net_.endpoint_port[e]].adapter_ticks;
    random_.emplace_back(seed, e, kPathStream);
    const Time at = workload_.next_at(static_cast<Endpoint>(e));
    if (at != kNever) plan_feed(e, std::max<Time>(at, 0));
  }
}

void Engine::build_ports() {
  ports_.resize(net_.ports.size());
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    const NetPort& from = net_.ports[i];
    Port& port = ports_[i];
    port = {};
    port.try_at = -1;
    port.flit_ticks = from.flit_ticks;
    port.latency = from.latency;
    port.peer = from.peer;
    port.owner = from.owner;
    port.first = from.first;
    port.endpoint = from.endpoint;
    port.peer_endpoint = from.peer == kNil ? kNil : net_.ports[from.peer].endpoint;
    port.sl_to_vl = static_cast<std::uint16_t>(from.sl_to_vl);
  }
}

void Engine::run(Time until) {
  while (wheel_.advance(until)) tick();
}

// The phases of a tick. Whatever a phase plans is for a later tick, or for a later phase of this
// one by way of the to_* lists.
void Engine::tick() {
  const Time t = wheel_.now();
  now_.clear();
  wheel_.take(now_);
  counters_.events += now_.size();
  constexpr std::size_t kAhead = 8;
  for (std::size_t i = 0; i < now_.size(); ++i) {
    if (i + kAhead < now_.size()) prefetch(now_[i + kAhead]);
    const TimeWheel::Event event = now_[i];
    const std::uint32_t id = id_of(event);
    switch (kind_of(event)) {
      case Kind::kRequest:
        request(id, amount_of(event), t);
        break;
      case Kind::kCredit: {
        OutLane& lane = out_[id];
        lane.credits += amount_of(event);
        if (lane.head != kNil) to_transmit_.push_back(id >> shift_);
        break;
      }
      case Kind::kArbitrate:
        to_arbitrate_.push_back(id);
        break;
      case Kind::kTransmit:
        to_transmit_.push_back(id);
        break;
      case Kind::kFeed:
        to_feed_.push_back(id);
        break;
      case Kind::kSent:
        workload_.sent(static_cast<Endpoint>(id), t);
        to_feed_.push_back(id);
        break;
      case Kind::kDeliver:
        deliver(id, t);
        break;
    }
  }
  for (const std::uint32_t e : to_feed_) feed(e, t);
  for (const std::uint32_t lane : to_arbitrate_) arbitrate(lane, t);
  for (const std::uint32_t port : to_transmit_) transmit(port, t);
  to_feed_.clear();
  to_arbitrate_.clear();
  to_transmit_.clear();
#ifndef NDEBUG
  if (t % 64 == 0) assert(imbalance().empty());
#endif
}

// Brings near what an event will touch first: large fabrics live outside the caches.
inline void Engine::prefetch(TimeWheel::Event event) const {
  const std::uint32_t id = id_of(event);
  switch (kind_of(event)) {
    case Kind::kRequest:
      __builtin_prefetch(&packets_[amount_of(event)]);
      __builtin_prefetch(&in_[id]);
      __builtin_prefetch(&ports_[id >> shift_]);
      break;
    case Kind::kCredit:
    case Kind::kArbitrate:
      __builtin_prefetch(&out_[id]);
      break;
    case Kind::kTransmit:
      __builtin_prefetch(&ports_[id]);
      __builtin_prefetch(&out_[std::size_t{id} << shift_]);
      break;
    case Kind::kDeliver:
      __builtin_prefetch(&packets_[id]);
      break;
    default:
      __builtin_prefetch(&sources_[id]);
      break;
  }
}

// A packet of an input lane asks for its output lane: the first of a FIFO, or any, in order of
// arrival for the same output.
void Engine::request(std::uint32_t in_lane, std::uint32_t p, Time t) {
  Packet& packet = packets_[p];
  assert(t >= packet.ready);
  const Port& port = ports_[in_lane >> shift_];
  const std::uint32_t output =
      routes_.is_adaptive() ? least_queued(packet, port.owner, t)
                            : routes_.output(packet.way, port.owner, port.first, packet.dest);
  const std::uint32_t out_lane =
      (output << shift_) | sl_to_vl_[ports_[output].sl_to_vl][packet.service_level];
  packet.wants = out_lane;
  __builtin_prefetch(&in_[std::size_t{ports_[output].peer} << shift_]);
  const std::uint32_t bit = in_lane - (port.first << shift_);
  std::uint64_t& word = mask_of(out_lane)[bit / 64];
  const std::uint64_t asks = std::uint64_t{1} << (bit % 64);
  if ((word & asks) != 0) return;  // one before it asks already
  word |= asks;
  ++out_[out_lane].requests;
  to_arbitrate_.push_back(out_lane);
}

// The first packet of the input lane that asks for the output lane, or kNil.
std::uint32_t Engine::first_for(std::uint32_t in_lane, std::uint32_t out_lane) const {
  std::uint32_t p = in_[in_lane].head;
  while (p != kNil && packets_[p].wants != out_lane) p = packets_[p].next;
  return p;
}

// Of the outputs on shortest ways, the one with the fewest flits in its lane; on a tie the next
// in cyclic order from (destination mod their number), so that idle switches spread like d-mod-k.
std::uint32_t Engine::least_queued(const Packet& packet, std::uint32_t owner, Time t) const {
  routes_.candidates(owner, packet.dest, candidates_);
  const std::size_t n = candidates_.size();
  std::uint32_t best = kNil;
  std::uint32_t least = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t output = candidates_[(packet.dest + i) % n];
    const Port& port = ports_[output];
    const unsigned lane = sl_to_vl_[port.sl_to_vl][packet.service_level];
    std::uint32_t used = out_[(output << shift_) | lane].used;
    if (port.leaving_flits != 0 && port.leaving_lane == lane && port.link_free <= t) {
      used -= port.leaving_flits;
    }
    if (best == kNil || used < least) {
      best = output;
      least = used;
    }
  }
  return best;
}

// The asking input lane whose turn it is, as a bit number. REQUIRES requests > 0.
std::uint32_t Engine::next_request(std::uint32_t out_lane) const {
  const OutLane& lane = out_[out_lane];
  const std::uint64_t* mask = words_ == 1 ? &lane.mask : &masks_[std::size_t{out_lane} * words_];
  std::uint32_t w = lane.turn / 64;
  std::uint64_t word = mask[w] >> (lane.turn % 64) << (lane.turn % 64);
  while (word == 0) {
    w = w + 1 == words_ ? 0 : w + 1;
    word = mask[w];
  }
  return w * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
}

// Lets asking input lanes into an output lane while it can take packets.
void Engine::arbitrate(std::uint32_t out_lane, Time t) {
  OutLane& lane = out_[out_lane];
  const std::uint32_t port_index = out_lane >> shift_;
  while (lane.requests > 0) {
    if (crossbar_ticks_ != 0 && lane.write_free > t) {
      plan_arbitrate(out_lane, lane.write_free);
      return;
    }
    release_leaving(port_index, t);
    const std::uint32_t bit = next_request(out_lane);
    const Port& port = ports_[port_index];
    const std::uint32_t in_lane = (port.first << shift_) + bit;
    const std::uint32_t p = first_for(in_lane, out_lane);
    if (lane.used + packets_[p].flits > model_.output_flits) {
      // Room comes with the end of a transmission of this lane: one that is going on, or the
      // next one to start.
      if (port.leaving_flits != 0 && port.leaving_lane == (out_lane & ((1U << shift_) - 1))) {
        plan_arbitrate(out_lane, port.link_free);
      }
      return;
    }
    mask_of(out_lane)[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
    --lane.requests;
    lane.turn = bit + 1 == words_ * 64 ? 0 : bit + 1;
    grant(in_lane, p, out_lane, t);
  }
}

// See model.hpp: the two lines that bound when flits are across, and when the link may start.
void Engine::grant(std::uint32_t in_lane, std::uint32_t p, std::uint32_t out_lane, Time t) {
  const InLane& lane = in_[in_lane];
  const Packet& packet = packets_[p];
  const Time flits = packet.flits;
  const Time x = crossbar_ticks_;
  const Time in_ticks = lane.flit_ticks;
  const Time out_ticks = ports_[out_lane >> shift_].flit_ticks;
  const Time across = std::max(t + flits * x, packet.ready + (flits - 1) * in_ticks + x);
  const Time may_start =
      std::max(t + x + (flits - 1) * std::max<Time>(0, x - out_ticks),
               packet.ready + x + (flits - 1) * std::max<Time>(0, in_ticks - out_ticks));
  const Time room_back = std::max(across, t + 1);
  take_from_lane(in_lane, p, room_back);
  plan(room_back + lane.latency, Kind::kCredit, lane.sender, packet.flits);
  out_[out_lane].write_free = across;
  counters_.flit_hops += packet.flits;
  append_out(p, out_lane, may_start, t);
}

// Unlinks a granted packet. The next one of a FIFO asks when this one has been read.
void Engine::take_from_lane(std::uint32_t in_lane, std::uint32_t p, Time read) {
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
      plan(std::max(read, packets_[lane.head].ready), Kind::kRequest, in_lane, lane.head);
    }
    return;
  }
  // Another one that wants the same output asks on.
  std::uint32_t next = packet.next;
  while (next != kNil && packets_[next].wants != packet.wants) next = packets_[next].next;
  if (next == kNil) return;
  const std::uint32_t bit = in_lane - (ports_[in_lane >> shift_].first << shift_);
  mask_of(packet.wants)[bit / 64] |= std::uint64_t{1} << (bit % 64);
  ++out_[packet.wants].requests;
}

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

void Engine::plan_transmit(std::uint32_t port, Time at, Time t) {
  if (at <= t) {
    to_transmit_.push_back(port);
  } else if (ports_[port].try_at != at) {
    ports_[port].try_at = at;
    plan(at, Kind::kTransmit, port);
  }
}

void Engine::plan_arbitrate(std::uint32_t out_lane, Time at) {
  if (out_[out_lane].wake_at == at) return;
  out_[out_lane].wake_at = at;
  plan(at, Kind::kArbitrate, out_lane);
}

void Engine::transmit(std::uint32_t port_index, Time t) {
  Port& port = ports_[port_index];
  if (port.link_free > t || port.filled == 0) return;  // who fills it or frees it plans anew
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

void Engine::left_adapter(Packet& packet, std::uint32_t endpoint, Time link_free, Time t) {
  packet.started = t;
  Source& source = sources_[endpoint];
  if (packet.last_of_message && wants_sent_) plan(link_free, Kind::kSent, endpoint);
  if (!source.blocked) return;
  source.blocked = false;
  plan_feed(endpoint, link_free);
}

// The adapter at the end of the way: everything about the packet's end is known when its link
// starts, since the link brings packets in order.
void Engine::take_in(std::uint32_t p, std::uint32_t out_lane, Time head) {
  const Packet& packet = packets_[p];
  const Port& port = ports_[out_lane >> shift_];
  Source& sink = sources_[port.peer_endpoint];
  const Time y = sink.ticks;
  const Time flits = packet.flits;
  const Time done = std::max(std::max(sink.sink_free, head) + flits * y,
                             head + (flits - 1) * Time{port.flit_ticks} + y);
  sink.sink_free = done;
  plan(done, Kind::kDeliver, p);
  plan(done + port.latency, Kind::kCredit, out_lane, packet.flits);
}

void Engine::deliver(std::uint32_t p, Time t) {
  Packet& packet = packets_[p];
  Message& message = messages_[packet.message];
  const bool last = --message.packets == 0;
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
    message.number = free_message_;
    free_message_ = packet.message;
  }
  packet.next = free_packet_;
  free_packet_ = p;
}

void Engine::plan_feed(std::uint32_t endpoint, Time at) {
  if (sources_[endpoint].feed_at == at) return;
  sources_[endpoint].feed_at = at;
  plan(at, Kind::kFeed, endpoint);
}

// Moves packets of the source into its adapter's output buffer while there is room.
void Engine::feed(std::uint32_t endpoint, Time t) {
  Source& source = sources_[endpoint];
  const std::uint32_t port_index = net_.endpoint_port[endpoint];
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
    const Port& port = ports_[port_index];
    const std::uint32_t out_lane =
        (port_index << shift_) | sl_to_vl_[port.sl_to_vl][source.service_level + source.way.lane];
    release_leaving(port_index, t);
    const auto flits =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(model_.packet_flits, source.flits_left));
    if (out_[out_lane].used + flits > model_.output_flits) {
      if (port.leaving_flits != 0) plan_feed(endpoint, port.link_free);
      source.blocked = true;
      return;
    }
    send_packet(endpoint, out_lane, flits, t);
  }
}

void Engine::begin_message(std::uint32_t endpoint, Time t) {
  Source& source = sources_[endpoint];
  const MessageSpec spec = workload_.take(static_cast<Endpoint>(endpoint), t);
  assert(spec.flits > 0 && fatwood::index(spec.dest) != endpoint);
  if (free_message_ == kNil) {
    messages_.emplace_back();
    source.message = static_cast<std::uint32_t>(messages_.size() - 1);
  } else {
    source.message = free_message_;
    free_message_ = messages_[free_message_].number;
  }
  messages_[source.message] = {
      spec.created, endpoint, fatwood::index(spec.dest), source.messages++,
      static_cast<std::uint32_t>((spec.flits + model_.packet_flits - 1) / model_.packet_flits)};
  source.flits_left = spec.flits;
  source.packet = 0;
  source.service_level = spec.service_level;
  source.path_chosen = false;
  ++counters_.messages_begun;
}

void Engine::choose_path(std::uint32_t endpoint) {
  Source& source = sources_[endpoint];
  const auto s = static_cast<Endpoint>(endpoint);
  const auto d = static_cast<Endpoint>(messages_[source.message].dest);
  const std::uint32_t count = routes_.paths(s, d);
  const bool random =
      choice_ == PathChoice::kRandomPerPacket || choice_ == PathChoice::kRandomPerMessage;
  std::uint32_t path = 0;
  if (count > 1) path = random ? random_[endpoint].below(count) : source.turn++ % count;
  source.way = routes_.itinerary(s, d, path);
  source.path_chosen = true;
}

void Engine::send_packet(std::uint32_t endpoint, std::uint32_t out_lane, std::uint32_t flits,
                         Time t) {
  Source& source = sources_[endpoint];
  std::uint32_t p = free_packet_;
  if (p == kNil) {
    packets_.emplace_back();
    p = static_cast<std::uint32_t>(packets_.size() - 1);
  } else {
    free_packet_ = packets_[p].next;
  }
  source.flits_left -= flits;
  Packet& packet = packets_[p];
  packet.message = source.message;
  packet.dest = messages_[source.message].dest;
  packet.number = source.packet++;
  packet.flits = static_cast<std::uint16_t>(flits);
  packet.service_level = static_cast<std::uint8_t>(source.service_level + source.way.lane);
  packet.last_of_message = source.flits_left == 0;
  packet.way = source.way;
  counters_.flits_injected += flits;
  const Time y = source.ticks;
  const Time f = ports_[out_lane >> shift_].flit_ticks;
  source.adapter_free = t + Time{flits} * y;
  if (source.flits_left == 0) source.message = kNil;
  if (choice_ == PathChoice::kRandomPerPacket || choice_ == PathChoice::kRoundRobinPerPacket) {
    source.path_chosen = false;
  }
  append_out(p, out_lane, t + y + (Time{flits} - 1) * std::max<Time>(0, y - f), t);
}

std::size_t Engine::bytes() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return of(ports_) + of(in_) + of(out_) + of(masks_) + of(turns_) + of(sources_) + of(random_) +
         of(packets_) + of(messages_) + of(now_) + of(to_feed_) + of(to_arbitrate_) +
         of(to_transmit_) + wheel_.bytes();
}

}  // namespace fatwood::sim
