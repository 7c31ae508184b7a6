// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runs: one load, a sweep of loads on all cores, the search for saturation, a collective.
//
// A run of open traffic is cut into windows; after each the engine is asked for a deadlock, and at
// the end whether everything balances (InvariantError if not). What is reported holds after the
// warm-up that MSER finds. A point of a sweep depends on its load and the seed alone, so a sweep
// gives the same bytes at any number of threads.

#include <optional>
#include <vector>

#include "core/progress.hpp"
#include "core/share.hpp"
#include "sim/engine/engine.hpp"
#include "sim/meter.hpp"
#include "sim/workload/lists.hpp"
#include "sim/workload/poisson.hpp"

namespace fatwood::sim {

struct Setup {
  const Network& network;
  const Model& model;
  const Routes& routes;
  PathChoice choice = PathChoice::kRoundRobinPerPacket;
  std::uint64_t seed = 1;
  int threads = 1;  // of one run, at most; 0: all cores. Results do not depend on it.
};

struct OpenTraffic {
  const Traffic* matrix = nullptr;  // nullptr: uniform
  std::uint64_t message_flits = 10;
  std::uint8_t service_level = 0;
  double switch_load = 0;  // of port 0's speed
  std::uint64_t switch_message_flits = 10;
  std::uint8_t switch_service_level = 0;
  Time cycles = 30000;
  std::size_t windows = 100;
};

// Latencies in cycles.
struct Latency {
  double mean = 0, half = 0, p50 = 0, p95 = 0, p99 = 0, most = 0;
  std::uint64_t count = 0;
};

struct SeriesPoint {
  double cycles = 0;    // end of the window
  double accepted = 0;  // as a load
  double latency = 0;   // mean of the messages delivered in it, cycles; 0: none
};

struct ClassResult {
  double offered = 0;  // asked for; of the busiest sources when a matrix is uneven
  double created = 0;  // drawn in the time that `accepted` is of, as a load; terminals only
  Estimate accepted;   // as a load
  Latency message, packet;
  bool settled = true;  // false: latency had no steady state
  Time warmup_cycles = 0;
  std::vector<SeriesPoint> series;
};

// The effect of tables that changed while packets were in flight.
struct TableSwitch {
  std::uint64_t discarded = 0;                // packets whose entry led nowhere
  std::uint64_t looping = 0;                  // packets that came to some switch twice
  std::optional<Engine::Pair> first_looping;  // the first of them
};

struct Point {
  ClassResult terminals, switches;
  std::vector<double> use;  // of each port's channel: share of time busy; more
                            // than 1: several packets at once, to a receiver without limit
  Counters counters;
  Time cycles = 0;
  double seconds = 0;  // CPU
  std::size_t bytes = 0;
  std::optional<Deadlock> deadlock;
  std::optional<TableSwitch> switched;  // nothing: tables stay as they are
};

// REQUIRES load in (0, 1]. InputError when service levels do not fit the lanes.
Point run_load(const Setup& setup, const OpenTraffic& traffic, double load,
               const Progress& progress = {});
std::vector<Point> run_sweep(const Setup& setup, const OpenTraffic& traffic,
                             const std::vector<double>& loads, int threads,
                             const Progress& progress = {}, const Share& share = {});

struct Saturation {
  double load = 0;            // the last offered load before saturation
  double accepted = 0;        // there
  double peak = 0;            // greatest accepted load seen
  std::vector<Point> points;  // in order of load
};
// Whether the network accepted what was created in that time, but for 1%.
bool keeps_up(const Point& point);
// On the grid of these points, in ascending order of load: the last before the first that does not
// keep up. Nothing when none or the first does not. The points stay where they are.
std::optional<Saturation> saturation_on_grid(const std::vector<Point>& points);
// Bisects down to `width`, and looks at load 1.
Saturation find_saturation(const Setup& setup, const OpenTraffic& traffic, double width,
                           int threads, const Progress& progress = {}, const Share& share = {});

struct CollectiveResult {
  std::uint64_t messages = 0, flits = 0;
  Time finish_cycles = 0;  // last flit delivered
  double bandwidth = 0;    // mean over terminals of own flits / own time, as a load
  double slowest = 0;      // the least of them
  double overall = 0;      // flits of terminals / (terminals with a list * finish), as a load
  Latency message;
  Counters counters;
  double seconds = 0;
  std::size_t bytes = 0;
  std::optional<Deadlock> deadlock;
  std::optional<TableSwitch> switched;  // nothing: tables stay as they are
};
CollectiveResult run_lists(const Setup& setup, MessageLists lists, Pace pace,
                           const Progress& progress = {});

}  // namespace fatwood::sim
