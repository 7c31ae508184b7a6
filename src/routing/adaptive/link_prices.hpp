// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loads, target loads and prices of links, for even_groups.hpp.
//
// The target load of a link is the largest fair share of the cuts it belongs to
// (topology/levels/tree_cuts.hpp). Without cuts it is in proportion to the speed, and the caller
// says to what load (aim_at). The price is exponential in load / target load: 1 at the target load,
// e^3 at the overload of the pass, from where a link is called hot.
// Cost: O(links) per pass, O(1) per change.

#include <cstdint>
#include <vector>

#include "routing/adaptive/port_mask.hpp"
#include "routing/even/steep_price.hpp"
#include "topology/model.hpp"

namespace fatwood {

class LinkPrices {
 public:
  // Loads are in units of FlowSources, all 0 at first.
  LinkPrices(const Model& model, std::uint64_t units_in_one);

  bool has_cuts() const { return has_cuts_; }
  // The largest load / target load.
  double most_loaded() const;
  // Multiplies all target loads. Returns the factor.
  double aim_at(double times);
  void add_load(std::uint32_t channel, double load) { load_[channel] += load; }
  // Computes all prices, for a pass against this overload.
  void begin_pass(double overload);

  // Of a channel between switches.
  double load(std::uint32_t channel) const { return load_[channel]; }
  double target(std::uint32_t channel) const { return target_[channel]; }
  float price(std::uint32_t channel) const { return price_[channel]; }
  float price_with(std::uint32_t channel, double load) const {
    return price_exp(steep_ * static_cast<float>(load / target_[channel] - 1));
  }
  // `port`: that of the channel at its switch. `price`: price_with(channel, load).
  void set(std::uint32_t s, Port port, std::uint32_t channel, double load, float price) {
    load_[channel] = load;
    price_[channel] = price;
    price > hot_ ? put(hot_ports_[s], port) : drop(hot_ports_[s], port);
  }
  float hot() const { return hot_; }  // the price above which a link is hot
  const PortMask& hot_ports(std::uint32_t s) const { return hot_ports_[s]; }

 private:
  static constexpr float kExponent = 3;

  const Fabric& fabric_;
  std::vector<double> target_;  // by channel; 0 if it is not between switches
  bool has_cuts_;
  std::vector<double> load_;         // by channel
  std::vector<float> price_;         // by channel
  std::vector<PortMask> hot_ports_;  // by switch
  float steep_ = 0;
  const float hot_ = price_exp(kExponent);
};

}  // namespace fatwood
