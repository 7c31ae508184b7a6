// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/change/whatif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <tuple>

#include "analysis/faults/choice_cost.hpp"
#include "analysis/load/channel_use.hpp"
#include "core/error.hpp"
#include "core/share_out.hpp"
#include "core/text/parse_number.hpp"
#include "tasks/change/stored_costs.hpp"
#include "verify/deadlock/deadlock.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kBatch = 512;  // faults between two reports of progress

std::vector<Fault> faults_of(const Model& model, const WhatifOptions& options) {
  if (options.set_size > 0) {
    const std::size_t cables = single_cables(model).size();
    if (options.samples == 0) throw InputError("samples 0: expected 1 or more sets of cables");
    if (options.set_size > cables) {
      throw InputError(fmt::format("sets {}: the fabric has {} cables between switches",
                                   options.set_size, cables));
    }
    return random_cables(model, options.set_size, options.samples, options.seed);
  }
  std::vector<Fault> faults;
  if (options.losses != Losses::kSwitches) faults = single_cables(model);
  if (options.losses != Losses::kCables) {
    for (Fault& fault : single_switches(model)) faults.push_back(std::move(fault));
  }
  return faults;
}

// The file that keeps results, with those that it has already. Writes nothing without a name.
class CostFile {
 public:
  CostFile(const std::string& path, std::uint64_t key, const std::vector<Fault>& faults,
           const std::vector<std::optional<FaultCost>>& known)
      : path_(path) {
    if (path.empty()) return;
    file_.open(path, std::ios::binary | std::ios::trunc);
    file_ << stored_head(key);
    for (std::size_t i = 0; i < faults.size(); ++i) {
      if (known[i]) add(faults[i], *known[i]);
    }
    flush();
  }
  void add(const Fault& fault, const FaultCost& cost) {
    if (!path_.empty()) file_ << stored_line(fault, cost);
  }
  void flush() {
    if (path_.empty() || file_.flush()) return;
    throw InputError({.file = path_}, std::string("can't be written: ") + std::strerror(errno));
  }

 private:
  std::string path_;
  std::ofstream file_;
};

// The costs of some faults.
using Evaluate = std::function<std::vector<FaultCost>(std::span<const Fault>)>;

// The costs of all faults; `costs` has those of an earlier run.
std::vector<FaultCost> costs_of(const Evaluate& evaluate, const std::vector<Fault>& faults,
                                std::vector<std::optional<FaultCost>> costs, CostFile& file,
                                const WhatifOptions& options) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (!costs[i]) open.push_back(i);
  }
  // Processes wait for each other after each batch.
  const std::size_t batch_size = kBatch * static_cast<std::size_t>(options.share.processes);
  for (std::size_t first = 0; first < open.size(); first += batch_size) {
    const std::size_t end = std::min(first + batch_size, open.size());
    std::vector<Fault> batch;
    for (std::size_t k = first; k < end; ++k) batch.push_back(faults[open[k]]);
    const std::vector<FaultCost> found = evaluate(batch);
    for (std::size_t k = first; k < end; ++k) {
      costs[open[k]] = found[k - first];
      file.add(faults[open[k]], found[k - first]);
    }
    file.flush();
    report(options.progress, static_cast<double>(end) / static_cast<double>(open.size()),
           fmt::format("{} of {} faults", end, open.size()));
  }
  std::vector<FaultCost> all;
  for (const auto& cost : costs) all.push_back(*cost);
  return all;
}

AddedGain gain_of(const Model& model, const Participants& who, const std::string& what,
                  const Addition& addition, const Engine& engine, const WhatifOptions& options) {
  Extended extended = with_addition(model, addition);
  AddedGain gain{what, extended.cables, extended.ports_lacking, {}};
  const Model with(std::move(extended.fabric), model.hints());
  gain.then = standing_with(with, who, engine, options.route, options.permutations, options.seed);
  return gain;
}

// The first of each kind, three ways.
std::vector<LossDetail> details_of(const Model& model, const Routing& routing, const Lids& lids,
                                   const WhatifResult& result, const Engine* engine,
                                   const WhatifOptions& options) {
  std::vector<std::size_t> chosen;
  std::array<std::size_t, 3> of_kind{};
  for (const std::size_t i : worst_first(result)) {
    const Fault& fault = result.faults[i];
    const std::size_t kind = fault.removed != kNone<Switch> ? 0 : fault.cut.size() == 1 ? 1 : 2;
    if (of_kind[kind]++ < options.detailed) chosen.push_back(i);
  }
  if (chosen.empty()) return {};
  LossOptions how{.engine = engine, .route = options.route, .who = result.who};
  how.before = figures_before(model, routing, result.who, options.route.threads);
  how.threads = how.route.threads = threads_of_each(chosen.size(), options.route.threads);
  std::mutex mutex;
  std::size_t done = 0;
  std::vector<LossDetail> details(chosen.size());
  parallel_for(chosen.size(), options.route.threads, [&](std::size_t k, int) {
    const Fault& fault = result.faults[chosen[k]];
    ResolvedFaults faults;
    faults.cut = fault.cut;
    if (fault.removed != kNone<Switch>)
      faults.removed.push_back(model.fabric().node(fault.removed));
    const LossResult loss = lose(model, routing, lids, faults, how);
    if (!loss.not_repaired.empty()) throw PromiseError(loss.not_repaired);
    details[k] = {chosen[k], loss.unrepaired, loss.repaired, loss.rerouted};
    const std::lock_guard lock(mutex);
    report(options.progress, static_cast<double>(++done) / static_cast<double>(chosen.size()),
           "losses in three ways");
  });
  return details;
}

