// SPDX-License-Identifier: BSD-3-Clause
#include "plan/match/cabling_moves.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

namespace fatwood {

namespace {

// A port: a found one by its channel, or a planned one that discovery did not find, since it has no
// cable, behind them.
using Slot = std::uint32_t;
constexpr Slot kNoSlot = 0xffffffffU;
constexpr std::uint32_t kUnplanned = 0xffffffffU;  // not a device of the plan

class MoveFinder {
 public:
  MoveFinder(const MatchedSides& sides, Cabling& result)
      : s_(sides),
        result_(result),
        channels_(static_cast<Slot>(sides.found.fabric.num_channels())),
        missing_at_(channels_ + sides.planned.fabric.num_channels(), kNoCable),
        is_extra_(missing_at_.size()),
        done_(missing_at_.size()) {
    for (const Node p : ids<Node>(s_.planned.fabric.num_nodes())) {
      const std::string& host = s_.planned_side.host[p];
      if (!host.empty()) host_device_.emplace(host, s_.device_of[p]);
    }
  }

  void run() {
    find_missing();
    find_extra();
    // Paths first from the ends at planned devices: what is left over is at the other end.
    for (const Start start : {Start::kPlannedEnd, Start::kAnyEnd, Start::kCycle}) {
      for (Slot slot = 0; slot < missing_at_.size(); ++slot) {
        if (done_[slot] != 0) continue;
        if (missing_at_[slot] != kNoCable) walk(missing_from(slot), start);
        if (is_extra_[slot] != 0 && done_[slot] == 0) walk(extra_from(slot), start);
      }
    }
    add_unplanned();
    for (CablingFault& fault : faults_) result_.faults.push_back(std::move(fault));
  }

 private:
  enum class Start : std::uint8_t { kPlannedEnd, kAnyEnd, kCycle };

  // --- ports ---
  bool is_found(Slot slot) const { return slot < channels_; }
  Channel channel(Slot slot) const {
    return is_found(slot) ? static_cast<Channel>(slot) : kNone<Channel>;
  }
  Slot slot_of(Channel planned) const {
    const Node node = s_.found_of[s_.planned.fabric.owner(planned)];
    const Channel c = node == kNone<Node> ? kNone<Channel>
                                          : s_.found.fabric.find_channel(
                                                node, index(s_.planned.fabric.port(planned)));
    return c == kNone<Channel> ? channels_ + index(planned) : index(c);
  }
  Node owner(Slot slot) const { return s_.found.fabric.owner(channel(slot)); }
  bool is_planned_node(Slot slot) const {
    return !is_found(slot) || s_.planned_of[owner(slot)] != kNone<Node>;
  }
  // The planned device; an adapter that is not planned can belong to a planned host.
  std::uint32_t device_at(Slot slot) const {
    if (!is_found(slot)) {
      return s_.device_of[s_.planned.fabric.owner(static_cast<Channel>(slot - channels_))];
    }
    if (is_planned_node(slot)) return s_.device_of[s_.planned_of[owner(slot)]];
    const auto host = host_device_.find(s_.found.host[owner(slot)]);
    return host == host_device_.end() ? kUnplanned : host->second;
  }

  // --- edges ---
  // A planned cable that is missing or a found one that is extra, seen from one end.
  struct Edge {
    std::uint32_t cable = kNoCable;  // planned; kNoCable: the found one
    Slot near = kNoSlot, far = kNoSlot;
    bool is_missing() const { return cable != kNoCable; }
  };
  Edge missing_from(Slot near) const {
    const std::uint32_t k = missing_at_[near];
    const Slot a = slot_of(s_.planned.cables[k].first);
    const Slot b = slot_of(s_.planned.cables[k].second);
    return {k, near, near == a ? b : a};
  }
  Edge extra_from(Slot near) const {
    return {kNoCable, near, static_cast<Slot>(index(s_.found.peer[channel(near)]))};
  }
  // The edge of the other kind at the far end; nothing there: near is kNoSlot.
  Edge next(const Edge& edge) const {
    if (edge.is_missing()) return is_extra_[edge.far] != 0 ? extra_from(edge.far) : Edge{};
    return missing_at_[edge.far] != kNoCable ? missing_from(edge.far) : Edge{};
  }
  bool is_end(const Edge& edge) const {  // no edge of the other kind at the near end
    return edge.is_missing() ? is_extra_[edge.near] == 0 : missing_at_[edge.near] == kNoCable;
  }

