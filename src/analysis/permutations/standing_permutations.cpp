// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/permutations/standing_permutations.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kStream = 11;

}  // namespace

StandingPermutations::StandingPermutations(const Model& model, const ForwardingTables& tables,
                                           const StandingFlows& flows, std::size_t samples,
                                           std::uint64_t seed)
    : standing_(flows),
      samples_(samples),
      terminals_(model.fabric().num_terminals()),
      channels_(model.fabric().num_channels()),
      source_(samples * terminals_, kNone<Terminal>),
      flows_(samples * channels_),
      by_time_(samples) {
  const Fabric& fabric = model.fabric();
  const auto& ports = model.adapters().all_terminals();
  for (const Terminal t : ports) {
    const Channel into = fabric.peer(fabric.terminal_channel(t));
    host_time_ = std::max(host_time_, flows.unit_time(into));
  }
  for (std::size_t sample = 0; sample < samples; ++sample) {
    Random random(seed, sample, kStream);
    const auto to = random.permutation(static_cast<std::uint32_t>(ports.size()));
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const Terminal destination = ports[to[i]];
      const Switch first = fabric.leaf(ports[i]), home = fabric.leaf(destination);
      if (to[i] == i || first == kNone<Switch> || home == kNone<Switch>) continue;
      source_[sample * terminals_ + index(destination)] = ports[i];
      const auto row = tables.row(tables.destination(destination));
      std::uint32_t s = index(first);
      for (std::size_t hops = 0; s != index(home) && hops < row.size(); ++hops) {
        const Hop hop = model.hop_map().at(s, row[s]);
        if (!hop.to_switch()) break;
        ++flows_[sample * channels_ + index(fabric.channel(fabric.node(Switch{s}), row[s]))];
        s = hop.next();
      }
    }
    for (const Channel c : ids<Channel>(channels_)) {
      if (this->flows(sample, c) > 0) by_time_[sample].push_back(c);
    }
    std::ranges::stable_sort(by_time_[sample], std::greater{}, [&](Channel c) {
      return this->flows(sample, c) * standing_.unit_time(c);
    });
  }
}

double StandingPermutations::gigabits() const {
  if (!standing_.rates_known() || samples_ == 0 || host_time_ <= 0) return 0;
  double sum = 0;
  for (std::size_t sample = 0; sample < samples_; ++sample) {
    double longest = host_time_;
    if (!by_time_[sample].empty()) {
      const Channel first = by_time_[sample].front();
      longest = std::max(longest, flows(sample, first) * standing_.unit_time(first));
    }
    sum += 1 / longest;
  }
  return sum / static_cast<double>(samples_);
}

}  // namespace fatwood
