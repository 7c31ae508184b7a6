// SPDX-License-Identifier: BSD-3-Clause
#include "studies/lexicographic.hpp"

#include <algorithm>
#include <limits>

#include "analysis/bounds/path_program.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood {

namespace {

constexpr double kStepTolerance = 1e-7;

struct LeafPair {
  double flows = 0;
  std::vector<std::vector<int>> paths;  // as rows of links
};

// All legal shortest paths between leaves with hosts.
class LegalPaths {
 public:
  LegalPaths(const Model& model, const Table<Channel, int>& row_of)
      : fabric_(model.fabric()),
        level_(model.levels().level),
        row_of_(row_of),
        hosts_(fabric_.num_switches()) {
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      if (model.counted()[t] != 0 && fabric_.leaf(t) != kNone<Switch>) ++hosts_[fabric_.leaf(t)];
    }
  }

  // No value if there are more paths.
  std::optional<std::vector<LeafPair>> find(std::size_t most_paths) {
    std::vector<LeafPair> pairs;
    for (const Switch to : ids<Switch>(fabric_.num_switches())) {
      if (hosts_[to] == 0) continue;
      find_hops(to);
      for (const Switch from : ids<Switch>(fabric_.num_switches())) {
        if (hosts_[from] == 0 || from == to || up_hops_[from] == kFarAway) continue;
        pairs.push_back({hosts_[from] * hosts_[to], {}});
        path_.clear();
        add_paths(from, true, pairs.back());
        count_ += pairs.back().paths.size();
        if (count_ > most_paths) return std::nullopt;
      }
    }
    return pairs;
  }

 private:
  static constexpr std::uint32_t kFarAway = 1U << 30U;

  // Calls visit(channel, switch there) for cables to a higher or lower level.
  template <class Visit>
  void each_cable(Switch s, bool up, const Visit& visit) const {
    for (const auto& [c, other, port] : fabric_.links(s)) {
      if (level_[other] != level_[s] && (level_[other] > level_[s]) == up) visit(c, other);
    }
  }

  // Hops left from each switch: if it may only go down, and if it may go up first.
  void find_hops(Switch to) {
    std::vector<Switch> order;
    for (const Switch s : ids<Switch>(fabric_.num_switches())) order.push_back(s);
    std::ranges::stable_sort(order, {}, [&](Switch s) { return level_[s]; });
    down_hops_ = Table<Switch, std::uint32_t>(order.size(), kFarAway);
    down_hops_[to] = 0;
    for (const Switch s : order) {
      each_cable(s, false, [&](Channel, Switch other) {
        down_hops_[s] = std::min(down_hops_[s], down_hops_[other] + 1);
      });
    }
    up_hops_ = down_hops_;
    for (std::size_t i = order.size(); i-- > 0;) {
      const Switch s = order[i];
      each_cable(s, true, [&](Channel, Switch other) {
        up_hops_[s] = std::min(up_hops_[s], up_hops_[other] + 1);
      });
      up_hops_[s] = std::min(up_hops_[s], kFarAway);
    }
  }

  void add_paths(Switch s, bool may_go_up, LeafPair& pair) {
    const std::uint32_t left = may_go_up ? up_hops_[s] : down_hops_[s];
    if (left == 0) {
      pair.paths.push_back(path_);
      return;
    }
    const auto go = [&](Channel c, Switch other, bool goes_up) {
      path_.push_back(row_of_[c]);
      add_paths(other, goes_up, pair);
      path_.pop_back();
    };
    if (may_go_up) {
      each_cable(s, true, [&](Channel c, Switch other) {
        if (up_hops_[other] + 1 == left) go(c, other, true);
      });
    }
    each_cable(s, false, [&](Channel c, Switch other) {
      if (down_hops_[other] + 1 == left) go(c, other, false);
    });
  }

  const Fabric& fabric_;
  const Table<Switch, Level>& level_;
  const Table<Channel, int>& row_of_;
  Table<Switch, double> hosts_;
  Table<Switch, std::uint32_t> down_hops_, up_hops_;
  std::vector<int> path_;
  std::size_t count_ = 0;
};

// The links between switches, by row of the program.
struct Rows {
  std::vector<double> target_load;  // target load from the cuts, in flows
  std::vector<double> fixed;        // smallest possible load, in flows; -1: not known yet
};

