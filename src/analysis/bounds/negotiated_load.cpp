// SPDX-License-Identifier: BSD-3-Clause
// An upper bound of OLOAD: finds routes for given flows, each on one shortest path, with a small
// maximum load.
//
// Method: negotiated congestion ([McMurchie95]). Flows are routed one after the other on their
// cheapest shortest paths. The cost of a channel grows with its overload, and with each round in
// which it was overloaded. In each round every flow is removed and routed again, until no channel
// is overloaded or a limit of rounds is reached. The best round counts. Numbers are integers, so
// the result is a proof that the flows can be carried.
//
// Cost: O(flows * channels on shortest paths) per round.

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "analysis/bounds/oload.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();
constexpr int kRounds = 200;
constexpr std::int64_t kStepCost = 4;     // of any channel
constexpr std::int64_t kExcessCost = 16;  // per multiple of the flow's amount above the limit
constexpr std::int64_t kHistoryCost = 8;  // per round in which it was above the limit

class Negotiation {
 public:
  Negotiation(const Model& model, const Traffic& traffic)
      : fabric_(model.fabric()),
        speeds_(model.speeds()),
        units_(traffic.units_in_one),
        cables_(fabric_.num_switches()),
        load_(fabric_.num_channels()),
        history_(fabric_.num_channels()),
        cost_(fabric_.num_switches()),
        seen_(fabric_.num_switches()),
        before_(fabric_.num_switches(), kNone<Channel>) {
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      for (const SwitchLink& link : fabric_.links(s)) cables_[index(s)].push_back(link);
    }
    for (const Flow& flow : traffic.flows) {
      const Terminal from = model.adapters().terminals(flow.source).front();
      const Terminal to = model.adapters().terminals(flow.destination).front();
      load_[index(fabric_.terminal_channel(from))] += flow.units;
      load_[index(fabric_.peer(fabric_.terminal_channel(to)))] += flow.units;
      laid_.push_back({index(fabric_.leaf(from)), hops_to(fabric_.leaf(to)), flow.units, {}});
    }
  }

  NegotiatedLoad run() {
    for (Laid& flow : laid_) lay(flow);
    NegotiatedLoad best{largest(), meeting()};
    for (int round = 0; round < kRounds && remember() > 0; ++round) {
      for (Laid& flow : laid_) {
        for (const Channel c : flow.path) load_[index(c)] -= flow.units;
        lay(flow);
      }
      if (const Fraction now = largest(); now < best.largest) best = {now, meeting()};
    }
    return best;
  }

 private:
  struct Laid {
    std::uint32_t from;
    const std::vector<std::uint32_t>* hops;  // of switches to its end
    std::int64_t units;
    std::vector<Channel> path;  // between switches
  };

  const std::vector<std::uint32_t>* hops_to(Switch end) {
    const auto [at, fresh] = hops_.try_emplace(end);
    std::vector<std::uint32_t>& hops = at->second;
    if (!fresh) return &hops;
    hops.assign(fabric_.num_switches(), kFar);
    std::vector<std::uint32_t> order{index(end)};
    hops[index(end)] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const SwitchLink& cable : cables_[order[i]]) {
        const std::uint32_t to = index(cable.to);
        if (hops[to] != kFar) continue;
        hops[to] = hops[order[i]] + 1;
        order.push_back(to);
      }
    }
    return &hops;
  }

  // The excess of the units over the limit of the channel.
  std::int64_t excess(Channel c, std::int64_t units) const {
    return units * speeds_.usual() - units_ * speeds_.speed(c);
  }

  // Routes the flow on the cheapest path; on a tie, the one whose channels come first.
  void lay(Laid& flow) {
    const std::vector<std::uint32_t>& hops = *flow.hops;
    flow.path.clear();
    if (hops[flow.from] == kFar) return;
    ++now_;
    here_.assign(1, flow.from);
    cost_[flow.from] = 0;
    std::uint32_t end = flow.from;
    for (std::uint32_t left = hops[flow.from]; left > 0; --left) {
      there_.clear();
      for (const std::uint32_t s : here_) {
        for (const SwitchLink& cable : cables_[s]) {
          const std::uint32_t to = index(cable.to);
          if (hops[to] + 1 != left) continue;
          const std::int64_t cost = cost_[s] + cost_of(cable.channel, flow.units);
          const bool fresh = seen_[to] != now_;
          if (fresh) there_.push_back(to);
          if (!fresh && cost >= cost_[to]) continue;
          seen_[to] = now_;
          cost_[to] = cost;
          before_[to] = cable.channel;
        }
      }
      here_.swap(there_);
      end = here_.front();  // the last round has the end alone
    }
    for (std::uint32_t s = end; s != flow.from;) {
      const Channel c = before_[s];
      flow.path.push_back(c);
      load_[index(c)] += flow.units;
      s = index(fabric_.as_switch(fabric_.owner(c)));
    }
  }

  std::int64_t cost_of(Channel c, std::int64_t units) const {
    const std::int64_t above = excess(c, load_[index(c)] + units);
    const std::int64_t cost = kStepCost + kHistoryCost * history_[index(c)];
    return above <= 0 ? cost : cost + kExcessCost * (1 + above / (units * speeds_.usual()));
  }

  // Counts the channels above the limit, and raises their history.
  std::size_t remember() {
    std::size_t above = 0;
    for (const Channel c : ids<Channel>(fabric_.num_channels())) {
      if (!fabric_.connected(c) || excess(c, load_[index(c)]) <= 0) continue;
      ++history_[index(c)];
      ++above;
    }
    return above;
  }

  std::vector<std::size_t> meeting() const {
    std::vector<std::int64_t> load = load_;
    std::vector<std::size_t> flows;
    for (std::size_t i = laid_.size(); i-- > 0;) {
      const Laid& flow = laid_[i];
      if (std::ranges::none_of(flow.path,
                               [&](Channel c) { return excess(c, load[index(c)]) > 0; })) {
        continue;
      }
      for (const Channel c : flow.path) load[index(c)] -= flow.units;
      flows.push_back(i);
    }
    return flows;
  }

  Fraction largest() const {
    Fraction most = 0;
    for (const Channel c : ids<Channel>(fabric_.num_channels())) {
      if (load_[index(c)] == 0) continue;
      most = std::max(
          most, Fraction(load_[index(c)], units_) * Fraction(speeds_.usual(), speeds_.speed(c)));
    }
    return most;
  }

  const Fabric& fabric_;
  const ChannelSpeeds& speeds_;
  std::int64_t units_;
  std::vector<std::vector<SwitchLink>> cables_;  // by switch
  std::map<Switch, std::vector<std::uint32_t>> hops_;
  std::vector<Laid> laid_;
  std::vector<std::int64_t> load_, history_;  // by channel
  // By switch, for the current flow.
  std::vector<std::int64_t> cost_;
  std::vector<std::uint32_t> seen_;
  std::vector<Channel> before_;  // the channel by which it is reached
  std::uint32_t now_ = 0;
  std::vector<std::uint32_t> here_, there_;
};

}  // namespace

std::optional<NegotiatedLoad> negotiated_load(const Model& model, const Traffic& traffic) {
  for (const Flow& flow : traffic.flows) {
    for (const Adapter adapter : {flow.source, flow.destination}) {
      const auto terminals = model.adapters().terminals(adapter);
      if (terminals.size() != 1) return std::nullopt;
      if (model.fabric().leaf(terminals.front()) == kNone<Switch>) return std::nullopt;
    }
  }
  return Negotiation(model, traffic).run();
}

}  // namespace fatwood
