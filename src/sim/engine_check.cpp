// What can be said about the engine's state between two ticks: does everything balance, and do
// packets wait in a cycle.
//
// Deadlock: a lane's first packet waits for at most one other lane: an input lane for the output
// lane it asks, when that, even after everything under way has left, has no room for the packet
// whose turn it is; an output lane for the input lane at the other end of its link, when that,
// even after all credits under way have come, has no room. So waits form a graph with at most one
// edge out of each lane, and what can never move again hangs on its cycles: every lane of a cycle
// needs the next one's first packet to move. Without a cycle some lane can move, and nothing is
// called a deadlock.

#include <fmt/format.h>

#include "sim/engine.hpp"

namespace fatwood::sim {

std::uint32_t Engine::queued(std::uint32_t head) const {
  std::uint32_t flits = 0;
  for (std::uint32_t p = head; p != kNil; p = packets_[p].next) flits += packets_[p].flits;
  return flits;
}

// Lanes are numbered inputs first, then outputs. The lane whose first packet has to move before
// this one's can; kNil when it needs none.
std::uint32_t Engine::blocked_on(std::uint32_t lane) const {
  const auto inputs = static_cast<std::uint32_t>(in_.size());
  if (lane < inputs) {
    const InLane& in = in_[lane];
    if (in.head == kNil || in.wants == kNil) return kNil;
    const std::uint32_t chosen = (ports_[lane >> shift_].first << shift_) + next_request(in.wants);
    const std::uint32_t room = model_.output_flits - queued(out_[in.wants].head);
    return packets_[in_[chosen].head].flits > room ? inputs + in.wants : kNil;
  }
  const OutLane& out = out_[lane - inputs];
  const Port& port = ports_[(lane - inputs) >> shift_];
  if (out.head == kNil || packets_[out.head].ready > now()) return kNil;
  if (ports_[port.peer].endpoint != kNil) return kNil;
  const std::uint32_t in_lane = (port.peer << shift_) | ((lane - inputs) & ((1U << shift_) - 1));
  const std::uint32_t room = model_.input_flits - queued(in_[in_lane].head);
  return packets_[out.head].flits > room ? in_lane : kNil;
}

std::optional<Deadlock> Engine::deadlock() const {
  const auto inputs = static_cast<std::uint32_t>(in_.size());
  const auto count = static_cast<std::uint32_t>(in_.size() + out_.size());
  std::vector<std::uint32_t> visit(count, kNil);  // the walk that came by
  for (std::uint32_t from = 0; from < count; ++from) {
    std::uint32_t lane = from;
    while (lane != kNil && visit[lane] == kNil) {
      visit[lane] = from;
      lane = blocked_on(lane);
    }
    if (lane == kNil || visit[lane] != from) continue;
    const auto buffer = [&](std::uint32_t which) {
      const std::uint32_t at = which < inputs ? which : which - inputs;
      return Wait::Buffer{at >> shift_, at & ((1U << shift_) - 1), which >= inputs};
    };
    Deadlock cycle;
    std::uint32_t at = lane;
    do {
      const std::uint32_t next = blocked_on(at);
      const Packet& packet = packets_[at < inputs ? in_[at].head : out_[at - inputs].head];
      const Message& message = messages_[packet.message];
      cycle.push_back({static_cast<Endpoint>(message.source), static_cast<Endpoint>(message.dest),
                       message.number, packet.number, buffer(at), buffer(next)});
      at = next;
    } while (at != lane);
    return cycle;
  }
  return std::nullopt;
}

std::string Engine::imbalance() const {
  std::vector<std::uint64_t> returning(out_.size(), 0);
  std::uint64_t inside = 0;
  wheel_.for_each([&](Time, TimeWheel::Event event) {
    const auto id = static_cast<std::uint32_t>(event);
    const auto kind = static_cast<Kind>((event >> 32) & 0xff);
    if (kind == Kind::kCredit) returning[id] += event >> 40;
    if (kind == Kind::kDeliver) inside += packets_[id].flits;
  });
  for (std::uint32_t i = 0; i < out_.size(); ++i) {
    const std::uint32_t port_index = i >> shift_;
    const Port& port = ports_[port_index];
    if (port.peer == kNil) continue;
    const std::uint32_t in_lane = (port.peer << shift_) | (i & ((1U << shift_) - 1));
    const std::uint64_t held = queued(in_[in_lane].head);
    const std::uint64_t waiting = queued(out_[i].head);
    inside += held + waiting;
    if (out_[i].credits + returning[i] + held != model_.input_flits) {
      return fmt::format("port {} lane {}: {} credits, {} returning, {} held, buffer {}",
                         port_index, i & ((1U << shift_) - 1), out_[i].credits, returning[i], held,
                         model_.input_flits);
    }
    const bool leaving = port.leaving_flits != 0 && port.leaving_lane == (i & ((1U << shift_) - 1));
    if (out_[i].used != waiting + (leaving ? port.leaving_flits : 0U)) {
      return fmt::format("port {} lane {}: {} flits used, {} waiting", port_index,
                         i & ((1U << shift_) - 1), out_[i].used, waiting);
    }
  }
  if (counters_.flits_injected != counters_.flits_delivered + inside) {
    return fmt::format("{} flits injected, {} delivered, {} inside", counters_.flits_injected,
                       counters_.flits_delivered, inside);
  }
  return {};
}

}  // namespace fatwood::sim
