// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runs: one load, a sweep of loads on all cores, the search for saturation, a collective.
//
// A run of open traffic has windows. After each, the engine is checked for a deadlock; at the end,
// whether all flits are accounted for (InvariantError if not). Results are for the time after the
// warm-up that MSER finds. A point of a sweep depends only on its load and the seed, so a sweep
// does not depend on the number of threads.

#include <optional>
#include <vector>

#include "core/bytes.hpp"
#include "core/progress.hpp"
#include "core/work_share.hpp"
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
  double switch_load = 0;  // relative to the speed of port 0
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
  double latency = 0;   // mean of the messages delivered in it, in cycles; 0: none
};

struct ClassResult {
  double offered = 0;  // requested load; that of the busiest sources if a matrix is uneven
  double created = 0;  // in the same time as `accepted`, as a load; terminals only
  Estimate accepted;   // as a load
  Latency message, packet;
  bool settled = true;  // false: latency reached no steady state
  Time warmup_cycles = 0;
  std::vector<SeriesPoint> series;
};

// The effect of changing tables while packets were in flight.
struct TableSwitch {
  std::uint64_t discarded = 0;  // packets whose entry led nowhere
  // Packets that passed more switches than the fabric has (than 250 on larger fabrics), so some
  // switch twice. Those that leave a loop earlier are not counted.
  std::uint64_t looping = 0;
  std::optional<Engine::Pair> first_looping;  // the first of them
};

struct Point {
  ClassResult terminals, switches;
  std::vector<double> use;  // by port: fraction of time that its channel is busy; above
                            // 1: several packets at once, to a receiver without limit
  Counters counters;
  Time cycles = 0;
  double seconds = 0;  // CPU
  std::size_t bytes = 0;
  std::optional<Deadlock> deadlock;
  std::optional<TableSwitch> switched;  // no value: tables do not change
};

// REQUIRES load in (0, 1]. InputError if service levels do not fit the lanes.
Point run_load(const Setup& setup, const OpenTraffic& traffic, double load,
               const Progress& progress = {});
std::vector<Point> run_sweep(const Setup& setup, const OpenTraffic& traffic,
                             const std::vector<double>& loads, int threads,
                             const Progress& progress = {}, const WorkShare& share = {});

struct Saturation {
  double load = 0;            // the last offered load before saturation
  double accepted = 0;        // at that load
  double peak = 0;            // largest accepted load of all points
  std::vector<Point> points;  // in order of load
};
// Whether the network accepted at least 99% of what was created in that time.
bool keeps_up(const Point& point);
// Given points in ascending order of load: the last one before the first that does not keep up. No
// value if all keep up, or if the first does not. `points` of the result is empty.
std::optional<Saturation> saturation_on_grid(const std::vector<Point>& points);
// Three loads in each round narrow the range to a quarter, down to `width`. Also runs load 1.
Saturation find_saturation(const Setup& setup, const OpenTraffic& traffic, double width,
                           int threads, const Progress& progress = {}, const WorkShare& share = {});

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
  std::optional<TableSwitch> switched;  // no value: tables do not change
};
CollectiveResult run_lists(const Setup& setup, MessageLists lists, Pace pace,
                           const Progress& progress = {});

// Results as bytes (core/bytes.hpp), for runs that several processes share.
void fields(auto& bytes, Some<ClassResult> auto& result) {
  bytes(result.offered, result.created, result.accepted, result.message, result.packet,
        result.settled, result.warmup_cycles, result.series);
}

void fields(auto& bytes, Some<Point> auto& point) {
  bytes(point.terminals, point.switches, point.use, point.counters, point.cycles, point.seconds,
        point.bytes, point.deadlock, point.switched);
}

void fields(auto& bytes, Some<CollectiveResult> auto& result) {
  bytes(result.messages, result.flits, result.finish_cycles, result.bandwidth, result.slowest,
        result.overall, result.message, result.counters, result.seconds, result.bytes,
        result.deadlock, result.switched);
}

}  // namespace fatwood::sim
