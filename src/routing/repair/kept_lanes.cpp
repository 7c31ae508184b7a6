// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/kept_lanes.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "routing/shortest/layers.hpp"
#include "routing/tables/destination_tree.hpp"
#include "routing/tables/source_groups.hpp"

namespace fatwood {

namespace {

enum class Pass : std::uint8_t { kUnchanged, kChanged };

class Laying {
 public:
  Laying(const Model& model, const Routing& old, const ForwardingTables& after, unsigned most)
      : old_(old),
        after_(after),
        most_(most),
        links_(model.link_graph()),
        layers_(links_, height_above_hosts(model), LaneSearch::kThorough),
        groups_(model.fabric(), model.components()),
        tree_(model.fabric(), model.hop_map()),
        next_(links_.switches),
        pending_(after.num_destinations() * links_.switches),
        rows_(after.num_destinations() * links_.switches) {}

  std::optional<KeptLanes> run() {
    for (const Pass pass : {Pass::kUnchanged, Pass::kChanged}) {
      for (const Destination destination : ids<Destination>(after_.num_destinations())) {
        if (!lay(destination, pass)) return std::nullopt;
      }
    }
    const unsigned count = 1U + *std::ranges::max_element(rows_);
    return KeptLanes{pack_lanes(count, links_.switches, rows_), changed_};
  }

 private:
  // The routes to one destination that are laid in this pass.
  bool lay(Destination destination, Pass pass) {
    tree_.follow(after_, destination);
    if (tree_.destination() == kNone<Switch>) return true;
    char* const pending = pending_.data() + std::size_t{index(destination)} * links_.switches;
    for (auto& lane : known_) std::ranges::fill(lane, Fit::kUnknown);
    for (const std::uint32_t s : tree_.reached()) {
      const bool last = s == index(tree_.destination());
      next_[s] = last ? kNone<Link> : links_.link(s, after_.row(destination)[s]);
      if (pass == Pass::kChanged) continue;
      const bool same = after_.row(destination)[s] == old_.tables.row(destination)[s];
      pending[s] = !same || (!last && is_new_[tree_.hop(s).next()]) ? 1 : 0;
      is_new_[s] = pending[s] != 0;
    }
    for (const std::uint32_t s : tree_.reached()) is_reached_[s] = true;
    const bool laid = lay_groups(destination, pass, pending);
    for (const std::uint32_t s : tree_.reached()) is_reached_[s] = false;
    return laid;
  }
  // Lays the routes of switches with a common lane together, when the first of them is reached.
  bool lay_groups(Destination destination, Pass pass, char* pending) {
    for (const std::uint32_t s : tree_.reached()) {
      const auto reached = [&](std::uint32_t member) { return is_reached_[member]; };
      const std::span<const std::uint32_t> members = groups_.of(s);
      if (s != *std::ranges::find_if(members, reached)) continue;
      group_.clear();
      std::ranges::copy_if(members, std::back_inserter(group_), reached);
      const auto is_pending = [&](std::uint32_t member) { return pending[member] != 0; };
      const unsigned before = old_.lanes.at(destination, Switch{s});
      const auto had_another = [&](std::uint32_t member) {
        return old_.lanes.at(destination, Switch{member}) != before;
      };
      if (pass == Pass::kUnchanged) {
        if (std::ranges::none_of(group_, is_pending) && std::ranges::none_of(group_, had_another) &&
            try_lane(destination, before)) {
          continue;
        }
        for (const std::uint32_t member : group_) pending[member] = 1;
      } else if (pending[s] != 0 && !find_lane(destination, before)) {
        return false;
      }
    }
    return true;
  }
  bool find_lane(Destination destination, unsigned before) {
    if (try_lane(destination, before)) return true;
    for (unsigned lane = 0; lane < most_; ++lane) {
      if (lane != before && try_lane(destination, lane)) return true;
    }
    return false;
  }
  bool try_lane(Destination destination, unsigned lane) {
    if (lane >= most_) return false;
    while (known_.size() <= lane) known_.emplace_back(links_.switches, Fit::kUnknown);
    if (!layers_.add_routes(lane, group_, next_, known_[lane])) return false;
    layers_.commit(lane);
    for (const std::uint32_t s : group_) {
      if (old_.lanes.at(destination, Switch{s}) != lane) ++changed_;
    }
    // Members without a route have the lane, too: their packets are lost on it.
    for (const std::uint32_t s : groups_.of(group_.front())) {
      rows_[std::size_t{index(destination)} * links_.switches + s] =
          static_cast<std::uint8_t>(lane);
    }
    return true;
  }

  const Routing& old_;
  const ForwardingTables& after_;
  unsigned most_;
  const LinkGraph& links_;
  Layers layers_;
  SourceGroups groups_;
  DestinationTree tree_;
  std::vector<std::uint32_t> group_;  // the switches that are being laid
  std::vector<Link> next_;
  std::vector<bool> is_new_ = std::vector<bool>(links_.switches);      // of the destination at hand
  std::vector<bool> is_reached_ = std::vector<bool>(links_.switches);  // as is_new_
  std::vector<char> pending_;       // [destination][switch]: not laid in the first pass
  std::vector<std::uint8_t> rows_;  // [destination][switch]: the lane
  std::vector<std::vector<Fit>> known_;
  std::uint64_t changed_ = 0;
};

}  // namespace

std::optional<KeptLanes> keep_lanes(const Model& model, const Routing& old,
                                    const ForwardingTables& after, unsigned most) {
  return Laying(model, old, after, most).run();
}

}  // namespace fatwood
