// SPDX-License-Identifier: BSD-3-Clause
// The order of unplugging and plugging (growth.hpp, step 4).

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "plan/sizing/growth.hpp"

namespace fatwood {

namespace {

using OrderSocket = decltype(PlanEnd{}.socket());

// Links of a device to the level above (of a host: all its cables).
struct UpLinks {
  std::size_t before = 0, after = 0;  // the whole growth
  std::size_t now = 0;
  std::size_t least = 0;  // may not be fewer at any time
};

// What a batch must leave of a device's links: the next limit counts if the batch would be empty.
enum class Limit : std::uint8_t { kLeast, kOne, kNone };

class Ordering {
 public:
  Ordering(Growth& growth, const GrowthOptions& options) : growth_(growth), options_(options) {
    for (std::uint32_t r = 0; r < growth.removed.size(); ++r) {
      occupied_.emplace(growth.removed[r].a.socket(), r);
      occupied_.emplace(growth.removed[r].b.socket(), r);
      left_.push_back(r);
    }
    std::ranges::stable_sort(left_, {}, [&](std::uint32_t r) { return upper(growth_.removed[r]); });
    waiting_ = growth.added;
    for (const std::uint32_t i : growth.kept) {
      ++links(growth.plan.cables[i]).before;
      ++links(growth.plan.cables[i]).after;
    }
    for (const PlanCable& cable : growth.removed) ++links(cable).before;
    for (const std::uint32_t i : growth.added) ++links(growth.plan.cables[i]).after;
    for (auto& [device, links] : links_) {
      links.now = links.before;
      links.least = least(device, links);
    }
    for (const GrowthMove& move : growth.moves) moved_to_.emplace(move.from, move.to);
  }

