// SPDX-License-Identifier: BSD-3-Clause
#include "topology/match/cabling.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/sort_unique.hpp"

namespace fatwood {

std::string_view kind_word(CablingFaultKind kind) {
  constexpr std::array<std::string_view, 16> kWords{
      "missing_cable",  "extra_cable",     "wrong_port",       "wrong_device",
      "swapped_cables", "exchanged_ports", "exchanged_rails",  "swapped_devices",
      "swapped_racks",  "device_down",     "unplanned_device", "slow_link",
      "narrow_link",    "wrong_part",      "wrong_length",     "flapping_link"};
  return kWords[static_cast<std::size_t>(kind)];
}

bool is_incomplete(CablingFaultKind kind) {
  return kind == CablingFaultKind::kMissing || kind == CablingFaultKind::kDown;
}

namespace {

constexpr std::size_t kLeastExchangeGain = 3;
constexpr std::uint32_t kNoCable = 0xffffffffU;

std::vector<std::vector<std::uint32_t>> cables_by_device(const Plan& plan) {
  std::vector<std::vector<std::uint32_t>> result(plan.devices.size());
  for (std::uint32_t k = 0; k < plan.cables.size(); ++k) {
    result[plan.cables[k].a.device].push_back(k);
    result[plan.cables[k].b.device].push_back(k);
  }
  return result;
}

class CableChecker {
 public:
  CableChecker(const Plan& plan, const PlannedFabric& planned, const MatchSide& found)
      : plan_(plan),
        planned_(planned),
        found_(found),
        cables_of_(cables_by_device(plan)),
        device_of_(planned.fabric.num_nodes(), 0),
        chip_of_(planned.fabric.num_nodes(), 0) {
    for (std::uint32_t d = 0; d < planned.nodes.size(); ++d) {
      for (std::uint32_t c = 0; c < planned.nodes[d].size(); ++c) {
        device_of_[planned.nodes[d][c]] = d;
        chip_of_[planned.nodes[d][c]] = c;
      }
    }
  }

  Cabling run() {
    result_.match = match_nodes(planned_side(plan_, planned_), found_);
    found_of_ = result_.match.found_of;
    planned_of_ = result_.match.planned_of;
    find_exchanged();
    find_states();
    find_down();
    find_extra();
    pair_up();
    group_swaps(plan_, result_.faults);
    return std::move(result_);
  }

 private:
  // --- exchanged devices ---
  struct DevicePair {
    std::uint32_t a, b;
    auto operator<=>(const DevicePair&) const = default;
  };
  Channel in_found(Channel c) const {
    const Node node = found_of_[planned_.fabric.owner(c)];
    return node == kNone<Node> ? kNone<Channel>
                               : found_.fabric.find_channel(node, index(planned_.fabric.port(c)));
  }
  bool is_right(std::uint32_t cable) const {
    const auto [a, b] = planned_.cables[cable];
    const Channel here = in_found(a);
    const Channel there = in_found(b);
    return here != kNone<Channel> && there != kNone<Channel> && found_.peer[here] == there;
  }

  // The device whose port of the same chip and number is where the end at `c` should be.
  std::uint32_t sitting_at(Channel c) const {
    const Channel far = in_found(planned_.fabric.peer(c));
    const Channel here = far == kNone<Channel> ? far : found_.peer[far];
    if (here == kNone<Channel>) return kNoCable;
    const Node node = planned_of_[found_.fabric.owner(here)];
    if (node == kNone<Node> || found_.fabric.port(here) != planned_.fabric.port(c)) return kNoCable;
    return chip_of_[node] == chip_of_[planned_.fabric.owner(c)] ? device_of_[node] : kNoCable;
  }

  void find_exchanged() {
    std::map<DevicePair, std::size_t> count;
    for (std::uint32_t k = 0; k < plan_.cables.size(); ++k) {
      for (const Channel c : {planned_.cables[k].first, planned_.cables[k].second}) {
        const std::uint32_t device = device_of_[planned_.fabric.owner(c)];
        const std::uint32_t other = sitting_at(c);
        if (other == kNoCable || other == device) continue;
        ++count[{std::min(other, device), std::max(other, device)}];
      }
    }
    std::vector<std::pair<std::size_t, DevicePair>> order;
    for (const auto& [pair, times] : count) {
      if (times >= least_gain(pair)) order.emplace_back(times, pair);
    }
    std::ranges::stable_sort(order, std::greater{}, [](const auto& one) { return one.first; });
    for (const auto& [times, pair] : order) try_exchange(pair);
  }

