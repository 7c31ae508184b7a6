// SPDX-License-Identifier: BSD-3-Clause
#include "routing/adaptive/link_prices.hpp"

#include <algorithm>

#include "topology/channel_speeds.hpp"
#include "topology/levels/tree_cuts.hpp"

namespace fatwood {

namespace {

// All-to-all: the largest fair share of the cuts of each link. Empty if there are no cuts.
std::vector<double> fair_loads(const Model& model, std::uint64_t units_in_one) {
  const Fabric& fabric = model.fabric();
  std::vector<double> fair(fabric.num_channels());
  const std::vector<TreeCut> cuts = tree_cuts(fabric, model.levels());
  const std::vector<CutShare> shares = all_to_all_shares(model, cuts, model.counted());
  if (shares.empty()) return {};
  const auto raise = [&](Channel c, double load) {
    const double part =
        static_cast<double>(model.speeds().speed(c)) / static_cast<double>(model.speeds().usual());
    double& own = fair[index(c)];
    own = std::max(own, load * part * static_cast<double>(units_in_one));
  };
  double largest = 0;
  for (const CutShare& share : shares) {
    largest = std::max(largest, share.fair.value());
    for (const Channel c : cuts[share.cut].links) {
      raise(share.crossing == CutDirection::kOut ? c : fabric.peer(c), share.fair.value());
    }
  }
  // Links within a level are in no cut.
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (fabric.between_switches(c) && fair[index(c)] == 0) raise(c, largest);
  }
  return fair;
}

std::vector<double> speeds_of_links(const Model& model) {
  std::vector<double> speeds(model.fabric().num_channels());
  for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
    if (!model.fabric().between_switches(c)) continue;
    speeds[index(c)] = static_cast<double>(model.speeds().speed(c));
  }
  return speeds;
}

}  // namespace

LinkPrices::LinkPrices(const Model& model, std::uint64_t units_in_one)
    : fabric_(model.fabric()),
      target_(fair_loads(model, units_in_one)),
      has_cuts_(!target_.empty()),
      load_(fabric_.num_channels()),
      price_(fabric_.num_channels()),
      hot_ports_(fabric_.num_switches()) {
  if (!has_cuts_) target_ = speeds_of_links(model);
}

double LinkPrices::most_loaded() const {
  double most = 0;
  for (std::size_t c = 0; c < load_.size(); ++c) {
    if (target_[c] > 0) most = std::max(most, load_[c] / target_[c]);
  }
  return most;
}

double LinkPrices::aim_at(double times) {
  for (double& target : target_) target *= times;
  return times;
}

void LinkPrices::begin_pass(double overload) {
  steep_ = kExponent / static_cast<float>(overload);
  for (const Switch s : ids<Switch>(fabric_.num_switches())) {
    for (const SwitchLink& link : fabric_.links(s)) {
      const std::uint32_t c = index(link.channel);
      if (target_[c] > 0) set(index(s), link.port, c, load_[c], price_with(c, load_[c]));
    }
  }
}

}  // namespace fatwood