  void find_missing() {
    for (std::uint32_t k = 0; k < s_.plan.cables.size(); ++k) {
      if (result_.state[k] != CableState::kMissing) continue;
      missing_at_[slot_of(s_.planned.cables[k].first)] = k;
      missing_at_[slot_of(s_.planned.cables[k].second)] = k;
    }
  }
  void find_extra() {
    for (Slot slot = 0; slot < channels_; ++slot) {
      is_extra_[slot] = s_.found.peer[channel(slot)] == kNone<Channel> ? 0 : 1;
    }
    for (const Channel c : result_.found) {
      if (c == kNone<Channel>) continue;
      is_extra_[index(c)] = is_extra_[index(s_.found.peer[c])] = 0;
    }
  }

  void walk(Edge edge, Start start) {
    if (start != Start::kCycle && !is_end(edge)) return;
    if (start == Start::kPlannedEnd && !is_planned_node(edge.near)) return;
    std::vector<Edge> path;
    const Slot first = edge.near;
    while (edge.near != kNoSlot && (path.empty() || edge.near != first)) {
      path.push_back(edge);
      edge = next(edge);
    }
    for (const Edge& e : path) done_[e.near] = done_[e.far] = 1;
    const bool cycle = edge.near != kNoSlot;
    if (cycle && path.size() == 4) return add_swap(path);
    for (std::size_t i = 0; i < path.size(); i += 2) {
      if (i + 1 < path.size()) {
        add_pair(path[i], path[i + 1]);
      } else {
        add_single(path[i]);
      }
    }
  }

  // --- faults ---
  CablingFault& add(CablingFaultKind kind) {
    CablingFault& fault = faults_.emplace_back();
    fault.kind = kind;
    return fault;
  }

  void add_single(const Edge& edge) {
    if (edge.is_missing()) {
      add(CablingFaultKind::kMissing).cables = {edge.cable};
      return;
    }
    const CablingMove removal{.stays = channel(edge.near), .from = channel(edge.far)};
    if (!is_planned_node(edge.near) || !is_planned_node(edge.far)) {
      unplanned_.push_back(removal);
      return;
    }
    CablingFault& fault = add(CablingFaultKind::kExtra);
    fault.found = {removal.stays};
    fault.moves = {removal};
  }

  // By device; a cable between two of them is removed once.
  void add_unplanned() {
    std::map<Node, CablingFault> by_node;
    for (const CablingMove& removal : unplanned_) {
      bool named = false;
      for (const auto& [c, far] :
           {std::pair{removal.stays, removal.from}, {removal.from, removal.stays}}) {
        const Node node = s_.found.fabric.owner(c);
        if (s_.planned_of[node] != kNone<Node>) continue;
        CablingFault& fault = by_node[node];
        fault.kind = CablingFaultKind::kUnplannedDevice;
        fault.nodes = {node};
        fault.found.push_back(c);
        if (!std::exchange(named, true)) fault.moves.push_back({.stays = c, .from = far});
      }
    }
    // A plan of switches alone says nothing about hosts.
    const bool hosts_planned = std::ranges::any_of(s_.plan.devices, &PlanDevice::is_host);
    for (auto& [node, fault] : by_node) {
      if (!hosts_planned && !s_.found.fabric.is_switch(node)) {
        ++result_.hosts_not_planned;
        continue;
      }
      std::ranges::sort(fault.found);
      std::ranges::sort(fault.moves, {}, &CablingMove::stays);
      result_.faults.push_back(std::move(fault));
    }
  }