// Solves the program that minimises the largest load of links that are not fixed. No value if it
// fails.
std::optional<double> solve_step(const std::vector<LeafPair>& pairs, Rows& rows) {
  const std::size_t links = rows.target_load.size();
  ProgramColumns columns;  // the load
  std::vector<double> high;
  for (std::size_t row = 0; row < links; ++row) {
    high.push_back(std::max(rows.fixed[row], 0.0));
    if (rows.fixed[row] >= 0) continue;
    columns.row.push_back(static_cast<int>(row));
    columns.value.push_back(-rows.target_load[row]);
  }
  columns.first.push_back(static_cast<int>(columns.row.size()));
  columns.low = {0};
  columns.cost = {1};
  std::vector<double> low(links, -PathProgram::kNoLimit);
  for (const LeafPair& pair : pairs) {
    low.push_back(pair.flows);
    high.push_back(pair.flows);
  }
  PathProgram program(columns, low, high, pairs.size());
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    for (const std::vector<int>& path : pairs[pair].paths) program.offer(pair, path);
  }
  if (!program.solve()) return std::nullopt;
  bool any = false;
  for (std::size_t row = 0; row < links; ++row) {
    if (rows.fixed[row] >= 0 || program.price(static_cast<int>(row)) > -kStepTolerance) continue;
    rows.fixed[row] = program.value() * rows.target_load[row] * (1 + kStepTolerance);
    any = true;
  }
  if (!any) return std::nullopt;
  return program.value();
}

// Evenness of each cut, at least 1, from the loads of its links.
void evaluate_cuts(const Model& model, const std::vector<TreeCut>& cuts,
                   const std::vector<CutShare>& shares, LexicographicOptimum& found) {
  double sum = 0;
  double flows = 0;
  for (const CutShare& share : shares) {
    double most = 1;
    for (const Channel up : cuts[share.cut].links) {
      const Channel c = share.crossing == CutDirection::kOut ? up : model.fabric().peer(up);
      most = std::max(most, found.most[c] / share.fair.value());
    }
    sum += most * share.flows;
    flows += share.flows;
    found.worst = std::max(found.worst, most);
  }
  if (flows > 0) found.mean = sum / flows;
}

}  // namespace

std::optional<LexicographicOptimum> lexicographic_optimum(const Model& model,
                                                          std::size_t most_paths) {
  const Fabric& fabric = model.fabric();
  if (!model.levels().is_tree() || model.adapters().size() != fabric.num_terminals()) {
    return std::nullopt;
  }
  const std::vector<TreeCut> cuts = tree_cuts(fabric, model.levels());
  const std::vector<CutShare> shares = all_to_all_shares(model, cuts, model.counted(), 1);
  LexicographicOptimum found;
  found.most = Table<Channel, double>(fabric.num_channels(), 0);
  double largest = 0;
  for (const CutShare& share : shares) {
    largest = std::max(largest, share.fair.value());
    for (const Channel up : cuts[share.cut].links) {
      const Channel c = share.crossing == CutDirection::kOut ? up : fabric.peer(up);
      found.most[c] = std::max(found.most[c], share.fair.value());
    }
  }
  Table<Channel, int> row_of(fabric.num_channels(), -1);
  Table<Channel, double> flows_in_one(fabric.num_channels(), 1);  // load, on this link
  Rows rows;
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.between_switches(c)) continue;
    if (found.most[c] == 0) found.most[c] = largest;
    flows_in_one[c] =
        static_cast<double>(model.speeds().speed(c)) / static_cast<double>(model.speeds().usual());
    row_of[c] = static_cast<int>(rows.target_load.size());
    rows.target_load.push_back(found.most[c] * flows_in_one[c]);
    rows.fixed.push_back(-1);
  }
  const auto pairs = LegalPaths(model, row_of).find(most_paths);
  if (!pairs || pairs->empty()) return std::nullopt;
  while (std::ranges::any_of(rows.fixed, [](double load) { return load < 0; })) {
    const std::optional<double> load = solve_step(*pairs, rows);
    if (!load) return std::nullopt;
    if (found.steps++ == 0) found.first = *load;
    if (*load <= 1 + kStepTolerance) break;
  }
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (row_of[c] < 0) continue;
    const double load = rows.fixed[static_cast<std::size_t>(row_of[c])];
    if (load > 0) found.most[c] = load / flows_in_one[c];
  }
  evaluate_cuts(model, cuts, shares, found);
  return found;
}

}  // namespace fatwood
