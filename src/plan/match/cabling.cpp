// SPDX-License-Identifier: BSD-3-Clause
#include "plan/match/cabling.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>
#include <utility>

#include "core/sort_unique.hpp"
#include "plan/match/cabling_moves.hpp"

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
        planned_side_(planned_side(plan, planned)),
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
    result_.match = match_nodes(planned_side_, found_);
    found_of_ = result_.match.found_of;
    planned_of_ = result_.match.planned_of;
    find_exchanged();
    find_answers();
    find_states();
    find_down();
    find_moves({plan_, planned_, planned_side_, found_, device_of_, found_of_, planned_of_},
               result_);
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
  // A node of it was found, or an adapter of this host that is not planned.
  void find_answers() {
    std::unordered_set<std::string_view> hosts;
    for (const Node u : ids<Node>(found_.fabric.num_nodes())) {
      if (!found_.host[u].empty()) hosts.insert(found_.host[u]);
    }
    answers_.assign(plan_.devices.size(), 0);
    for (const Node p : ids<Node>(planned_.fabric.num_nodes())) {
      if (found_of_[p] != kNone<Node> || hosts.contains(planned_side_.host[p])) {
        answers_[device_of_[p]] = 1;
      }
    }
  }
  bool answers(std::uint32_t device) const { return answers_[device] != 0; }

  void find_states() {
    result_.state.assign(plan_.cables.size(), CableState::kMissing);
    result_.found.assign(plan_.cables.size(), kNone<Channel>);
    for (std::uint32_t k = 0; k < plan_.cables.size(); ++k) {
      if (is_right(k)) {
        result_.state[k] = CableState::kRight;
        result_.found[k] = in_found(planned_.cables[k].first);
      } else if (!answers(plan_.cables[k].a.device) || !answers(plan_.cables[k].b.device)) {
        result_.state[k] = CableState::kUnknown;
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

  const Plan& plan_;
  const PlannedFabric& planned_;
  const MatchSide& found_;
  const MatchSide planned_side_;
  const std::vector<std::vector<std::uint32_t>> cables_of_;  // by device of the plan
  Table<Node, std::uint32_t> device_of_, chip_of_;
  Table<Node, Node> found_of_, planned_of_;  // corrected for exchanged devices
  std::vector<std::uint8_t> answers_;        // by device
  Cabling result_;
};

}  // namespace

Cabling check_cables(const Plan& plan, const PlannedFabric& planned, const MatchSide& found) {
  return CableChecker(plan, planned, found).run();
}

}  // namespace fatwood
