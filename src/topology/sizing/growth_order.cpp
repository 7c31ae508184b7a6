// SPDX-License-Identifier: BSD-3-Clause
// The order of unplugging and plugging (growth.hpp, step 4).

#include <algorithm>
#include <map>
#include <set>

#include "topology/sizing/growth.hpp"

namespace fatwood {

namespace {

class Ordering {
 public:
  Ordering(Growth& growth, const GrowthOptions& options) : growth_(growth), options_(options) {
    for (const PlanCable& cable : growth.removed) {
      occupied_.insert(cable.a.socket());
      occupied_.insert(cable.b.socket());
    }
    waiting_ = growth.added;
    for (const std::uint32_t i : growth.kept) count(growth.plan.cables[i]);
    for (const PlanCable& cable : growth.removed) count(cable);
  }

  void run() {
    GrowthStep first;
    plug_into(first);
    if (!first.plug.empty()) growth_.steps.push_back(std::move(first));
    std::vector<std::uint32_t> left(growth_.removed.size());
    for (std::uint32_t r = 0; r < left.size(); ++r) left[r] = r;
    std::ranges::stable_sort(left, {}, [&](std::uint32_t r) { return upper(growth_.removed[r]); });
    while (!left.empty()) {
      GrowthStep step = next_batch(left);
      plug_into(step);
      growth_.steps.push_back(std::move(step));
    }
    if (!waiting_.empty()) {  // nothing is in their way any more
      GrowthStep last;
      last.plug = std::move(waiting_);
      growth_.steps.push_back(std::move(last));
    }
  }

 private:
  // Of the two ends the one that is higher in the tree, and the other.
  std::uint32_t upper(const PlanCable& cable) const {
    const auto level = [&](const PlanEnd& end) { return growth_level(growth_.plan.device(end)); };
    return level(cable.b) >= level(cable.a) ? cable.b.device : cable.a.device;
  }
  std::uint32_t lower(const PlanCable& cable) const {
    return upper(cable) == cable.b.device ? cable.a.device : cable.b.device;
  }

  void count(const PlanCable& cable) { ++up_links_[lower(cable)]; }

  // How many up-links of a device may be out at a time; of a host one.
  std::size_t most_out(std::uint32_t device) {
    if (growth_.plan.devices[device].is_host()) return 1;
    const auto share = options_.at_once * static_cast<double>(up_links_[device]);
    return std::max<std::size_t>(1, static_cast<std::size_t>(share));
  }

  // Takes a batch out of `left`.
  GrowthStep next_batch(std::vector<std::uint32_t>& left) {
    GrowthStep step;
    std::map<std::uint32_t, std::size_t> out;
    std::vector<std::uint32_t> later;
    for (const std::uint32_t r : left) {
      const std::uint32_t device = lower(growth_.removed[r]);
      if (out[device] >= most_out(device)) {
        later.push_back(r);
        continue;
      }
      ++out[device];
      step.unplug.push_back(r);
      occupied_.erase(growth_.removed[r].a.socket());
      occupied_.erase(growth_.removed[r].b.socket());
      const bool host = growth_.plan.devices[device].is_host();
      if (host && up_links_[device] == 1) step.hosts_off.push_back(device);
    }
    left = std::move(later);
    return step;
  }

  void plug_into(GrowthStep& step) {
    std::vector<std::uint32_t> later;
    for (const std::uint32_t i : waiting_) {
      const PlanCable& cable = growth_.plan.cables[i];
      const bool free =
          !occupied_.contains(cable.a.socket()) && !occupied_.contains(cable.b.socket());
      (free ? step.plug : later).push_back(i);
    }
    waiting_ = std::move(later);
  }

  Growth& growth_;
  const GrowthOptions& options_;
  std::set<decltype(PlanEnd{}.socket())> occupied_;  // by cables that are still to be unplugged
  std::vector<std::uint32_t> waiting_;
  std::map<std::uint32_t, std::size_t> up_links_;  // of each device before the first step
};

}  // namespace

unsigned growth_level(const PlanDevice& device) {
  if (device.is_host()) return 0;
  return device.role == "leaf" ? 1 : device.role == "core" ? 3 : 2;
}

void order_growth(Growth& growth, const GrowthOptions& options) { Ordering(growth, options).run(); }

}  // namespace fatwood
