// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The weight of a flow on each channel: the capacity of a channel is its data rate, and a load of 1
// is one flow on a channel of the usual rate, the most frequent one of adapters (the faster of
// equals). A flow on a channel of half that rate weighs 2.
//
// Exact: rates are whole megabits per second, and weights whole numbers over one denominator. Where
// no rate of an adapter is known, and on channels whose rate is not known, a flow weighs 1. With
// one rate everywhere all weights are 1. Cost: O(ports).

#include <cstdint>

#include "topology/fabric.hpp"

namespace fatwood {

class ChannelSpeeds {
 public:
  explicit ChannelSpeeds(const Fabric& fabric);

  bool uniform() const { return uniform_; }
  // In some unit; more than 0.
  std::int64_t speed(Channel c) const { return speed_[c]; }
  std::int64_t usual() const { return usual_; }
  double usual_gigabits() const { return usual_gigabits_; }  // 0: no rate is known
  // A flow on the channel weighs weight(c) / weight_of_one().
  std::int64_t weight(Channel c) const { return common_ / speed_[c]; }
  std::int64_t weight_of_one() const { return common_ / usual_; }

 private:
  Table<Channel, std::int64_t> speed_;
  std::int64_t usual_ = 1;
  std::int64_t common_ = 1;  // a multiple of all speeds
  double usual_gigabits_ = 0;
  bool uniform_ = true;
};

// The same fabric with every cable of the usual rate, so that loads count flows.
Fabric with_equal_speeds(const Fabric& fabric);

}  // namespace fatwood
