// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Random permutations over the tables in use: the flows on each channel if every adapter port sends
// to one other port. They are stored, so that a fault costs only the flows that it moves
// (fault_cost.hpp).
//
// A sample is a permutation of the ports of counted adapters; a port drawn for itself sends
// nothing. The time of a channel is its flows divided by its rate. The rate of a sample is that of
// its slowest flow: 1 / the longest time of a channel, limited by the adapter cables. Routes are
// those of the first address of a port.
// Encoding: flows by sample and channel, and the channels of each sample in order of time.
// Cost: samples * ports * path length; memory: twice 4 bytes per channel and sample.

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
  // The source that sends to a terminal, or kNone.
  Terminal source(std::size_t sample, Terminal destination) const {
    return source_[sample * terminals_ + index(destination)];
  }
  std::uint32_t flows(std::size_t sample, Channel c) const {
    return flows_[sample * channels_ + index(c)];
  }
  // Channels between switches with flows, the longest time first.
  std::span<const Channel> by_time(std::size_t sample) const { return by_time_[sample]; }
  // The time of one flow on the slowest adapter cable.
  double host_time() const { return host_time_; }
  // The mean over samples of the rate of the slowest flow; 0: rates unknown.
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
