// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The channels of each group of ports, as lists in one array: they are gone through far more often
// than groups change, and bits of a mask one by one take longer than a list.
//
// Cost: O(ports) per group.

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "routing/adaptive/least_hop_groups.hpp"
#include "topology/fabric.hpp"

namespace fatwood {

class GroupChannels {
 public:
  explicit GroupChannels(const Fabric& fabric)
      : every_(fabric.num_channels()), lists_(fabric.num_switches()) {
    std::iota(every_.begin(), every_.end(), 0U);
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      first_.push_back(index(fabric.channel(fabric.node(s), kOwnPort)));
    }
  }

  // Lists the groups of the table, after their numbers changed.
  void take(const GroupTable& table) {
    channels_.clear();
    for (std::uint32_t s = 0; s < lists_.size(); ++s) {
      lists_[s].clear();
      add(s, table);
    }
  }
  // Lists those that were added to the groups of a switch.
  void add(std::uint32_t s, const GroupTable& table) {
    for (std::size_t number = lists_[s].size(); number < table.sets[s].size(); ++number) {
      const auto begin = static_cast<std::uint32_t>(channels_.size());
      each_port(table.sets[s][number], [&](Port port) { channels_.push_back(channel(s, port)); });
      lists_[s].push_back({begin, static_cast<std::uint32_t>(channels_.size())});
    }
  }

  std::uint32_t channel(std::uint32_t s, Port port) const { return first_[s] + index(port); }
  // By ascending port; of number 0 the default port, if there is one. Valid until the next add().
  std::span<const std::uint32_t> of(std::uint32_t s, std::uint16_t number, Port own) const {
    if (number == 0 && own == kNoRoute) return {};
    if (number == 0) return {every_.data() + channel(s, own), 1};
    const List& list = lists_[s][number];
    return {channels_.data() + list.begin, channels_.data() + list.end};
  }

 private:
  struct List {
    std::uint32_t begin, end;
  };
  std::vector<std::uint32_t> first_;  // by switch: the channel of port 0
  std::vector<std::uint32_t> every_;  // each channel, as a list of its own
  std::vector<std::uint32_t> channels_;
  std::vector<std::vector<List>> lists_;  // by switch and number
};

}  // namespace fatwood
