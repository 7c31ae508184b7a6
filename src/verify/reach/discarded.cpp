// SPDX-License-Identifier: BSD-3-Clause
#include "verify/reach/discarded.hpp"

#include <array>
#include <span>
#include <vector>

#include "routing/adaptive/choice_walk.hpp"
#include "topology/graph/hop_map.hpp"
#include "verify/deadlock/senders.hpp"

namespace fatwood {

namespace {

// Whether a level that some path has is mapped to the management lane anywhere.
bool uses_management_lane(const Fabric& fabric, const Routing& routing) {
  std::array<bool, kLevels> used{};
  if (routing.lanes.lane.empty()) used[0] = true;
  for (const std::uint8_t level : routing.lanes.lane) used[level % kLevels] = true;
  if (routing.sl2vl.empty()) return used[kManagementLane];
  if (routing.sl2vl.lanes() <= kManagementLane) return false;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const auto ports = ids<Port>(fabric.ports(fabric.node(s)) + 1);
    for (const Port in : ports) {
      for (const Port out : ports | std::views::drop(1)) {
        for (unsigned level = 0; level < kLevels; ++level) {
          if (used[level] && routing.sl2vl.lane(s, in, out, level) == kManagementLane) return true;
        }
      }
    }
  }
  return false;
}

// Packets that every choice delivers, but some choice sends into the management lane. What can
// happen to a packet depends on the channel by which it came and its SL. Plain tables have one
// choice.
class ChoicesDiscarded {
 public:
  ChoicesDiscarded(const Fabric& fabric, const HopMap& map, const Routing& routing)
      : fabric_(fabric),
        routing_(routing),
        map_(map),
        walk_(fabric, map, routing),
        state_(fabric.num_channels() * kLevels, kUnknown) {}

  // The starts are those whose packets count.
  template <class Visit>
  void each(Destination destination, std::span<const Start> starts, const Visit& visit) {
    walk_.follow(destination);
    destination_ = destination;
    for (const std::uint32_t state : found_) state_[state] = kUnknown;
    found_.clear();
    for (const Start& start : starts) {
      if (walk_.fate(index(start.at)) != Fate::kArrives) continue;
      const Place from{start.at, start.in, routing_.lanes.at(destination, start.at)};
      // All states that the packet can reach, the last first. Packets that arrive by every choice
      // never loop, so the states are settled after some rounds.
      const std::size_t before = found_.size();
      each_step(from, [&](std::uint32_t next, bool) { find(next); });
      for (std::size_t i = before; i < found_.size(); ++i) {
        each_step(place(found_[i]), [&](std::uint32_t next, bool) { find(next); });
      }
      for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = found_.size(); i-- > before;) {
          if (state_[found_[i]] == kLost || !loses(place(found_[i]))) continue;
          state_[found_[i]] = kLost;
          changed = true;
        }
      }
      if (loses(from)) visit(start);
    }
  }

 private:
  enum State : std::uint8_t { kUnknown, kKept, kLost };
  struct Place {
    Switch at;
    Port in;
    unsigned level;
  };

  Place place(std::uint32_t state) const {
    const Channel arrival = fabric_.peer(static_cast<Channel>(state / kLevels));
    return {fabric_.as_switch(fabric_.owner(arrival)), fabric_.port(arrival),
            static_cast<unsigned>(state % kLevels)};
  }
  void find(std::uint32_t state) {
    if (state_[state] != kUnknown) return;
    state_[state] = kKept;
    found_.push_back(state);
  }
  bool loses(const Place& from) const {
    bool any = false;
    each_step(from, [&](std::uint32_t next, bool management) {
      any = any || management || state_[next] == kLost;
    });
    return any;
  }
  // Calls visit(state after the step, whether it takes the management lane).
  template <class Visit>
  void each_step(const Place& from, const Visit& visit) const {
    const auto& [s, in, level] = from;
    const std::span<const Port> ports = routing_.ports(s, destination_);
    for (const Port port : ports) {
      if ((port == in && ports.size() > 1) || !map_.at(index(s), port).to_switch()) continue;
      const unsigned lane =
          routing_.sl2vl.empty() ? level : routing_.sl2vl.lane(s, in, port, level);
      const Channel c = fabric_.channel(fabric_.node(s), port);
      visit(static_cast<std::uint32_t>(index(c) * kLevels + level), lane == kManagementLane);
    }
  }

  const Fabric& fabric_;
  const Routing& routing_;
  const HopMap& map_;
  ChoiceWalk walk_;
  Destination destination_{};
  std::vector<std::uint8_t> state_;   // by channel and level
  std::vector<std::uint32_t> found_;  // in the order they were found
};

void count_pair(const Start& start, const Endpoint& to, Discarded& found) {
  const bool from_switch = start.source.is_switch();
  std::uint64_t& count =
      to.is_switch() ? (from_switch ? found.pairs.switch_switch : found.pairs.terminal_switch)
                     : (from_switch ? found.pairs.switch_terminal : found.pairs.terminal_terminal);
  ++count;
  if (!found.first) found.first = {start.source, to};
}

}  // namespace

Discarded find_discarded(const Fabric& fabric, const Routing& routing) {
  Discarded found;
  if (!routing.source_routes.empty() || !uses_management_lane(fabric, routing)) return found;
  const HopMap map(fabric);
  const std::vector<Start> starts = starts_of(fabric, Senders(fabric, Sources::kAll));
  ChoicesDiscarded choices(fabric, map, routing);
  for (const Destination destination : ids<Destination>(routing.tables.num_destinations())) {
    const Endpoint to = endpoint(routing.tables, destination);
    choices.each(destination, starts, [&](const Start& start) {
      if (start.source != to) count_pair(start, to, found);
    });
  }
  return found;
}

}  // namespace fatwood
