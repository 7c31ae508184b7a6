// SPDX-License-Identifier: BSD-3-Clause
#include "routing/repair/kept_lanes.hpp"

#include <algorithm>
#include <vector>

#include "routing/shortest/layers.hpp"
#include "routing/tables/destination_tree.hpp"

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
      if (pass == Pass::kUnchanged) {
        const bool same = after_.row(destination)[s] == old_.tables.row(destination)[s];
        pending[s] = !same || (!last && is_new_[tree_.hop(s).next()]) ? 1 : 0;
        is_new_[s] = pending[s] != 0;
        if (pending[s] == 0 && !try_lane(destination, s, old_.lanes.at(destination, Switch{s})))
          pending[s] = 1;
      } else if (pending[s] != 0 && !find_lane(destination, s)) {
        return false;
      }
    }
    return true;
  }
  bool find_lane(Destination destination, std::uint32_t s) {
    const unsigned before = old_.lanes.at(destination, Switch{s});
    if (try_lane(destination, s, before)) return true;
    for (unsigned lane = 0; lane < most_; ++lane) {
      if (lane == before || !try_lane(destination, s, lane)) continue;
      ++changed_;
      return true;
    }
    return false;
  }
  bool try_lane(Destination destination, std::uint32_t s, unsigned lane) {
    if (lane >= most_) return false;
    while (known_.size() <= lane) known_.emplace_back(links_.switches, Fit::kUnknown);
    if (!layers_.add_route(lane, s, next_, known_[lane])) return false;
    layers_.commit(lane);
    rows_[std::size_t{index(destination)} * links_.switches + s] = static_cast<std::uint8_t>(lane);
    return true;
  }

  const Routing& old_;
  const ForwardingTables& after_;
  unsigned most_;
  const LinkGraph& links_;
  Layers layers_;
  DestinationTree tree_;
  std::vector<Link> next_;
  std::vector<bool> is_new_ = std::vector<bool>(links_.switches);  // of the destination at hand
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
