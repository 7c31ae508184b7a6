// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Every engine on one fabric, best first: does it keep its promise, what do pairs of compute hosts
// get when all send to all, how evenly are cuts loaded, how much is gained over the tables in use.
//
// Rates are bottleneck rates (analysis/rates/bottleneck.hpp) of the participants: compute hosts
// where roles differ and nothing else was asked for. Evenness is that of all hosts
// (analysis/bounds/evenness.hpp): tables carry all of them, and each cut has its own best possible.
// Ranking and recommendation: recommend.hpp.
//
// Slow engines (kSlowEngines) run only if asked for, or if they could win: all of them if the
// fabric is no tree; nue also if the best of the others is more than 5% from the best possible.

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/load/all_to_all.hpp"
#include "routing/engine.hpp"
#include "tasks/measured.hpp"
#include "verify/deadlock/deadlock.hpp"
#include "verify/reach/hops.hpp"
#include "verify/reach/reachability.hpp"
#include "verify/reach/shift.hpp"

namespace fatwood {

// Rates of pairs; 1 is the usual speed of host ports.
struct PairRates {
  Fraction worst = 0, p1 = 0, p10 = 0, median = 0;
  std::uint64_t unreachable = 0;
};

struct EngineResult {
  Reachability reachability;
  bool deadlock_free = false;
  std::size_t lanes = 1;
  HopCounts hops;
  AllToAllLoad load;       // host links included
  UseSpread flows;         // of all-to-all, on channels between switches
  UseSpread destinations;  // the same
  PairRates rates;         // of the participants
  PairRates all_rates;     // of all hosts
  double evenness_mean = 1, evenness_worst = 1;
  double best_worst = 1;  // no routing gives the worst pair of all hosts more, as far as cuts show
  // By number of flows, where counted: none of adaptive tables, whose flows have no channel for
  // sure.
  std::optional<ShiftConflicts> shift = {};
  bool adaptive = false;  // whatever its switches choose; flows are split evenly
  // Of RouteOptions::demands: the most loaded channel between switches over the fullest of a host.
  std::optional<double> demanded = {};
  double seconds = 0;  // the engine alone
  bool kept = false;   // what its row promises
};

struct EngineRow {
  std::string name;
  bool promises_deadlock_free = false;
  bool source_routes = false;          // no forwarding tables: a path for each pair
  bool for_trees = false;              // made for trees, whether or not it routes others
  bool current = false;                // the tables in use, no engine
  std::string refused;                 // why, when the engine can't route this fabric
  std::optional<EngineResult> result;  // otherwise
};

// A row with what it was made of; nothing but the row of an engine that refuses.
struct EvaluatedEngine {
  EngineRow row;
  std::optional<Routing> routing;
  Deadlock deadlock;
  ChannelUse use;
};

// Counting conflicts of all shifts takes longer than everything else.
enum class CountShifts : std::uint8_t { kNo, kYes };

// Made for fabrics that are not trees. The ordered-link engines leave most links of a tree unused.
inline constexpr std::array<std::string_view, 5> kSlowEngines{"nue", "bfot", "bfot+", "apot",
                                                              "apot-matrix"};
enum class SlowEngines : std::uint8_t { kIfTheyCouldWin, kAlways };

// Evaluates routings of one fabric.
class EngineEvaluator {
 public:
  // The model must outlive it.
  EngineEvaluator(const Model& model, Participants who, CountShifts shifts, int threads);

  const Participants& who() const { return measured_.who(); }
  // An exception of an engine (PromiseError, InputError) becomes its row. Options that an engine
  // does not support are left out.
  EvaluatedEngine engine(const Engine& engine, const RouteOptions& options) const;
  // The engines of a list, one after another, the slow ones last; calls take() with each. Returns
  // the names of slow engines that were left out.
  std::vector<std::string> engines(std::span<const Engine> list, const RouteOptions& options,
                                   SlowEngines slow,
                                   const std::function<void(EvaluatedEngine)>& take) const;
  // Tables from elsewhere: they promise every pair and freedom of deadlock.
  EvaluatedEngine tables(const std::string& name, Routing routing) const;

 private:
  EvaluatedEngine evaluated(Routing routing) const;

  const Model& model_;
  Measured measured_;
  CountShifts shifts_;
  int threads_;
};

struct CompareOptions {
  RouteOptions route = {};
  SlowEngines slow = SlowEngines::kIfTheyCouldWin;
  CountShifts shifts = CountShifts::kNo;
  std::optional<Participants> who = {};  // none: default_participants
  std::optional<Routing> current = {};   // the tables in use
  std::string current_name = {};
  std::span<const Engine> list = engines();
};

struct Comparison {
  Participants who;
  std::vector<EngineRow> rows;        // best first
  std::string baseline;               // what gains are over: the tables in use, or minhop; "": none
  std::vector<std::string> left_out;  // slow engines that could not win
};
Comparison compare(const Model& model, const CompareOptions& options);

// Rows that were evaluated one by one, in the order given. Gains are over tables in use, or minhop.
Comparison compared(Participants who, std::vector<EngineRow> rows);

}  // namespace fatwood
