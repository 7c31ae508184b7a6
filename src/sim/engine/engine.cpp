// SPDX-License-Identifier: BSD-3-Clause
// The engine's clock: what it is built of, and the events of a tick handed to switches
// (engine_crossbar.cpp), links (engine_link.cpp) and adapters (engine_adapter.cpp).

#include "sim/engine/engine.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace fatwood::sim {

namespace {

unsigned lane_bits(unsigned lanes) { return static_cast<unsigned>(std::bit_width(lanes - 1)); }

// The horizon of most events: a packet on the slowest link, with all latencies.
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
      wheel_(usual_delay(network, model)),
      seed_(seed) {
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
    port.unlimited = model_.receivers == Receivers::kUnlimited &&
                     net_.leads_to_receiver(static_cast<std::uint32_t>(i));
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
  num_asking_ = 0;
  for (std::size_t i = 0; i < now_.size(); ++i) {
    if (i + kAhead < now_.size()) prefetch(now_[i + kAhead]);
    take_event(now_[i], t);
  }
  for (std::size_t i = std::max(num_asking_, kAhead) - kAhead; i < num_asking_; ++i) {
    const Asking& one = asking_[i % kAhead];
    ask(one.in_lane, one.packet, one.output, t);
  }
  for (const std::uint32_t e : to_feed_) feed(e, t);
  for (std::size_t i = 0; i < to_arbitrate_.size(); ++i) {
    if (i + kAhead < to_arbitrate_.size()) {
      __builtin_prefetch(&ports_[to_arbitrate_[i + kAhead] >> shift_]);
      __builtin_prefetch(&out_[to_arbitrate_[i + kAhead]]);
    }
    arbitrate(to_arbitrate_[i], t);
  }
  for (std::size_t i = 0; i < to_transmit_.size(); ++i) {
    if (i + kAhead < to_transmit_.size()) {
      __builtin_prefetch(&ports_[to_transmit_[i + kAhead]]);
      __builtin_prefetch(&out_[std::size_t{to_transmit_[i + kAhead]} << shift_]);
    }
    transmit(to_transmit_[i], t);
  }
  to_feed_.clear();
  to_arbitrate_.clear();
  to_transmit_.clear();
#ifndef NDEBUG
  if (t % 64 == 0) assert(imbalance().empty());
#endif
}

inline void Engine::take_event(TimeWheel::Event event, Time t) {
  const std::uint32_t id = id_of(event);
  switch (kind_of(event)) {
    case Kind::kRequest:
      ask_soon(id, amount_of(event), t);
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

// Finds the output of a request, and has the one of kAhead requests before ask.
inline void Engine::ask_soon(std::uint32_t in_lane, std::uint32_t p, Time t) {
  Asking& place = asking_[num_asking_ % kAhead];
  if (num_asking_ >= kAhead) ask(place.in_lane, place.packet, place.output, t);
  place = {in_lane, p, output_of(in_lane, p, t)};
  ++num_asking_;
  if (place.output == kNil) return;
  __builtin_prefetch(&ports_[place.output]);
  __builtin_prefetch(&out_[std::size_t{place.output} << shift_]);
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

std::size_t Engine::bytes() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return of(ports_) + of(in_) + of(out_) + of(masks_) + of(turns_) + of(sources_) + of(random_) +
         of(packets_) + of(messages_) + of(now_) + of(to_feed_) + of(to_arbitrate_) +
         of(to_transmit_) + wheel_.bytes();
}

}  // namespace fatwood::sim
