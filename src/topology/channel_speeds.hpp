// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The weight of a flow on each channel. The capacity of a channel is its data rate. A load of 1 is
// one flow on a channel of the usual rate, which is the most frequent rate of adapters (the faster
// on a tie). A flow on a channel of half that rate has weight 2.
//
// Exact: rates are whole megabits per second, and weights are integers over a common denominator. A
// flow has weight 1 on channels of unknown rate, and on all channels if no adapter's rate is known.
// Cost: O(ports).

#include <cstdint>

#include "topology/fabric.hpp"

namespace fatwood {

class ChannelSpeeds {
 public:
  explicit ChannelSpeeds(const Fabric& fabric);

  bool uniform() const { return uniform_; }
  // In an arbitrary unit; positive.
  std::int64_t speed(Channel c) const { return speed_[c]; }
  std::int64_t usual() const { return usual_; }
  double usual_gigabits() const { return usual_gigabits_; }  // 0: no rate is known
  // The weight of a flow on the channel is weight(c) / weight_of_one().
  std::int64_t weight(Channel c) const { return common_ / speed_[c]; }
  std::int64_t weight_of_one() const { return common_ / usual_; }

 private:
  Table<Channel, std::int64_t> speed_;
  std::int64_t usual_ = 1;
  std::int64_t common_ = 1;  // a multiple of all speeds
  double usual_gigabits_ = 0;
  bool uniform_ = true;
};

// Whether a cable has a speed of Ethernet.
bool is_ethernet(const Fabric& fabric);

// The same fabric with the usual rate on every cable, so that loads count flows.
Fabric with_equal_speeds(const Fabric& fabric);

}  // namespace fatwood
