// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Compares all engines on one fabric, best first: does each keep its promise, what do pairs of
// compute hosts get in all-to-all, what do jobs get, how even are cuts, and what is the gain over
// the tables in use?
//
// Rates are bottleneck rates (analysis/rates/bottleneck.hpp) of the participants. By default these
// are the compute hosts if roles differ. Evenness (analysis/bounds/evenness.hpp) covers all hosts,
// because tables carry the traffic of all hosts, and each cut has its own optimum. recommend.hpp
// has the ranking.
//
// Engines of Ethernet run on request, or if the fabric has Ethernet cables.
// Slow engines (kSlowEngines) run only on request, or if they could win: all of them if the fabric
// is no tree; nue also if the best of the others is more than 5% below the best possible.

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/load/all_to_all.hpp"
#include "analysis/permutations/shift_conflicts.hpp"
#include "routing/engine.hpp"
#include "tasks/measured.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/reach/hops.hpp"
#include "verify/reach/reachability.hpp"

namespace fatwood {

// Rates of pairs; 1 is the usual speed of adapter ports.
struct PairRates {
  Fraction worst = 0, p1 = 0, p10 = 0, median = 0;
  std::uint64_t unreachable = 0;
};

struct EngineResult {
  Reachability reachability;
  bool deadlock_free = false;
  std::size_t lanes = 1;
  HopCounts hops;
  AllToAllLoad load;                       // host links included
  UseSpread flows;                         // of all-to-all, on channels between switches
  UseSpread destinations;                  // of all-to-all, on channels between switches
  PairRates rates;                         // of the participants
  PairRates all_rates;                     // of all hosts
  std::optional<JobEfficiency> jobs = {};  // of the participants
  double evenness_mean = 1, evenness_worst = 1;
  double best_worst = 1;  // upper bound, from cuts, of the worst pair of all hosts for any routing
  // By number of flows, if counted. No value for adaptive tables, whose flows have no fixed
  // channel.
  std::optional<ShiftConflicts> shift = {};
  bool adaptive = false;  // results hold for every choice; flows are split evenly
  // For RouteOptions::demands: load of the most loaded channel between switches, relative to that
  // of the most loaded host.
  std::optional<double> demanded = {};
  double seconds = 0;         // of the engine alone
  bool promise_kept = false;  // whether the engine kept its promise
};

struct EngineRow {
  std::string name;
  bool promises_deadlock_free = false;
  bool source_routes = false;          // a path for each pair, no forwarding tables
  bool for_trees = false;              // made for trees, even if it also routes other fabrics
  bool current = false;                // the tables in use, not an engine
  std::string refused;                 // the reason, if the engine cannot route this fabric
  std::optional<EngineResult> result;  // otherwise
};

// A row with the data behind it; only the row if the engine refused.
struct EvaluatedEngine {
  EngineRow row;
  std::optional<Routing> routing;
  Deadlock deadlock;
  ChannelUse use;
};

// Counting the conflicts of all shifts takes longer than all other figures together.
enum class CountShifts : std::uint8_t { kNo, kYes };

// Slow, and made for fabrics that are not trees: the ordered-link engines leave most links of a
// tree unused.
inline constexpr std::array<std::string_view, 5> kSlowEngines{"nue", "bfot", "bfot+", "apot",
                                                              "apot-matrix"};
enum class SlowEngines : std::uint8_t { kIfTheyCouldWin, kAlways };

// Evaluates routings of one fabric.
class EngineEvaluator {
 public:
  // The model must outlive it.
  EngineEvaluator(const Model& model, Participants who, CountShifts shifts, int threads,
                  GivenOrder order = {});

  const Participants& who() const { return measured_.who(); }
  // An exception of the engine (PromiseError, InputError) is stored in the row. Options that the
  // engine does not support are left out. `other`: its figures are taken over if it has the same
  // tables.
  EvaluatedEngine engine(const Engine& engine, const RouteOptions& options,
                         const EvaluatedEngine* other = nullptr) const;
  // Evaluates the engines of a list, slow ones last, and calls take() with each. Returns the names
  // of slow engines that were left out.
  std::vector<std::string> engines(std::span<const Engine> list, const RouteOptions& options,
                                   SlowEngines slow,
                                   const std::function<void(EvaluatedEngine)>& take) const;
  // Tables from elsewhere. They must connect every pair and be free of deadlock.
  EvaluatedEngine tables(const std::string& name, Routing routing) const;

 private:
  EvaluatedEngine evaluated(Routing routing, const EvaluatedEngine* other) const;
  EngineResult measured(const Routing& routing, const ChannelUse& use) const;

  const Model& model_;
  Measured measured_;
  CountShifts shifts_;
  int threads_;
  GivenOrder order_;
};

struct CompareOptions {
  RouteOptions route = {};
  SlowEngines slow = SlowEngines::kIfTheyCouldWin;
  CountShifts shifts = CountShifts::kNo;
  std::optional<Participants> who = {};  // none: default_participants
  GivenOrder order = {};                 // of hosts, for jobs
  std::optional<Routing> current = {};   // the tables in use
  std::string current_name = {};
  std::span<const Engine> list = engines();
};

struct Comparison {
  Participants who;
  std::vector<EngineRow> rows;  // best first
  std::string baseline;         // gains are relative to it: tables in use, or minhop; "": none
  std::vector<std::string> left_out;  // slow engines that could not win
};
Comparison compare(const Model& model, const CompareOptions& options);

// From rows that were evaluated one by one, in the given order, with the same baseline.
Comparison compared(Participants who, std::vector<EngineRow> rows);

}  // namespace fatwood