void require_tables(const Routing& routing) {
  if (!routing.source_routes.empty() || routing.tables.num_destinations() == 0) {
    throw InputError(routing.engine + " routes by pair: there are no tables to repair");
  }
}

// The costs of plain tables, of which `before` takes the permutations; or of adaptive ones.
Evaluate evaluator_of(const Model& measured, const Routing& routing, const Lids& lids,
                      const WhatifOptions& options, Standing& before) {
  const int threads = options.route.threads;
  if (!routing.sets.empty()) {
    const bool free = find_deadlock(measured.fabric(), routing, Sources::kAll, threads).free();
    const auto costs = std::make_shared<ChoiceCosts>(measured, routing, lids, free, threads);
    return [costs, &options](auto faults) { return costs->of(faults, {}, options.share); };
  }
  struct Plain {
    TablesInUse in_use;
    FaultCosts costs;
    Plain(const Model& measured, const Routing& routing, const Lids& lids,
          const WhatifOptions& options)
        : in_use(measured, routing.tables, options.route.threads),
          costs(in_use, lids, options.route.threads, options.permutations, options.seed) {}
  };
  const auto plain = std::make_shared<Plain>(measured, routing, lids, options);
  before.permutation_gigabits = plain->costs.permutations().gigabits();
  return [plain, &options](auto faults) { return plain->costs.of(faults, {}, options.share); };
}

}  // namespace

std::vector<std::size_t> worst_first(const WhatifResult& result) {
  std::vector<std::size_t> order(result.faults.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) {
    const FaultCost& cost = result.costs[i];
    return std::tuple(cost.pairs_lost, -cost.gigabits, cost.mload.value(), cost.entries);
  });
  return order;
}

WhatifResult whatif(const Model& model, const Routing& routing, const WhatifOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  require_tree(model.levels(), "whatif");
  require_tables(routing);
  WhatifResult result;
  result.engine = routing.engine;
  result.adaptive = !routing.sets.empty();
  result.who = options.who ? *options.who : default_participants(model);
  result.faults = faults_of(model, options);
  const auto found = std::ranges::find(engines(), routing.engine, &Engine::name);
  const Engine* const engine = found == engines().end() ? nullptr : &*found;
  result.by_engine = engine != nullptr;
  if (!result.by_engine && !options.add.empty()) {
    throw InputError("additions are routed again: name an engine instead of a file of tables");
  }
  std::vector<Addition> additions;
  for (const std::string& what : options.add) {
    additions.push_back(parse_addition(what, model.levels().height, {.file = param("add", what)}));
  }
  const auto read = [&] { return options.keep.empty() ? "" : read_stored(options.keep); };
  const std::string stored_text = options.share.once(read);
  const int threads = options.route.threads;
  const Lids lids = assign_lids(model.fabric(), routing.tables.lmc());
  const Measured among(model, result.who);
  const Model& measured = among.model();
  result.before =
      standing(measured, routing, find_channel_use(measured, routing, threads), threads);
  const Evaluate evaluate = evaluator_of(measured, routing, lids, options, result.before);
  const std::uint64_t key =
      question_key(measured, routing, lids, options.permutations, options.seed);
  const auto known = stored_costs(stored_text, key, result.faults);
  CostFile file(options.writes ? options.keep : "", key, result.faults, known);
  result.costs = costs_of(evaluate, result.faults, known, file, options);
  result.details = details_of(model, routing, lids, result, engine, options);
  if (engine != nullptr) {
    result.put_back =
        find_put_back(model, result.who, *engine, options.route, options.progress, options.share);
    result.replace =
        find_replace(model, result.who, *engine, options.route, options.progress, options.share);
    for (std::size_t i = 0; i < additions.size(); ++i) {
      result.added.push_back(
          gain_of(model, result.who, options.add[i], additions[i], *engine, options));
    }
  }
  result.pairs = find_fault_pairs(model, threads);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace fatwood
