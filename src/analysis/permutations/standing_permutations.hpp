// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Random permutations over tables in use: how many flows each channel has when every host port
// sends to one other, kept so that a fault costs only the flows it moves (fault_cost.hpp).
//
// A sample is a permutation of the ports of hosts that count; a port drawn for itself sends
// nothing. What such a sample gives is the rate of its slowest flow: one over the longest time of
// a channel, which is its flows over its rate, and no more than a host's cable has. By the first
// address of a port. Encoding: flows by sample and channel, and the channels of each sample in
// order of time. Cost: samples * ports * path length; 4 bytes a channel and sample twice.

#include <cstdint>
#include <span>
#include <vector>

#include "routing/improve/standing_flows.hpp"

namespace fatwood {

class StandingPermutations {
 public:
  // REQUIRES tables of this model's size, and their flows. All must outlive this.
  StandingPermutations(const Model& model, const ForwardingTables& tables,
                       const StandingFlows& flows, std::size_t samples, std::uint64_t seed);

  std::size_t samples() const { return samples_; }
  // The sender of a terminal; kNone: no one sends to it.
  Terminal source(std::size_t sample, Terminal destination) const {
    return source_[sample * terminals_ + index(destination)];
  }
  std::uint32_t flows(std::size_t sample, Channel c) const {
    return flows_[sample * channels_ + index(c)];
  }
  // Channels between switches that carry something, the longest time first.
  std::span<const Channel> by_time(std::size_t sample) const { return by_time_[sample]; }
  // Of one flow on the slowest cable of a host.
  double host_time() const { return host_time_; }
  // The mean over samples of what the slowest flow gets; 0: rates unknown.
  double gigabits() const;

 private:
  const StandingFlows& standing_;
  std::size_t samples_, terminals_, channels_;
  std::vector<Terminal> source_;      // [sample][terminal]
  std::vector<std::uint32_t> flows_;  // [sample][channel]
  std::vector<std::vector<Channel>> by_time_;
  double host_time_ = 0;
};

}  // namespace fatwood
