// SPDX-License-Identifier: BSD-3-Clause
// The clock of a part of the engine: the events of a tick handed to switches
// (engine_crossbar.cpp), links (engine_link.cpp) and adapters (engine_adapter.cpp).

#include "sim/engine/engine_part.hpp"

#include <algorithm>

namespace fatwood::sim {

EnginePart::EnginePart(EngineState& state, unsigned part, EngineThread& thread, PartCells& cells,
                       Observer& observer)
    : state_(state),
      id_(part),
      net_(state.net),
      model_(state.model),
      routes_(state.routes),
      choice_(state.choice),
      workload_(state.workload),
      observer_(observer),
      thread_(thread),
      free_(cells),
      shift_(state.shift),
      lane_mask_(state.lane_mask()),
      stride_(state.stride),
      lanes_(state.model.lanes),
      crossbar_ticks_(state.net.crossbar_ticks),
      fifo_(state.model.queueing == Queueing::kFifo),
      wants_sent_(state.workload.wants_sent()),
      words_(state.words),
      switch_first_(state.net.switch_first.data()),
      kinds_(state.kinds.data()),
      sl_to_vl_(state.sl_to_vl.data()),
      cells_(state.cells.data()),
      in_(state.in.data()),
      times_(state.times.data()),
      sink_free_(state.sink_free.data()),
      path_turn_(state.path_turn.data()),
      masks_(state.masks.data()),
      turns_(state.turns.data()),
      sources_(state.sources.data()),
      random_(state.random.data()),
      packets_(state.packets.cells()),
      messages_(state.messages.cells()),
      packet_pool_(state.packets),
      message_pool_(state.messages),
      wheel_(usual_delay(state.net, state.model)) {
  for (std::uint32_t e = 0; e < net_.endpoints(); ++e) {
    if (state.part_of[net_.endpoint_port[e]] != id_) continue;
    const Time at = workload_.next_at(static_cast<Endpoint>(e));
    if (at != kNever) plan_feed(e, std::max<Time>(at, 0));
  }
}

void EnginePart::run(Time until) {
  while (wheel_.advance(until)) tick();
}

// The phases of a tick. Whatever a phase plans is for a later tick, or for a later phase of this
// one by way of the to_* lists.
void EnginePart::tick() {
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
    ask(Place(one.place), one.packet, one.output, t);
  }
  for (const std::uint32_t e : to_feed_) feed(e, t);
  for (std::size_t i = 0; i < to_arbitrate_.size(); ++i) {
    if (i + kAhead < to_arbitrate_.size()) {
      prefetch_lane(to_arbitrate_[i + kAhead]);
    }
    arbitrate(to_arbitrate_[i], t);
  }
  for (std::size_t i = 0; i < to_transmit_.size(); ++i) {
    if (i + kAhead < to_transmit_.size()) {
      prefetch_lane(to_transmit_[i + kAhead] << shift_);
    }
    transmit(to_transmit_[i], t);
  }
  to_feed_.clear();
  to_arbitrate_.clear();
  to_transmit_.clear();
}

inline void EnginePart::take_event(TimeWheel::Event event, Time t) {
  const std::uint32_t id = id_of(event);
  switch (kind_of(event)) {
    case Kind::kRequest:
      ask_soon(Place(id), amount_of(event), t);
      break;
    case Kind::kCredit: {
      OutLane& lane = out(id);
      lane.credits += amount_of(event);
      if (lane.head != kNil) to_transmit_.push_back(id >> shift_);
      break;
    }
    case Kind::kArbitrate:
      to_arbitrate_.push_back(id);
      break;
    case Kind::kTransmit: {
      std::uint32_t& try_at = out(id << shift_).try_at;
      if (try_at == static_cast<std::uint32_t>(t)) try_at = 0;
      to_transmit_.push_back(id);
      break;
    }
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
inline void EnginePart::ask_soon(Place place, std::uint32_t p, Time t) {
  Asking& one = asking_[num_asking_ % kAhead];
  if (num_asking_ >= kAhead) ask(Place(one.place), one.packet, one.output, t);
  one = {place.number, p, output_of(place, p, t)};
  ++num_asking_;
  if (one.output != kNil) prefetch_lane(one.output << shift_);
  if (!packets_[p].early) __builtin_prefetch(&in_[in_lane(place, packets_[p])]);
}

// A lane and its port, or where they begin.
inline void EnginePart::prefetch_lane(std::uint32_t lane) const {
  __builtin_prefetch(&port(lane >> shift_));
  if (lanes_ > 1) __builtin_prefetch(&out(lane));
}

// Brings near what an event will touch first: large fabrics live outside the caches.
inline void EnginePart::prefetch(TimeWheel::Event event) const {
  const std::uint32_t id = id_of(event);
  switch (kind_of(event)) {
    case Kind::kRequest:
      __builtin_prefetch(&packets_[amount_of(event)]);
      break;
    case Kind::kCredit:
    case Kind::kArbitrate:
      prefetch_lane(id);
      break;
    case Kind::kTransmit:
      prefetch_lane(id << shift_);
      __builtin_prefetch(&packets_[amount_of(event)]);
      break;
    case Kind::kDeliver:
      __builtin_prefetch(&packets_[id]);
      __builtin_prefetch(&messages_[amount_of(event)]);
      break;
    default:
      __builtin_prefetch(&sources_[id]);
      prefetch_lane(amount_of(event) << shift_);
      workload_.look_soon(static_cast<Endpoint>(id));
      break;
  }
}

}  // namespace fatwood::sim