  void run() {
    GrowthStep first;
    plug_into(first);
    if (!first.plug.empty()) growth_.steps.push_back(std::move(first));
    while (!left_.empty()) {
      GrowthStep step;
      step.unplug = next_batch();
      unplug(step);
      plug_into(step);
      growth_.steps.push_back(std::move(step));
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
  UpLinks& links(const PlanCable& cable) { return links_[lower(cable)]; }

  // A host has one cable out at a time, a switch a fraction of its up-links. Something stays in
  // unless there is only one cable, or none in the end.
  std::size_t least(std::uint32_t device, const UpLinks& links) const {
    const std::size_t both = std::min(links.before, links.after);
    if (both == 0 || links.before == 1) return 0;
    const auto share =
        static_cast<std::size_t>(options_.at_once * static_cast<double>(links.before));
    const bool host = growth_.plan.devices[device].is_host();
    const std::size_t out = host ? 1 : std::max<std::size_t>(1, share);
    return both > out ? both - out : 1;
  }

  std::vector<std::uint32_t> next_batch() {
    for (const Limit limit : {Limit::kLeast, Limit::kOne, Limit::kNone}) {
      std::vector<std::uint32_t> batch = allowed(limit);
      if (batch.empty()) continue;
      std::vector<std::uint32_t> whole = without_waiting(batch);
      if (!whole.empty()) return whole;
      // Rings of moves over several batches: one cable has to wait with one end in the air.
      batch.resize(1);
      return batch;
    }
    return {};
  }

  // Cables that may be unplugged together.
  std::vector<std::uint32_t> allowed(Limit limit) const {
    std::map<std::uint32_t, std::size_t> out;
    std::vector<std::uint32_t> batch;
    for (const std::uint32_t r : left_) {
      const std::uint32_t device = lower(growth_.removed[r]);
      const UpLinks& links = links_.at(device);
      std::size_t& mine = out[device];
      const std::size_t least = limit == Limit::kLeast  ? links.least
                                : limit == Limit::kNone ? 0
                                                        : std::min<std::size_t>(links.least, 1);
      if (links.now < least + mine + 1) continue;
      ++mine;
      batch.push_back(r);
      if (limit != Limit::kLeast) break;  // as few of these as possible
    }
    return batch;
  }

  // Without cables whose new port would still be in use after the batch.
  std::vector<std::uint32_t> without_waiting(std::vector<std::uint32_t> batch) const {
    std::set<std::uint32_t> out(batch.begin(), batch.end());
    const auto waits = [&](std::uint32_t r) {
      const auto to = moved_to_.find(r);
      if (to == moved_to_.end()) return false;
      const PlanCable& cable = growth_.plan.cables[to->second];
      return std::ranges::any_of(std::array{cable.a.socket(), cable.b.socket()},
                                 [&](const OrderSocket& socket) {
                                   const auto at = occupied_.find(socket);
                                   return at != occupied_.end() && !out.contains(at->second);
                                 });
    };
    for (std::size_t before = batch.size() + 1; batch.size() < before;) {
      before = batch.size();
      std::erase_if(batch, [&](std::uint32_t r) { return waits(r) && out.erase(r) > 0; });
    }
    return batch;
  }

  void unplug(GrowthStep& step) {
    for (const std::uint32_t r : step.unplug) {
      const PlanCable& cable = growth_.removed[r];
      occupied_.erase(cable.a.socket());
      occupied_.erase(cable.b.socket());
      --links(cable).now;
    }
    std::erase_if(left_, [gone = std::set(step.unplug.begin(), step.unplug.end())](
                             std::uint32_t r) { return gone.contains(r); });
    for (const auto& [device, links] : links_) {
      const bool off = links.before > 0 && links.now == 0 && links.after > 0;
      if (off && growth_.plan.devices[device].is_host()) step.hosts_off.push_back(device);
    }
  }

  void plug_into(GrowthStep& step) {
    std::vector<std::uint32_t> later;
    for (const std::uint32_t i : waiting_) {
      const PlanCable& cable = growth_.plan.cables[i];
      const bool free =
          !occupied_.contains(cable.a.socket()) && !occupied_.contains(cable.b.socket());
      (free ? step.plug : later).push_back(i);
      if (free) ++links(cable).now;
    }
    waiting_ = std::move(later);
  }

  Growth& growth_;
  const GrowthOptions& options_;
  std::map<OrderSocket, std::uint32_t> occupied_;  // by cables that are still to be unplugged
  std::vector<std::uint32_t> left_;                // cables to unplug
  std::vector<std::uint32_t> waiting_;             // cables to plug
  std::map<std::uint32_t, UpLinks> links_;         // by device
  std::unordered_map<std::uint32_t, std::uint32_t> moved_to_;
};

// The actions of one step.
class StepActions {
 public:
  StepActions(const Growth& growth, GrowthStep& step) : growth_(growth), step_(step) {
    for (const std::uint32_t r : step.unplug) {
      for (const OrderSocket& socket : sockets(growth.removed[r])) occupied_.emplace(socket, r);
    }
  }

  void run(const std::unordered_map<std::uint32_t, std::uint32_t>& moved_from) {
    const std::set<std::uint32_t> here(step_.unplug.begin(), step_.unplug.end());
    std::set<std::uint32_t> moved;
    std::vector<GrowthMove> moves;
    std::vector<std::uint32_t> plugs;
    for (const std::uint32_t i : step_.plug) {
      const auto at = moved_from.find(i);
      if (at == moved_from.end() || !here.contains(at->second)) {
        plugs.push_back(i);
      } else {
        moves.push_back({at->second, i});
        moved.insert(at->second);
      }
    }
    for (const std::uint32_t r : step_.unplug) {
      if (!moved.contains(r)) unplug(r);
    }
    while (!moves.empty()) {
      if (move_free(moves)) continue;
      // A ring: the first cable makes room.
      unplug(moves.front().from);
      plugs.push_back(moves.front().to);
      moves.erase(moves.begin());
    }
    for (const std::uint32_t i : plugs) {
      step_.actions.push_back({GrowthAction::Kind::kPlug, 0, i});
    }
  }

 private:
  static std::array<OrderSocket, 2> sockets(const PlanCable& cable) {
    return {cable.a.socket(), cable.b.socket()};
  }
  void take_out(std::uint32_t r) {
    for (const OrderSocket& socket : sockets(growth_.removed[r])) occupied_.erase(socket);
  }
  void unplug(std::uint32_t r) {
    take_out(r);
    step_.actions.push_back({GrowthAction::Kind::kUnplug, r, 0});
  }
  // Makes the moves whose new port is free now; whether there was one.
  bool move_free(std::vector<GrowthMove>& moves) {
    const std::size_t before = moves.size();
    std::erase_if(moves, [&](const GrowthMove& move) {
      const auto in_use = [&](const OrderSocket& socket) {
        const auto at = occupied_.find(socket);
        return at != occupied_.end() && at->second != move.from;
      };
      if (std::ranges::any_of(sockets(growth_.plan.cables[move.to]), in_use)) return false;
      take_out(move.from);
      step_.actions.push_back({GrowthAction::Kind::kMove, move.from, move.to});
      return true;
    });
    return moves.size() < before;
  }

  const Growth& growth_;
  GrowthStep& step_;
  std::map<OrderSocket, std::uint32_t> occupied_;  // by cables that this step unplugs
};

}  // namespace

unsigned growth_level(const PlanDevice& device) {
  if (device.is_host()) return 0;
  return device.role == "leaf" ? 1 : device.role == "core" ? 3 : 2;
}

void order_growth(Growth& growth, const GrowthOptions& options) { Ordering(growth, options).run(); }

void order_actions(Growth& growth) {
  std::unordered_map<std::uint32_t, std::uint32_t> moved_from;  // by added cable
  for (const GrowthMove& move : growth.moves) moved_from.emplace(move.to, move.from);
  growth.moves.clear();
  for (GrowthStep& step : growth.steps) {
    StepActions(growth, step).run(moved_from);
    for (const GrowthAction& action : step.actions) {
      if (action.kind == GrowthAction::Kind::kMove)
        growth.moves.push_back({action.from, action.to});
    }
  }
}

}  // namespace fatwood