  // Nameless devices were matched by their cables: a better match of two of them is no fault.
  bool is_named(std::uint32_t device) const {
    return std::ranges::any_of(planned_.nodes[device], [&](Node p) {
      return result_.match.by[p] == MatchedBy::kGuid || result_.match.by[p] == MatchedBy::kName;
    });
  }
  std::size_t least_gain(const DevicePair& pair) const {
    return is_named(pair.a) || is_named(pair.b) ? kLeastExchangeGain : 1;
  }

  void try_exchange(const DevicePair& pair) {
    std::vector<std::uint32_t> cables = cables_of_[pair.a];
    cables.insert(cables.end(), cables_of_[pair.b].begin(), cables_of_[pair.b].end());
    sort_unique(cables);
    std::vector<std::uint8_t> before;
    for (const std::uint32_t k : cables) before.push_back(is_right(k) ? 1 : 0);
    exchange(pair);
    std::vector<std::uint32_t> mended;
    std::size_t spoilt = 0, right = 0;
    for (std::size_t i = 0; i < cables.size(); ++i) {
      const bool now = is_right(cables[i]);
      right += now ? 1 : 0;
      if (now && before[i] == 0) mended.push_back(cables[i]);
      if (!now && before[i] != 0) ++spoilt;
    }
    const bool named = is_named(pair.a) || is_named(pair.b);
    if (mended.size() < spoilt + least_gain(pair) || (named && right * 2 <= cables.size())) {
      return exchange(pair);
    }
    if (!named) {
      result_.match.found_of = found_of_;
      result_.match.planned_of = planned_of_;
      return;
    }
    CablingFault& fault = add(CablingFaultKind::kSwappedDevices);
    fault.devices = {pair.a, pair.b};
    fault.cables = std::move(mended);
  }
  void exchange(const DevicePair& pair) {
    const std::vector<Node>& a = planned_.nodes[pair.a];
    const std::vector<Node>& b = planned_.nodes[pair.b];
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      std::swap(found_of_[a[i]], found_of_[b[i]]);
      for (const Node p : {a[i], b[i]}) {
        if (found_of_[p] != kNone<Node>) planned_of_[found_of_[p]] = p;
      }
    }
  }

  // --- states ---
  CablingFault& add(CablingFaultKind kind) {
    CablingFault& fault = result_.faults.emplace_back();
    fault.kind = kind;
    return fault;
  }
  bool answers(std::uint32_t device) const {
    return std::ranges::any_of(planned_.nodes[device],
                               [&](Node p) { return found_of_[p] != kNone<Node>; });
  }

  void find_states() {
    result_.state.assign(plan_.cables.size(), CableState::kMissing);
    result_.found.assign(plan_.cables.size(), kNone<Channel>);
    is_planned_ = Table<Channel, std::uint8_t>(found_.fabric.num_channels());
    missing_at_ = Table<Channel, std::uint32_t>(found_.fabric.num_channels(), kNoCable);
    for (std::uint32_t k = 0; k < plan_.cables.size(); ++k) {
      const Channel here = in_found(planned_.cables[k].first);
      const Channel there = in_found(planned_.cables[k].second);
      if (is_right(k)) {
        result_.state[k] = CableState::kRight;
        result_.found[k] = here;
        is_planned_[here] = is_planned_[there] = 1;
      } else if (!answers(plan_.cables[k].a.device) || !answers(plan_.cables[k].b.device)) {
        result_.state[k] = CableState::kUnknown;
      } else if (here != kNone<Channel> && there != kNone<Channel>) {
        missing_at_[here] = missing_at_[there] = k;
      } else {
        add(CablingFaultKind::kMissing).cables = {k};  // an adapter or a port that does not answer
      }
    }
  }

