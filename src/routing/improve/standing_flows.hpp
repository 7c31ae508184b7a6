// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All-to-all flows of the tables in use: the load of each channel and, for each address and switch,
// the flow that arrives at the switch. With these, the effect of a few changed entries is computed
// from the difference alone.
//
// Method: that of row_flows.hpp; the sums along each tree are stored. Flows are in whole units.
// Cost: O(addresses * switches) time, and 4 bytes per table entry.

#include <cstdint>
#include <vector>

#include "core/fraction.hpp"
#include "routing/tables/routing.hpp"
#include "topology/model.hpp"

namespace fatwood {

class StandingFlows {
 public:
  // REQUIRES tables of this model's size.
  StandingFlows(const Model& model, const ForwardingTables& tables, int threads = 0);

  std::uint64_t units_in_one() const { return units_in_one_; }
  // By channel, host links included.
  const Table<Channel, std::int64_t>& flows() const { return flows_; }
  // By switch: flow to this address that arrives there. Empty for an address that does not count.
  std::span<const std::uint32_t> behind(Destination destination) const {
    if (index(destination) >= row_of_.size() || row_of_[index(destination)] == kNoRow) return {};
    return {behind_.data() + std::size_t{row_of_[index(destination)]} * switches_, switches_};
  }
  // Channels between switches, most flows first.
  const std::vector<Channel>& by_flows() const { return by_flows_; }
  // Time of a unit on a channel: 1 / (Gb/s); 1 if the rate is unknown.
  double unit_time(Channel c) const { return unit_time_[c]; }
  bool rates_known() const { return rates_known_; }  // of all cables that count
  bool between_switches(Channel c) const { return between_[c] != 0; }

 private:
  static constexpr std::uint32_t kNoRow = 0xffffffffU;

  void find_times(const Fabric& fabric);

  std::size_t switches_;
  std::uint64_t units_in_one_ = 1;
  Table<Channel, std::int64_t> flows_;
  std::vector<std::uint32_t> row_of_;  // by destination
  std::vector<std::uint32_t> behind_;
  Table<Channel, std::uint8_t> between_;
  Table<Channel, double> unit_time_;
  std::vector<Channel> by_flows_;
  bool rates_known_ = true;
};

}  // namespace fatwood
