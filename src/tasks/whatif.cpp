// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/whatif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>

#include "core/error.hpp"
#include "core/parse_number.hpp"
#include "tasks/kept_costs.hpp"

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
class KeptFile {
 public:
  KeptFile(const std::string& path, std::uint64_t key, const std::vector<Fault>& faults,
           const std::vector<std::optional<FaultCost>>& known)
      : path_(path) {
    if (path.empty()) return;
    file_.open(path, std::ios::binary | std::ios::trunc);
    file_ << kept_head(key);
    for (std::size_t i = 0; i < faults.size(); ++i) {
      if (known[i]) add(faults[i], *known[i]);
    }
    flush();
  }
  void add(const Fault& fault, const FaultCost& cost) {
    if (!path_.empty()) file_ << kept_line(fault, cost);
  }
  void flush() {
    if (path_.empty() || file_.flush()) return;
    throw InputError({.file = path_}, std::string("can't be written: ") + std::strerror(errno));
  }

 private:
  std::string path_;
  std::ofstream file_;
};

// The costs of all faults; `known` those of an earlier run.
std::vector<FaultCost> costs_of(const FaultCosts& judge, const std::vector<Fault>& faults,
                                std::vector<std::optional<FaultCost>> costs, KeptFile& file,
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
    const std::vector<FaultCost> found = judge.of(batch, {}, options.share);
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

struct Addition {
  std::string what;
  bool is_cable;
  Level level;
};

Addition parse_addition(const Model& model, const std::string& what) {
  const std::size_t at = what.find('@');
  const std::string kind = what.substr(0, at);
  const std::optional<unsigned> level =
      at == std::string::npos ? std::nullopt : parse_number<unsigned>(what.substr(at + 1));
  if (!level || (kind != "cable" && kind != "switch")) {
    throw InputError({.file = fmt::format("--add {}", what)},
                     "expected cable@LEVEL (one more for each switch) or switch@LEVEL");
  }
  const unsigned height = model.levels().height;
  if (*level == 0 || *level > (kind == "cable" ? height - 1 : height)) {
    throw InputError({.file = fmt::format("--add {}", what)},
                     fmt::format("switches have levels 1 to {}, and cables up leave 1 to {}",
                                 height, height - 1));
  }
  return {what, kind == "cable", static_cast<Level>(*level)};
}

AddedGain gain_of(const Model& model, const Addition& addition, const Engine& engine,
                  const WhatifOptions& options) {
  std::optional<Extended> extended;
  if (addition.is_cable) {
    extended = with_cable_each(model, addition.level);
  } else {
    extended = with_switch(model, addition.level);
  }
  if (!extended) throw InputError(fmt::format("no switch has level {}", addition.level));
  const Model with(std::move(extended->fabric), model.hints());
  return {addition.what, extended->cables, extended->ports_lacking,
          standing_with(with, engine, options.route, options.permutations, options.seed)};
}

void require_plain_tables(const Routing& routing) {
  if (!routing.source_routes.empty() || routing.tables.num_targets() == 0) {
    throw InputError(routing.engine + " routes by pair: there are no tables to repair");
  }
  if (!routing.sets.empty()) {
    throw InputError(
        {.file = routing.engine},
        "its switches choose among several ports (adaptive tables), and whatif follows "
        "one. Use tables without groups");
  }
}

}  // namespace

WhatifResult whatif(const Model& model, const Routing& routing, const WhatifOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  require_tree(model.levels(), "whatif");
  require_plain_tables(routing);
  WhatifResult result;
  result.engine = routing.engine;
  result.faults = faults_of(model, options);
  const auto engine = std::ranges::find(engines(), routing.engine, &Engine::name);
  result.by_engine = engine != engines().end();
  if (!result.by_engine && !options.add.empty()) {
    throw InputError("additions are routed again: name an engine instead of a file of tables");
  }
  std::vector<Addition> additions;
  for (const std::string& what : options.add) additions.push_back(parse_addition(model, what));
  const auto read = [&] { return options.keep.empty() ? "" : read_kept(options.keep); };
  const std::string kept_text = options.share.once(read);
  const int threads = options.route.threads;
  const Lids lids = assign_lids(model.fabric(), routing.tables.lmc());
  const KeptTables kept(model, routing.tables, threads);
  const FaultCosts judge(kept, lids, threads, options.permutations, options.seed);
  result.now = standing(model, routing.tables, judge.flows());
  result.now.permutation_gigabits = judge.permutations().gigabits();
  const std::uint64_t key = question_key(model, routing, lids, options.permutations, options.seed);
  const auto known = kept_costs(kept_text, key, result.faults);
  KeptFile file(options.writes ? options.keep : "", key, result.faults, known);
  result.costs = costs_of(judge, result.faults, known, file, options);
  if (result.by_engine) {
    result.put_back = find_put_back(model, *engine, options.route, options.progress, options.share);
    for (const Addition& addition : additions) {
      result.added.push_back(gain_of(model, addition, *engine, options));
    }
  }
  result.pairs = find_fault_pairs(model, threads);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace fatwood