  // A device that does not answer is a fault if a neighbour answers. Others can't be reached at
  // all: they are behind the nearest such device.
  void find_down() {
    const auto other = [&](std::uint32_t d, std::uint32_t k) {
      const PlanCable& cable = plan_.cables[k];
      return cable.a.device == d ? cable.b.device : cable.a.device;
    };
    std::vector<std::uint8_t> open(plan_.devices.size());  // does not answer, in no fault yet
    std::vector<std::uint32_t> seen, hidden;               // by their neighbours
    for (std::uint32_t d = 0; d < plan_.devices.size(); ++d) {
      open[d] = cables_of_[d].empty() || answers(d) ? 0 : 1;
      if (open[d] == 0) continue;
      const bool by_neighbour =
          std::ranges::any_of(cables_of_[d], [&](std::uint32_t k) { return answers(other(d, k)); });
      (by_neighbour ? seen : hidden).push_back(d);
    }
    std::vector<std::pair<std::uint32_t, std::size_t>> queue;  // device, fault
    const auto claim = [&](std::uint32_t d, std::size_t fault) {
      open[d] = 0;
      result_.faults[fault].devices.push_back(d);
      queue.emplace_back(d, fault);
    };
    const auto start = [&](std::uint32_t d) {
      add(CablingFaultKind::kDown);
      claim(d, result_.faults.size() - 1);
    };
    auto spread = [&, next = std::size_t{0}]() mutable {
      for (; next < queue.size(); ++next) {
        const auto [d, fault] = queue[next];
        for (const std::uint32_t k : cables_of_[d]) {
          result_.faults[fault].cables.push_back(k);
          if (open[other(d, k)] != 0) claim(other(d, k), fault);
        }
      }
    };
    for (const std::uint32_t d : seen) start(d);
    spread();
    // A part of which nothing answers: its switches first.
    std::ranges::stable_partition(hidden, [&](auto d) { return !plan_.devices[d].is_host(); });
    for (const std::uint32_t d : hidden) {
      if (open[d] != 0) start(d);
      spread();
    }
    for (CablingFault& fault : result_.faults) {
      if (fault.kind == CablingFaultKind::kDown) sort_unique(fault.cables);
    }
  }

  void find_extra() {
    is_extra_ = Table<Channel, std::uint8_t>(found_.fabric.num_channels());
    std::map<Node, std::vector<Channel>> unplanned;
    for (const Channel c : ids<Channel>(found_.fabric.num_channels())) {
      const Channel far = found_.peer[c];
      if (far == kNone<Channel> || is_planned_[c] != 0) continue;
      if (planned_of_[found_.fabric.owner(c)] == kNone<Node>) {
        unplanned[found_.fabric.owner(c)].push_back(c);
      } else if (planned_of_[found_.fabric.owner(far)] != kNone<Node>) {
        is_extra_[c] = 1;
      }
    }
    for (auto& [node, cables] : unplanned) {
      CablingFault& fault = add(CablingFaultKind::kUnplannedDevice);
      fault.nodes = {node};
      fault.found = std::move(cables);
    }
  }

  // --- moves ---
  // A planned cable that is missing or a found one that is extra, seen from one end.
  struct Edge {
    std::uint32_t cable = kNoCable;  // planned; kNoCable: the found one out of `near`
    Channel near = kNone<Channel>;   // found ports
    Channel far = kNone<Channel>;
    bool is_missing() const { return cable != kNoCable; }
  };
  Edge missing_from(Channel near) const {
    const std::uint32_t k = missing_at_[near];
    const Channel a = in_found(planned_.cables[k].first);
    const Channel b = in_found(planned_.cables[k].second);
    return {k, near, near == a ? b : a};
  }
  // The edge of the other kind at the far end; nothing there: near is kNone.
  Edge next(const Edge& edge) const {
    if (edge.is_missing()) {
      return is_extra_[edge.far] != 0 ? Edge{kNoCable, edge.far, found_.peer[edge.far]} : Edge{};
    }
    return missing_at_[edge.far] != kNoCable ? missing_from(edge.far) : Edge{};
  }
  bool is_end(const Edge& edge) const {  // no edge of the other kind at the near end
    return edge.is_missing() ? is_extra_[edge.near] == 0 : missing_at_[edge.near] == kNoCable;
  }

