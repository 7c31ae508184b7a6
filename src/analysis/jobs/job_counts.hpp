// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Helpers of job_loads: counters by channel that are cleared by what was touched, and flows that
// move hop by hop towards one destination.

#include <array>
#include <utility>
#include <vector>

#include "analysis/jobs/job_loads.hpp"
#include "topology/graph/hop_map.hpp"

namespace fatwood {

template <class Amount, class SlotAmount>
class JobCounts {
 public:
  explicit JobCounts(std::size_t channels)
      : at_once_(channels), direct_(channels), slots_(channels), seen_(channels) {}

  void add_at_once(std::size_t channel, Amount amount) {
    touch(channel);
    at_once_[channel] += amount;
  }
  void add_direct(std::size_t channel, Amount amount) {
    touch(channel);
    direct_[channel] += amount;
  }
  void add_slot(std::size_t channel, std::uint32_t slot, Amount amount) {
    touch(channel);
    slots_[channel][slot] += static_cast<SlotAmount>(amount);
  }

  // The peaks, with loads times `scale`; all counters are 0 afterwards.
  JobPeaks take(const JobSetting& setting, double scale) {
    JobPeaks peaks;
    const auto see = [&](JobPeak& peak, Channel c, double amount) {
      const double load = scale * setting.load(c, amount);
      if (load > peak.load || (load == peak.load && load > 0 && c < peak.channel)) {
        peak = {load, c};
      }
    };
    for (const std::uint32_t channel : touched_) {
      const Channel c{channel};
      see(peaks.at_once, c, static_cast<double>(std::exchange(at_once_[channel], 0)));
      see(peaks.direct, c, static_cast<double>(std::exchange(direct_[channel], 0)));
      for (std::uint32_t slot = 0; slot < kJobSlots; ++slot) {
        if (slots_[channel][slot] == 0) continue;
        see(peaks.slots[slot], c, static_cast<double>(std::exchange(slots_[channel][slot], 0)));
      }
      seen_[channel] = 0;
    }
    touched_.clear();
    return peaks;
  }

 private:
  void touch(std::size_t channel) {
    if (seen_[channel] != 0) return;
    seen_[channel] = 1;
    touched_.push_back(static_cast<std::uint32_t>(channel));
  }

  std::vector<Amount> at_once_, direct_;
  std::vector<BySlot<SlotAmount>> slots_;  // one line of the cache per channel
  std::vector<std::uint8_t> seen_;
  std::vector<std::uint32_t> touched_;
};

// Amounts on their way to one switch. All of them advance one hop at a time, so flows of equal
// length meet and are one from there.
template <class Amount>
class HopByHop {
 public:
  explicit HopByHop(const Model& model) : map_(&model.hop_map()) {
    const Fabric& fabric = model.fabric();
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      const auto channels = fabric.channels(fabric.node(s));
      base_.push_back(channels.empty() ? 0 : index(*channels.begin()) - 1);  // port 1 is the first
    }
    pending_.resize(base_.size());
  }

  std::size_t channel(std::uint32_t s, Port port) const { return base_[s] + index(port); }
  const HopMap& map() const { return *map_; }
  std::size_t switches() const { return base_.size(); }

  void add(std::uint32_t s, Amount amount) {
    if (amount == 0) return;
    if (pending_[s] == 0) next_.push_back(s);
    pending_[s] += amount;
  }
  void subtract(std::uint32_t s, Amount amount) { pending_[s] -= amount; }

  // Moves all of it; false if some does not arrive. ports(s): those that a switch may use, divided
  // evenly. visit(channel, amount) for each channel between switches.
  template <class Ports, class Visit>
  bool run(std::uint32_t home, Port last, const Ports& ports, const Visit& visit) {
    bool arrives = true;
    for (std::size_t hops = 0; hops <= switches() && !next_.empty(); ++hops) {
      std::swap(now_, next_);
      for (const std::uint32_t s : now_) {
        const Amount amount = std::exchange(pending_[s], 0);
        if (amount == 0) continue;
        const std::span<const Port> out = ports(s);
        const Amount share = amount / static_cast<Amount>(out.size());
        for (const Port port : out) {
          const Hop hop = map_->at(s, port);
          if (s == home && port == last) continue;
          if (!hop.to_switch()) {
            arrives = false;
            continue;
          }
          visit(channel(s, port), share);
          add(hop.next(), share);
        }
      }
      now_.clear();
    }
    if (next_.empty()) return arrives;
    for (const std::uint32_t s : next_) pending_[s] = 0;  // in a loop
    next_.clear();
    return false;
  }

 private:
  const HopMap* map_;
  std::vector<std::uint32_t> base_;  // by switch: the number of port 1, less 1
  std::vector<Amount> pending_;
  std::vector<std::uint32_t> now_, next_;
};

}  // namespace fatwood