  // A missing and an extra cable that share a port.
  struct Pair {
    CablingMove move;
    std::uint32_t from_device, to_device;
    bool within_device() const { return from_device == to_device && to_device != kUnplanned; }
  };
  Pair pair_of(const Edge& one, const Edge& other) {
    const Edge& missing = one.is_missing() ? one : other;
    const Edge& extra = one.is_missing() ? other : one;
    const Slot shared = one.far;  // also other.near
    const auto other_end = [&](const Edge& e) { return e.near == shared ? e.far : e.near; };
    const Slot from = other_end(extra), to = other_end(missing);
    result_.state[missing.cable] = CableState::kWrong;
    return {{channel(shared), channel(from), channel(to), missing.cable,
             slot_of(s_.planned.cables[missing.cable].first) == to},
            device_at(from),
            device_at(to)};
  }
  void add_pair(const Edge& one, const Edge& other) {
    const Pair pair = pair_of(one, other);
    CablingFault& fault =
        add(pair.within_device() ? CablingFaultKind::kWrongPort : CablingFaultKind::kWrongDevice);
    fault.cables = {pair.move.cable};
    fault.found = {pair.move.stays};
    fault.moves = {pair.move};
  }

  // Both ways to pair the cycle correct it; the ends of one device are moved, if there is one.
  void add_swap(const std::vector<Edge>& path) {
    std::array<std::array<Pair, 2>, 2> options{
        {{pair_of(path[0], path[1]), pair_of(path[2], path[3])},
         {pair_of(path[1], path[2]), pair_of(path[3], path[0])}}};
    const bool second = !options[0][0].within_device() && options[1][0].within_device();
    CablingFaultKind kind = CablingFaultKind::kSwappedCables;
    for (const auto& option : options) {
      const Pair& pair = option[0];
      if (!pair.within_device() || !s_.plan.devices[pair.from_device].is_host()) continue;
      const Fabric& fabric = s_.found.fabric;
      const bool one_card = fabric.owner(pair.move.from) == fabric.owner(pair.move.to);
      kind = one_card ? CablingFaultKind::kExchangedPorts : CablingFaultKind::kExchangedRails;
    }
    CablingFault& fault = add(kind);
    for (const Pair& pair : options[second ? 1 : 0]) {
      fault.cables.push_back(pair.move.cable);
      fault.found.push_back(pair.move.stays);
      fault.moves.push_back(pair.move);
    }
  }

  const MatchedSides& s_;
  Cabling& result_;
  Slot channels_;
  std::vector<std::uint32_t> missing_at_;      // by slot
  std::vector<std::uint8_t> is_extra_, done_;  // by slot
  std::unordered_map<std::string, std::uint32_t> host_device_;
  std::vector<CablingMove> unplanned_;  // removals
  std::vector<CablingFault> faults_;
};

}  // namespace

void find_moves(const MatchedSides& sides, Cabling& cabling) { MoveFinder(sides, cabling).run(); }

std::vector<CablingMove> Cabling::ordered_moves(const Fabric& fabric) const {
  std::vector<CablingMove> left, ordered;
  for (const CablingFault& fault : faults) {
    for (const CablingMove& move : fault.moves) {
      (move.is_removal() ? ordered : left).push_back(move);
    }
  }
  Table<Channel, std::uint8_t> leaves(fabric.num_channels());  // an end there is moved later
  for (const CablingMove& move : left) leaves[move.from] = 1;
  while (!left.empty()) {
    const std::size_t before = left.size();
    std::erase_if(left, [&](const CablingMove& move) {
      if (move.to != kNone<Channel> && leaves[move.to] != 0) return false;
      leaves[move.from] = 0;
      ordered.push_back(move);
      return true;
    });
    if (left.size() < before) continue;
    leaves[left.front().from] = 0;  // a ring
    ordered.push_back(left.front());
    left.erase(left.begin());
  }
  return ordered;
}

}  // namespace fatwood