  void pair_up() {
    done_ = Table<Channel, std::uint8_t>(found_.fabric.num_channels());
    for (const bool cycles : {false, true}) {
      for (const Channel c : ids<Channel>(found_.fabric.num_channels())) {
        if (missing_at_[c] != kNoCable && done_[c] == 0) walk(missing_from(c), cycles);
        if (is_extra_[c] != 0 && done_[c] == 0) walk({kNoCable, c, found_.peer[c]}, cycles);
      }
    }
  }
  void walk(Edge edge, bool cycles) {
    if (!cycles && !is_end(edge)) return;
    std::vector<Edge> path;
    const Channel first = edge.near;
    while (edge.near != kNone<Channel> && (path.empty() || edge.near != first)) {
      path.push_back(edge);
      edge = next(edge);
    }
    // An edge whose both ends were visited as part of an earlier path.
    if (std::ranges::all_of(path, [&](const Edge& e) { return done_[e.near] != 0; })) return;
    for (const Edge& e : path) done_[e.near] = done_[e.far] = 1;
    const bool cycle = edge.near != kNone<Channel>;
    if (cycle && path.size() == 4) return add_swap(path);
    for (std::size_t i = 0; i < path.size(); i += 2) {
      if (i + 1 < path.size()) {
        add_pair(path[i], path[i + 1]);
      } else {
        add_single(path[i]);
      }
    }
  }

  void add_single(const Edge& edge) {
    if (edge.is_missing()) {
      add(CablingFaultKind::kMissing).cables = {edge.cable};
      return;
    }
    CablingFault& fault = add(CablingFaultKind::kExtra);
    fault.found = {edge.near};
    fault.moves.push_back({edge.near, edge.far, kNone<Channel>, kNoCable});
  }

  // A missing and an extra cable that share a port.
  CablingMove move_of(const Edge& one, const Edge& other) {
    const Edge& missing = one.is_missing() ? one : other;
    const Edge& extra = one.is_missing() ? other : one;
    const Channel shared = one.far;  // also other.near
    const auto other_end = [&](const Edge& e) { return e.near == shared ? e.far : e.near; };
    result_.state[missing.cable] = CableState::kWrong;
    return {shared, other_end(extra), other_end(missing), missing.cable};
  }
  std::uint32_t device_at(Channel found) const {
    return device_of_[planned_of_[found_.fabric.owner(found)]];
  }
  void add_pair(const Edge& one, const Edge& other) {
    const CablingMove move = move_of(one, other);
    const bool same = device_at(move.from) == device_at(move.to);
    CablingFault& fault = add(same ? CablingFaultKind::kWrongPort : CablingFaultKind::kWrongDevice);
    fault.cables = {move.cable};
    fault.found = {move.stays};
    fault.moves = {move};
  }

  // Both ways to pair the cycle mend it; the ends of one device are moved, if there is one.
  void add_swap(const std::vector<Edge>& path) {
    std::array<std::vector<CablingMove>, 2> options;
    options[0] = {move_of(path[0], path[1]), move_of(path[2], path[3])};
    options[1] = {move_of(path[1], path[2]), move_of(path[3], path[0])};
    const auto near = [&](const CablingMove& move) {
      return device_at(move.from) == device_at(move.to);
    };
    const bool second = !near(options[0][0]) && near(options[1][0]);
    std::vector<CablingMove>& moves = options[second ? 1 : 0];
    CablingFaultKind kind = CablingFaultKind::kSwappedCables;
    for (const auto& option : options) {
      if (!near(option[0]) || !plan_.devices[device_at(option[0].from)].is_host()) continue;
      const bool one_card =
          found_.fabric.owner(option[0].from) == found_.fabric.owner(option[0].to);
      kind = one_card ? CablingFaultKind::kExchangedPorts : CablingFaultKind::kExchangedRails;
    }
    CablingFault& fault = add(kind);
    for (const CablingMove& move : moves) {
      fault.cables.push_back(move.cable);
      fault.found.push_back(move.stays);
    }
    fault.moves = std::move(moves);
  }

  const Plan& plan_;
  const PlannedFabric& planned_;
  const MatchSide& found_;
  const std::vector<std::vector<std::uint32_t>> cables_of_;  // by device of the plan
  Table<Node, std::uint32_t> device_of_, chip_of_;
  Table<Node, Node> found_of_, planned_of_;                    // corrected for exchanged devices
  Table<Channel, std::uint8_t> is_planned_, is_extra_, done_;  // by found port
  Table<Channel, std::uint32_t> missing_at_;
  Cabling result_;
};

}  // namespace

Cabling check_cables(const Plan& plan, const PlannedFabric& planned, const MatchSide& found) {
  return CableChecker(plan, planned, found).run();
}

}  // namespace fatwood
