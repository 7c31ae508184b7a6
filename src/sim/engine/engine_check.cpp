// SPDX-License-Identifier: BSD-3-Clause
// Checks of the engine's state between two ticks: does everything balance, and do packets wait in a
// cycle?
//
// Deadlock: packets that could move are removed one by one, as if they left the network at once.
// - The first packet of an output lane is removed if the input lane at the other end of its link
//   has room, not counting removed packets.
// - A packet of an input lane is removed if its output lane has room, in the same sense, for the
//   requesting packet whose turn it is.
//
// This allows more than can really happen, so the packets that are left can never move, and a
// network that is merely congested leaves none. If nothing in the network moves, nothing is
// removed, so every deadlock is found sooner or later. The packets left wait in cycles: each waits
// for a full lane, whose packets are left, too.
// Cost: O(lanes + packets), and the search for turns.

#include <fmt/format.h>

#include <algorithm>

#include "sim/engine/engine.hpp"

namespace fatwood::sim {

std::uint32_t Engine::queued(std::uint32_t head) const {
  std::uint32_t flits = 0;
  for (std::uint32_t p = head; p != kNil; p = packets_[p].next) flits += packets_[p].flits;
  return flits;
}

// Lets go every packet that has, or can get, room ahead of it, as if it left the network at once;
// what stays can never move. See the head of this file.
std::optional<Deadlock> Engine::deadlock() const {
  const bool fifo = state_.model.queueing == Queueing::kFifo;
  std::vector<Left> in(state_.in.size());
  std::vector<Left> out(state_.in.size());
  std::vector<std::uint32_t> in_flits(state_.in.size(), 0);
  std::vector<std::uint32_t> out_flits(state_.in.size(), 0);
  std::vector<std::uint32_t> work;  // output lanes to look at
  const auto list = [&](std::uint32_t head, Left& left) {
    for (std::uint32_t p = head; p != kNil; p = packets_[p].next) left.push_back(p);
  };
  for (std::uint32_t i = 0; i < state_.in.size(); ++i) {
    if (!state_.is_lane(i)) continue;
    list(state_.in[i].head, in[i]);
    // A packet that has not asked yet is on its way and will. In a FIFO that holds for all behind
    // it.
    const auto moves = [&](std::uint32_t p) { return packets_[p].wants == kNil; };
    if (fifo && !in[i].empty() && moves(in[i].front())) in[i].clear();
    if (!fifo) std::erase_if(in[i], moves);
    for (const std::uint32_t p : in[i]) in_flits[i] += packets_[p].flits;
    list(state_.out(i).head, out[i]);
    out_flits[i] = queued(state_.out(i).head);
    if (!out[i].empty() || state_.out(i).requests != 0) work.push_back(i);
  }
  while (!work.empty()) {
    const std::uint32_t o = work.back();
    work.pop_back();
    const NetPort& port = state_.net.ports[o >> state_.shift];
    const std::uint32_t ahead = state_.lane_ahead(o);
    while (!out[o].empty() &&
           (state_.net.ports[port.peer].endpoint != kNil ||
            packets_[out[o].front()].flits + in_flits[ahead] <= state_.model.input_flits)) {
      out_flits[o] -= packets_[out[o].front()].flits;
      out[o].erase(out[o].begin());
    }
    while (port.owner != kNil) {
      const std::uint32_t in_lane = next_left(o, in);
      if (in_lane == kNil) break;
      Left& left = in[in_lane];
      const auto first =
          std::ranges::find_if(left, [&](std::uint32_t p) { return packets_[p].wants == o; });
      if (packets_[*first].flits + out_flits[o] > state_.model.output_flits) break;
      if (fifo) {
        left.clear();
        in_flits[in_lane] = 0;
      } else {
        in_flits[in_lane] -= packets_[*first].flits;
        left.erase(first);
      }
      work.push_back(state_.in[in_lane].sender);
    }
  }
  return cycle_of(in, out);
}

// The asking input lane that has the turn among those that are left.
std::uint32_t Engine::next_left(std::uint32_t out_lane, const std::vector<Left>& in) const {
  const bool fifo = state_.model.queueing == Queueing::kFifo;
  const NetPort& port = state_.net.ports[out_lane >> state_.shift];
  const std::uint32_t first = port.first << state_.shift;
  const std::uint32_t count = state_.net.switch_ports[port.owner] << state_.shift;
  const std::uint32_t turn = state_.out(out_lane).turn;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t in_lane = first + (turn + i) % count;
    const Left& left = in[in_lane];
    const auto asks = [&](std::uint32_t p) { return packets_[p].wants == out_lane; };
    if (fifo ? !left.empty() && asks(left.front()) : std::ranges::any_of(left, asks)) {
      return in_lane;
    }
  }
  return kNil;
}

