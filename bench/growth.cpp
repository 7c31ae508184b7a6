// SPDX-License-Identifier: BSD-3-Clause
// Cost per unit of work against the size of the fabric, 64 to 65,536 hosts, one thread: lines of
// "what,hosts,work,unit,seconds,bytes" for bench/growth, which draws docs/growth.svg.
//
//   bench_growth [MOST HOSTS]
//
// Limit of each line: the same cost per unit at every size; "read" is the pass over the tables'
// bytes that any of them must make at least.

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "analysis/faults/fault_cost.hpp"
#include "analysis/load/channel_use.hpp"
#include "analysis/permutations/permutation_load.hpp"
#include "analysis/rates/bottleneck.hpp"
#include "clock.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/spec.hpp"
#include "routing/algebraic/algebraic.hpp"
#include "routing/engine.hpp"
#include "routing/repair/fault_repair.hpp"
#include "routing/tables/lids.hpp"
#include "sim/engine/engine.hpp"
#include "sim/meter.hpp"
#include "sim/workload/poisson.hpp"
#include "topology/change/faults.hpp"
#include "verify/verify.hpp"

namespace {

using namespace fatwood;

constexpr double kEnough = 0.2;  // seconds of a measurement, at least
constexpr double kTooLong = 20;  // seconds: larger fabrics are left out

class Lines {
 public:
  explicit Lines(std::size_t hosts) : hosts_(hosts) {}

  // CPU seconds of one call, the mean of as many as fit kEnough after a first one.
  template <class Work>
  double print(const char* what, double work, const char* unit, const Work& call) const {
    call();
    const double start = bench::thread_seconds();
    int times = 0;
    do {
      call();
      ++times;
    } while (bench::thread_seconds() - start < kEnough);
    const double seconds = (bench::thread_seconds() - start) / times;
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    fmt::print("{},{},{:.0f},{},{:.6g},{}\n", what, hosts_, work, unit, seconds,
               used.ru_maxrss * 1024);
    std::fflush(stdout);
    return seconds;
  }

 private:
  std::size_t hosts_;
};

void simulate(const Lines& lines, const std::string& spec) {
  using namespace fatwood::sim;
  const Fabric fabric = make_fabric(spec);
  const sim::Model model;
  const Network net = make_network(fabric, model);
  const auto dmodk = make_algebraic("dmodk", *fabric.tree());
  const Routes routes = Routes::by_paths(net, *dmodk.routing);
  Poisson workload(net, {.load = 0.3, .message_flits = model.packet_flits}, {}, 1);
  Meter meter(net);
  sim::Engine engine(net, model, routes, PathChoice::kRoundRobinPerPacket, 1, workload, meter);
  constexpr Time kCycles = 200;
  Time until = 0;
  engine.run(until += kCycles);
  const std::uint64_t before = engine.counters().flit_hops;
  engine.run(until += kCycles);
  const auto hops = static_cast<double>(engine.counters().flit_hops - before);
  lines.print("sim", hops, "flit hop", [&] { engine.run(until += kCycles); });
}

void lose_cables(const Lines& lines, const fatwood::Model& model, const Routing& routing) {
  TablesInUse in_use(model, routing.tables, 1);
  FaultRepair repair(in_use);
  const std::vector<Fault> cables = single_cables(model);
  std::size_t i = 0;
  const std::size_t step = cables.size() / 7 + 1;
  std::uint64_t entries = 0;
  std::uint64_t cuts = 0;
  const auto cut_one = [&] {
    const std::vector<Channel>& cut = cables[(i += step) % cables.size()].cut;
    in_use.mark_dead(cut);
    entries += repair.cut(cut).size();
    ++cuts;
    in_use.mark_working(cut);
  };
  for (int k = 0; k < 7; ++k) cut_one();
  lines.print("repair", static_cast<double>(entries) / static_cast<double>(cuts), "entry changed",
              cut_one);
  if (routing.tables.num_destinations() >= kNumLids) return;  // whatif counts blocks of LIDs
  const Lids lids = assign_lids(model.fabric(), routing.tables.lmc());
  const FaultCosts costs(in_use, lids, 1);
  std::vector<Fault> some;
  for (int k = 0; k < 7; ++k) some.push_back(cables[(i += step) % cables.size()]);
  lines.print("whatif", 7.0 * static_cast<double>(entries) / static_cast<double>(cuts),
              "entry changed", [&] { (void)costs.of(some); });
}

// False when it took too long to go on.
bool even_of_cut(const Lines& lines, const std::string& spec) {
  const Fabric whole = load_fabric(spec).fabric;
  const std::vector<FaultRequest> orders{{FaultKind::kCut, "2%", {}}};
  const fatwood::Model model(
      with_faults(whole, find_faults(whole, orders, {.connection = Connection::kKept})));
  const double entries = static_cast<double>(whole.num_terminals() + whole.num_switches()) *
                         static_cast<double>(whole.num_switches());
  return lines.print("even", entries, "entry",
                     [&] { (void)route(find_engine("even"), model, {.threads = 1}); }) < kTooLong;
}

void measure(const std::string& spec, bool& even) {
  const fatwood::Model model(load_fabric(spec).fabric);
  const Fabric& fabric = model.fabric();
  const Lines lines(fabric.num_terminals());
  Routing routing;
  const auto go = [&] { routing = route(find_engine("sftree"), model, {.threads = 1}); };
  go();
  const auto entries =
      static_cast<double>(routing.tables.num_destinations() * routing.tables.num_switches());
  lines.print("route", entries, "entry", go);
  std::uint64_t sum = 0;
  lines.print("read", entries, "entry", [&] {
    const auto table = routing.tables.entries();
    for (const Port port : table) sum += index(port);
  });
  lines.print("verify", entries, "entry", [&] {
    (void)find_reachability(fabric, routing, 1);
    (void)find_deadlock(fabric, routing, Sources::kAll, 1);
  });
  lines.print("load", entries, "entry", [&] { (void)find_channel_use(model, routing, 1); });
  lines.print("rates", entries, "entry", [&] { (void)bottleneck_rates(model, routing, 1); });
  {
    const auto paths = path_source(model, routing);
    const auto kernel = permutation_load(model, *paths);
    std::vector<std::uint32_t> to(paths->num_adapters());
    std::uint64_t sample = 0;
    lines.print("permutations", static_cast<double>(to.size()), "flow", [&] {
      draw_permutation(1, sample++, to);
      sum += kernel->max_load(to);
    });
  }
  lose_cables(lines, model, routing);
  if (even) even = even_of_cut(lines, spec);
  routing = {};
  simulate(lines, spec);
  fmt::print(stderr, "{} done (checksum {})\n", spec, sum);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t most = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 65536;
  bool even = true;
  fmt::print("what,hosts,work,unit,seconds,bytes\n");
  const std::vector<std::pair<std::size_t, const char*>> sizes{
      {64, "kary(4,3)"},  {128, "ft(8,3)"},    {1024, "ft(16,3)"}, {3456, "ft(24,3)"},
      {8192, "ft(32,3)"}, {27648, "ft(48,3)"}, {65536, "ft(64,3)"}};
  for (const auto& [hosts, spec] : sizes) {
    if (hosts <= most) measure(spec, even);
  }
  return 0;
}
