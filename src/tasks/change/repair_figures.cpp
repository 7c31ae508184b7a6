// SPDX-License-Identifier: BSD-3-Clause
// The figures of a repair, and the number of blocks that is worth sending. In a file of its own:
// the plug-in for OpenSM does without them.

#include <algorithm>
#include <chrono>

#include "analysis/load/all_to_all.hpp"
#include "core/error.hpp"
#include "tasks/change/repair_tables.hpp"
#include "topology/hosts/rails.hpp"

namespace fatwood {

namespace {

constexpr std::uint64_t kTimes[] = {1, 2, 4, 8};  // the forced blocks
constexpr double kNearer = 1.01;  // more blocks must gain more than this to be taken

class Trade {
 public:
  Trade(const Model& model, const Routing& old, const Lids& lids, const RepairOptions& options,
        const TradeOptions& trade)
      : model_(model), old_(old), lids_(lids), options_(options), trade_(trade) {
    result_.who = trade.who ? *trade.who : default_participants(model);
    result_.host_order = trade.order.source;
  }

  RepairResult run() {
    result_.unrepaired = figures(old_);
    reroute();
    const SpreadRequest request{
        .host_order = terminals_in_order(model_, trade_.order),
        .spare_blocks = [&](std::uint64_t forced) { return spare_blocks(forced); },
        .choose = [&](std::span<const ForwardingTables> tables) { return choose(tables); }};
    static_cast<RepairedTables&>(result_) =
        repair_tables(model_, old_, lids_, options_, {.spread = &request});
    if (result_.unbalanced) result_.seconds -= measuring_;
    describe();
    return std::move(result_);
  }

 private:
  LossFigures figures(const Routing& routing) const {
    return figures_before(model_, routing, result_.who, options_.threads, MeasureJobs::kYes,
                          trade_.order);
  }
  LossFigures figures(const ForwardingTables& tables) const {
    Routing routing;
    routing.tables = tables;
    return figures(routing);
  }
  std::uint64_t blocks(const ForwardingTables& tables) const {
    return table_changes(model_, old_.tables, tables, lids_, options_.threads).blocks;
  }

  void reroute() {
    if (trade_.engine == nullptr) return;
    result_.engine = trade_.engine->name;
    RouteOptions how = trade_.route;
    how.lmc = old_.tables.lmc();
    how.threads = options_.threads;
    how.host_order = terminals_in_order(model_, trade_.order);
    try {
      const Routing fresh = route(*trade_.engine, model_, how);
      result_.rerouted = figures(fresh);
      const bool by_pair = fresh.tables.num_destinations() == 0;
      if (!by_pair) result_.blocks_rerouted = blocks(fresh.tables);
    } catch (const PromiseError& error) {
      result_.not_rerouted = error.what();
    }
  }
  std::vector<std::uint64_t> spare_blocks(std::uint64_t forced) const {
    if (trade_.blocks) return {*trade_.blocks - std::min(*trade_.blocks, forced)};
    if (options_.spare_blocks > 0) return {options_.spare_blocks};
    if (!result_.rerouted) return {0};
    return usual_spare_blocks(forced);
  }

  std::size_t choose(std::span<const ForwardingTables> tables) {
    const auto start = std::chrono::steady_clock::now();
    for (const ForwardingTables& point : tables.subspan(1)) {
      const std::uint64_t sent = blocks(point);
      if (!result_.trade.empty() && result_.trade.back().blocks == sent) break;
      result_.trade.push_back({sent, figures(point)});
    }
    const std::size_t best =
        !result_.rerouted ? 0 : first_enough(result_.trade.size(), [&](std::size_t i) {
          return part_of_enough(result_.trade[i].figures, *result_.rerouted);
        });
    result_.trade[best].taken = true;
    measuring_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return best + 1;
  }

  void describe() {
    const Routing& now = result_.routing;
    result_.changes = table_changes(model_, old_.tables, now.tables, lids_, options_.threads);
    result_.blocks_forced = blocks_of(result_.forced, old_.tables, lids_);
    result_.mload = all_to_all_load(model_, now, options_.threads).mload;
    const auto taken = std::ranges::find(result_.trade, true, &TradePoint::taken);
    const bool known = result_.unbalanced && taken != result_.trade.end();
    result_.repaired = known ? taken->figures : figures(now);
    result_.mload_forced = result_.mload;
    result_.forced_figures = result_.repaired;
    if (!result_.unbalanced) {  // the proof failed, or nothing moved
      for (TradePoint& point : result_.trade) point.taken = false;
      return;
    }
    Routing forced;
    forced.tables = *result_.unbalanced;
    result_.mload_forced = all_to_all_load(model_, forced, options_.threads).mload;
    result_.forced_figures = figures(forced);
  }

  const Model& model_;
  const Routing& old_;
  const Lids& lids_;
  const RepairOptions& options_;
  const TradeOptions& trade_;
  RepairResult result_;
  double measuring_ = 0;  // seconds, in choose()
};

}  // namespace

double part_of_enough(const LossFigures& found, const LossFigures& fresh) {
  double part = found.pairs_lost > fresh.pairs_lost ? 0 : 2;
  if (fresh.worst_gbps > 0) {
    part = std::min(part, found.worst_gbps / (kEnoughWorst * fresh.worst_gbps));
  }
  if (fresh.jobs && found.jobs && fresh.jobs->mean > 0) {
    part = std::min(part, found.jobs->mean / (kEnoughJobs * fresh.jobs->mean));
  }
  return part;
}

std::size_t first_enough(std::size_t repairs, const std::function<double(std::size_t)>& part) {
  std::size_t best = 0;
  double most = 0;
  for (std::size_t i = 0; i < repairs && most < 1; ++i) {
    const double found = part(i);
    if (i > 0 && found <= kNearer * most) continue;
    most = found;
    best = i;
  }
  return best;
}

std::vector<std::uint64_t> usual_spare_blocks(std::uint64_t forced) {
  if (forced == 0) return {0};
  std::vector<std::uint64_t> spare;
  for (const std::uint64_t times : kTimes) spare.push_back((times - 1) * forced);
  return spare;
}

std::vector<Terminal> terminals_in_order(const Model& model, const GivenOrder& order) {
  const Fabric& fabric = model.fabric();
  const Hosts& hosts = model.hosts().hosts;
  Table<Host, Terminal> of(hosts.size(), kNone<Terminal>);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Host h = hosts.of(fabric.adapter_node(t));
    if (h != kNone<Host> && of[h] == kNone<Terminal>) of[h] = t;
  }
  std::vector<Terminal> first;
  for (const Host h : order.first) {
    if (of[h] != kNone<Terminal>) first.push_back(of[h]);
  }
  return first;
}

RepairResult repair(const Model& model, const Routing& old, const Lids& lids,
                    const RepairOptions& options, const TradeOptions& trade) {
  return Trade(model, old, lids, options, trade).run();
}

}  // namespace fatwood