// Follows what is left: an output lane's first packet waits for the first packet left in the
// input lane ahead, which waits for the first of the output lane it asks, until one comes again.
std::optional<Deadlock> Engine::cycle_of(const std::vector<Left>& in,
                                         const std::vector<Left>& out) const {
  const unsigned lane_mask = state_.lane_mask();
  const auto stuck = std::ranges::find_if_not(out, &Left::empty);
  if (stuck == out.end()) return std::nullopt;
  auto at = static_cast<std::uint32_t>(stuck - out.begin());
  const auto wait = [&](std::uint32_t p, std::uint32_t holds, bool output, std::uint32_t wants) {
    const Message& message = messages_[packets_[p].message];
    return Wait{static_cast<Endpoint>(message.source),
                static_cast<Endpoint>(message.dest),
                message.number,
                packets_[p].number,
                {holds >> state_.shift, holds & lane_mask, output},
                {wants >> state_.shift, wants & lane_mask, !output}};
  };
  Deadlock walk;
  std::vector<std::uint32_t> seen;
  while (std::ranges::find(seen, at) == seen.end()) {
    seen.push_back(at);
    const std::uint32_t ahead = state_.lane_ahead(at);
    const std::uint32_t p = in[ahead].front();
    walk.push_back(wait(out[at].front(), at, true, ahead));
    walk.push_back(wait(p, ahead, false, packets_[p].wants));
    at = packets_[p].wants;
  }
  const auto begin = std::ranges::find(seen, at) - seen.begin();
  return Deadlock(walk.begin() + 2 * begin, walk.end());
}

std::string Engine::imbalance() const {
  using Part = EnginePart;
  const unsigned lane_mask = state_.lane_mask();
  const bool fifo = state_.model.queueing == Queueing::kFifo;
  std::vector<std::uint64_t> returning(state_.in.size(), 0);
  std::vector<std::uint64_t> arriving(state_.in.size(), 0);  // not in the list of their lane yet
  std::vector<std::uint64_t> early(state_.in.size(), 0);     // of these, the credit is expected
  std::uint64_t inside = 0;
  for (const EnginePart* part : parts_) {
    part->wheel().for_each([&](Time, TimeWheel::Event event) {
      const std::uint32_t id = Part::id_of(event);
      const Part::Kind kind = Part::kind_of(event);
      if (kind == Part::Kind::kCredit) returning[id] += Part::amount_of(event);
      if (kind == Part::Kind::kDeliver) inside += packets_[id].flits;
      if (kind == Part::Kind::kRequest && !fifo) {
        const Packet& packet = packets_[Part::amount_of(event)];
        const Place place(id);
        const std::uint32_t port = state_.net.switch_first[place.owner()] + place.port();
        const std::uint32_t lane = (port << state_.shift) | packet.lane;
        arriving[lane] += packet.flits;
        if (packet.early) early[lane] += packet.flits;
      }
    });
  }
  for (std::uint32_t i = 0; i < state_.in.size(); ++i) {
    const std::uint32_t port_index = i >> state_.shift;
    if (state_.net.ports[port_index].peer == kNil || !state_.is_lane(i)) continue;
    const OutPort& port = state_.port(port_index);
    const std::uint32_t in_lane = state_.lane_ahead(i);
    const std::uint64_t held = queued(state_.in[in_lane].head) + arriving[in_lane];
    const std::uint64_t waiting = queued(state_.out(i).head);
    inside += held + waiting;
    const bool leaving = port.leaving_flits != 0 && port.leaving_lane == (i & lane_mask);
    if (leaving && port.early) returning[i] += port.leaving_flits;
    returning[i] -= early[in_lane];
    if (state_.out(i).credits + returning[i] + held != state_.model.input_flits) {
      return fmt::format("port {} lane {}: {} credits, {} returning, {} held, buffer {}",
                         port_index, i & lane_mask, state_.out(i).credits, returning[i], held,
                         state_.model.input_flits);
    }
    if (state_.out(i).used != waiting + (leaving ? port.leaving_flits : 0U)) {
      return fmt::format("port {} lane {}: {} flits used, {} waiting", port_index, i & lane_mask,
                         state_.out(i).used, waiting);
    }
  }
  const Counters sum = counters();
  if (sum.flits_injected != sum.flits_delivered + sum.flits_discarded + inside) {
    return fmt::format("{} flits injected, {} delivered, {} discarded, {} inside",
                       sum.flits_injected, sum.flits_delivered, sum.flits_discarded, inside);
  }
  return {};
}

}  // namespace fatwood::sim
