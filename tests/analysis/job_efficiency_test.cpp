// SPDX-License-Identifier: BSD-3-Clause
// Job efficiency against the flow model of `fatwood job` on the same jobs, and its bound against
// counting pair by pair.

#include "analysis/jobs/job_efficiency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "analysis/jobs/job.hpp"
#include "analysis/jobs/job_bound.hpp"
#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "support/damaged_tree.hpp"
#include "support/rail_fabric.hpp"
#include "support/sketch.hpp"
#include "topology/change/faults.hpp"
#include "topology/hosts/participants.hpp"
#include "topology/levels/tree_cuts.hpp"
#include "traffic/collectives/collective_list.hpp"
#include "traffic/jobs/place_job.hpp"

namespace fatwood {
namespace {

constexpr double kTolerance = 1e-6;

// A job as `fatwood job` runs it.
class JobModel {
 public:
  JobModel(const Model& model, const Routing& routing)
      : model_(model),
        paths_(path_source(model, Routing(routing))),
        links_(model, *paths_),
        capacity_(channel_capacity(model.fabric())) {}

  // seconds by the hosts' own cables, and by all.
  std::pair<double, double> seconds(const PlacedJob& job) {
    const JobStudy study = study_jobs(model_.fabric(), links_, capacity_, {job});
    if (!study.unrouted.empty()) return {0, 1};
    return {study.jobs[0].own_seconds, study.jobs[0].seconds};
  }
  double collective(const std::vector<Host>& hosts, std::string_view name) {
    const PlacedHosts placed = place_hosts(model_, hosts);
    const JobShape shape = shape_of(placed);
    PlacedJob job;
    job.program = make_collective(find_collective(name), shape, {all_ranks(shape)}, 1e9, {});
    job.at = placed.at;
    const auto [own, all] = seconds(job);
    return own / all;
  }
  double phases(const std::vector<Host>& hosts) {
    const PlacedHosts placed = place_hosts(model_, hosts);
    const JobShape shape = shape_of(placed);
    double own = 0;
    double all = 0;
    for (const std::uint32_t phase : job_phases(shape.nodes)) {
      PlacedJob job;
      job.program = empty_program(shape, "phase");
      job.at = placed.at;
      for (std::uint32_t i = 0; i < shape.nodes; ++i) {
        const std::uint32_t to = phase_partner(shape.nodes, phase, i);
        for (std::uint32_t nic = 0; nic < shape.nics; ++nic) {
          job.program.add_message(shape.endpoint(i, nic), shape.endpoint(to, nic), 1e9);
        }
      }
      const auto [mine, both] = seconds(job);
      own += mine;
      all += both;
    }
    return own / all;
  }

 private:
  static JobShape shape_of(const PlacedHosts& placed) {
    return {static_cast<std::uint32_t>(placed.hosts.size()), placed.nics, placed.nics};
  }

  const Model& model_;
  std::unique_ptr<PathSource> paths_;
  FlowLinks links_;
  std::vector<double> capacity_;
};

// Some windows of every size from 2 on, powers of two and others.
std::vector<JobWindow> some_windows(std::size_t hosts) {
  std::vector<JobWindow> windows = job_windows(hosts, 2, {.fewest = 1, .most = 2});
  Random random(7);
  const auto all = static_cast<std::uint32_t>(hosts);
  for (const std::uint32_t size : {3U, 5U, all / 2, all}) {
    if (size < 2 || size > all) continue;
    std::vector<std::uint32_t> members = random.permutation(all);
    members.resize(size);
    std::ranges::sort(members);
    windows.push_back({Placed::kRandom, std::move(members)});
  }
  return windows;
}

void agrees_with_job(const Model& model, const Routing& routing, const std::string& what) {
  const HostOrder order = natural_host_order(model);
  const std::vector<JobWindow> windows = some_windows(order.size());
  const std::vector<JobFigures> figures = job_figures(model, order, windows, routing);
  JobModel job(model, routing);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    SCOPED_TRACE(what + ", job " + std::to_string(i) + " of " + std::to_string(windows[i].size()));
    std::vector<Host> hosts;
    for (const std::uint32_t member : windows[i].members) hosts.push_back(order.hosts[member]);
    const auto found = [&](JobTraffic traffic) { return figures[i].of(traffic)->efficiency; };
    EXPECT_NEAR(found(JobTraffic::kAtOnce), job.collective(hosts, "alltoall:pxn"), kTolerance);
    EXPECT_NEAR(found(JobTraffic::kRing), job.collective(hosts, "allreduce:ring"), kTolerance);
    EXPECT_NEAR(found(JobTraffic::kPhases), job.phases(hosts), kTolerance);
    if (figures[i].of(JobTraffic::kDirect)) {
      EXPECT_NEAR(found(JobTraffic::kDirect), job.collective(hosts, "alltoall:direct"), kTolerance);
    }
    for (const JobTraffic traffic : kJobTraffics) {
      if (!figures[i].of(traffic)) continue;
      EXPECT_GE(figures[i].of(traffic)->ideal + 1e-9, figures[i].of(traffic)->efficiency)
          << name_of(traffic);
    }
    EXPECT_EQ(figures[i].limited_by == kNone<Channel>, found(JobTraffic::kAtOnce) == 1);
  }
}

Routing routes_of(const Model& model, std::string_view engine) {
  return route(find_engine(engine), model, {});
}

Fabric with_slow_cables(const Fabric& fabric) {
  const std::vector<FaultRequest> orders{{FaultKind::kSpeed, "S2_1 2xHDR", {}},
                                         {FaultKind::kSpeed, "S1_2[4] 4xEDR", {}}};
  return with_faults(fabric, find_faults(fabric, orders));
}

TEST(JobEfficiency, IsWhatJobFindsOnTrees) {
  for (const std::string_view spec :
       {"ft(8,2)", "ft(6,3)", "pgft(2;6,4;1,3;1,2)", "xgft(2;4,4;1,2)"}) {
    for (const std::uint64_t seed : {0U, 1U, 2U, 3U}) {
      Fabric fabric = make_fabric(spec);
      if (seed > 0) fabric = test::damaged_tree(fabric, seed, 0.1).fabric;
      const Model model(std::move(fabric));
      if (model.components().count > 1) continue;  // job refuses such jobs
      for (const std::string_view engine : {"minhop", "sftree"}) {
        agrees_with_job(model, routes_of(model, engine),
                        std::string(spec) + " " + std::string(engine) + std::to_string(seed));
      }
    }
  }
}

TEST(JobEfficiency, IsWhatJobFindsOnRails) {
  test::RailPlan plan;
  const Model whole(test::rail_fabric(plan));
  agrees_with_job(whole, routes_of(whole, "minhop"), "rails");
  plan.spines_of_one_rail = true;
  const Model planes(test::rail_fabric(plan));
  agrees_with_job(planes, routes_of(planes, "minhop"), "planes of rails");
  plan.absent = {{0, 2, 1}, {1, 3, 3}};
  const Model narrow(test::rail_fabric(plan));
  agrees_with_job(narrow, routes_of(narrow, "minhop"), "hosts without an adapter");
}

TEST(JobEfficiency, IsWhatJobFindsWithSlowCables) {
  for (const std::string_view spec : {"ft(6,3)", "pgft(2;6,4;1,3;1,2)"}) {
    const Model model(with_slow_cables(make_fabric(spec)));
    agrees_with_job(model, routes_of(model, "minhop"), std::string(spec));
  }
}

TEST(JobEfficiency, IsWhatJobFindsWithSeveralPortsAndAddresses) {
  const Model ports(make_fabric("xgft(2;4,4;2,2)"));
  agrees_with_job(ports, routes_of(ports, "minhop"), "two ports each");
  const Model model(make_fabric("ft(6,2)"));
  RouteOptions options;
  options.lmc = 1;
  agrees_with_job(model, route(find_engine("minhop"), model, options), "two addresses each");
}

TEST(JobEfficiency, IsWhatJobFindsWithGroupsOfPorts) {
  const Model model(test::damaged_tree(make_fabric("ft(6,3)"), 5, 0.1).fabric);
  agrees_with_job(model, routes_of(model, "ar_updn"), "ar_updn");
  const Model rails(test::rail_fabric({}));
  agrees_with_job(rails, routes_of(rails, "ar_updn"), "rails, ar_updn");
}

TEST(JobEfficiency, IsWhatJobFindsOnGraphs) {
  for (const std::string_view spec : {"ring(9)", "torus(3,3)", "random(8,16,seed=5)"}) {
    const Model model(make_fabric(spec));
    agrees_with_job(model, routes_of(model, "nue"), std::string(spec));
  }
}

TEST(JobEfficiency, ListedPathsGiveTheSame) {
  const Model model(test::damaged_tree(make_fabric("ft(6,3)"), 4, 0.1).fabric);
  const Routing routing = routes_of(model, "minhop");
  const HostOrder order = natural_host_order(model);
  const std::vector<JobWindow> windows = some_windows(order.size());
  const auto by_tables = job_figures(model, order, windows, routing);
  // An address choice has no tables that all pairs follow.
  const auto paths =
      path_source(model, Routing(routing),
                  {[](Terminal, Terminal) { return std::vector<std::uint8_t>{0}; }, 1});
  ASSERT_EQ(paths->tables(), nullptr);
  const auto by_paths = job_figures(model, order, windows, *paths);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    for (const JobTraffic traffic : kJobTraffics) {
      ASSERT_EQ(by_tables[i].of(traffic).has_value(), by_paths[i].of(traffic).has_value());
      if (!by_tables[i].of(traffic)) continue;
      EXPECT_NEAR(by_tables[i].of(traffic)->efficiency, by_paths[i].of(traffic)->efficiency, 1e-9);
    }
  }
}

TEST(JobEfficiency, LostPairsAndLoopsCountAsNothing) {
  const Model model(make_fabric("ft(4,2)"));
  Routing routing = routes_of(model, "minhop");
  const HostOrder order = natural_host_order(model);
  const std::vector<JobWindow> windows{{Placed::kNeighbours, {0, 1}},
                                       {Placed::kNeighbours, {0, 7}}};
  const Fabric& fabric = model.fabric();
  const Destination to = routing.tables.destination(Terminal{7});
  routing.tables.row(to)[index(fabric.leaf(Terminal{0}))] = kNoRoute;
  const auto lost = job_figures(model, order, windows, routing);
  EXPECT_EQ(lost[0].of(JobTraffic::kAtOnce)->efficiency, 1);
  EXPECT_TRUE(lost[1].lost);
  EXPECT_EQ(lost[1].of(JobTraffic::kAtOnce)->efficiency, 0);
  // Up to a spine, which sends it back.
  const Switch leaf = fabric.leaf(Terminal{0});
  Channel up = kNone<Channel>;
  for (const Channel c : fabric.channels(fabric.node(leaf))) {
    if (fabric.between_switches(c)) up = c;
  }
  routing.tables.row(to)[index(leaf)] = fabric.port(up);
  routing.tables.row(to)[index(fabric.next_switch(up))] = fabric.port(fabric.peer(up));
  EXPECT_TRUE(job_figures(model, order, windows, routing)[1].lost);
}

TEST(JobEfficiency, DisconnectedHostsSendNothing) {
  const Model model(test::sketch("A:2 B:2 C:2 S A-S B-S"));
  const auto found = job_efficiency(model, natural_host_order(model), routes_of(model, "minhop"));
  ASSERT_TRUE(found);
  EXPECT_GT(found->at_once().worst, 0);
}

TEST(JobEfficiency, SummaryIsThatOfItsJobs) {
  const Model model(test::damaged_tree(make_fabric("ft(8,3)"), 2, 0.1).fabric);
  const Routing routing = routes_of(model, "minhop");
  const HostOrder order = natural_host_order(model);
  const auto found = job_efficiency(model, order, routing, 1);
  ASSERT_TRUE(found);
  const auto windows = job_windows(order.size(), usual_hosts_of_leaf(model, order));
  const auto jobs = job_figures(model, order, windows, routing, 2);
  double mean = 0;
  double worst = 1;
  std::size_t at = 0;
  for (const JobCell& cell : found->cells) {
    double sum = 0;
    for (std::uint32_t j = 0; j < cell.jobs; ++j, ++at) {
      ASSERT_EQ(windows[at].size(), cell.hosts);
      ASSERT_EQ(windows[at].placed, cell.placed);
      sum += jobs[at].of(JobTraffic::kAtOnce)->efficiency;
      worst = std::min(worst, jobs[at].of(JobTraffic::kAtOnce)->efficiency);
    }
    EXPECT_NEAR(cell.at_once().mean, sum / cell.jobs, 1e-12);
    mean += sum / cell.jobs;
  }
  EXPECT_EQ(at, windows.size());
  EXPECT_NEAR(found->at_once().mean, mean / static_cast<double>(found->cells.size()), 1e-12);
  EXPECT_EQ(found->at_once().worst, worst);
  EXPECT_EQ(found->worst.of(JobTraffic::kAtOnce)->efficiency, worst);
  EXPECT_LT(worst, 1);
  EXPECT_NE(found->worst.limited_by, kNone<Channel>);
}

TEST(JobEfficiency, CompleteTreesGiveAll) {
  const Model model(make_fabric("ft(8,3)"));
  const auto found = job_efficiency(model, natural_host_order(model), routes_of(model, "dmodk"));
  ASSERT_TRUE(found);
  for (const JobCell& cell : found->cells) {
    if (cell.placed == Placed::kNeighbours) {
      EXPECT_EQ(cell.at_once().worst, 1) << cell.hosts;
    }
    EXPECT_EQ(cell.at_once().ideal_mean, 1);
  }
}

// On a ring of 2,000 switches a path has 500 hops on average, and 16 slots of a member 8,000.
TEST(JobEfficiency, LongPathsLeaveOutTheLargestJobs) {
  const Model model(make_fabric("ring(2000)"));
  const auto found = job_efficiency(model, natural_host_order(model), routes_of(model, "minhop"));
  ASSERT_TRUE(found);
  double visits = 0;
  for (const JobCell& cell : found->cells) visits += 8000.0 * cell.hosts * cell.jobs;
  EXPECT_LE(visits, kMostVisits * 2000);
  const std::uint32_t next = 2 * found->cells.back().hosts;
  EXPECT_LT(next, 2000U);
  EXPECT_GT(visits + 2 * 16 * 10000.0 * next, kMostVisits * 2000);  // 16 jobs of each placement
}

TEST(JobEfficiency, NeedsTwoHosts) {
  const Model model(test::sketch("A:1"));
  EXPECT_FALSE(job_efficiency(model, natural_host_order(model), routes_of(model, "minhop")));
}

// The bound, pair by pair over every cut.
void bound_is_that_of_pairs(const Model& model) {
  const HostOrder order = natural_host_order(model);
  const JobSetting setting(model, order);
  const JobCuts cuts(setting);
  const Fabric& fabric = model.fabric();
  struct Set {
    std::vector<std::uint8_t> inside;
    double capacity = 0;
  };
  std::vector<Set> sets;
  const auto add_set = [&](const std::vector<Switch>& switches) {
    Set set{std::vector<std::uint8_t>(fabric.num_switches(), 0)};
    for (const Switch s : switches) set.inside[index(s)] = 1;
    for (const Channel c : ids<Channel>(fabric.num_channels())) {
      if (!fabric.connected(c) || !fabric.between_switches(c)) continue;
      if (set.inside[index(fabric.as_switch(fabric.owner(c)))] == 0) continue;
      if (set.inside[index(fabric.next_switch(c))] == 0) {
        set.capacity += static_cast<double>(model.speeds().speed(c)) /
                        static_cast<double>(model.speeds().usual());
      }
    }
    if (set.capacity > 0) sets.push_back(std::move(set));
  };
  for (const TreeCut& cut : tree_cuts(fabric, model.levels())) add_set(cut.switches);
  for (const std::uint32_t s : sending_switches(model)) add_set({Switch{s}});
  for (const JobWindow& window : some_windows(order.size())) {
    const JobFlows flows(setting, window);
    double at_once = 0;
    double direct = 0;
    for (const Set& set : sets) {
      double rail = 0;
      double any = 0;
      for (const JobPort& a : flows.ports()) {
        for (const JobPort& b : flows.ports()) {
          if (a.member == b.member || set.inside[a.leaf] == 0 || set.inside[b.leaf] != 0) continue;
          any += static_cast<double>(setting.units(a, b));
          if (a.rail == b.rail) rail += static_cast<double>(setting.units(a, b));
        }
      }
      at_once = std::max(at_once, rail / set.capacity);
      direct = std::max(direct, any / set.capacity);
    }
    const JobBound bound = cuts.bound(flows, FlowPaths::kSeveral);
    EXPECT_NEAR(bound.at_once, at_once, 1e-9 * at_once);
    if (flows.rails() > 1) {
      EXPECT_NEAR(bound.direct, direct, 1e-9 * direct);
    }
    BySlot<double> slots{};
    for (const Set& set : sets) {
      for (std::uint32_t slot = 0; slot < flows.slots(); ++slot) {
        double out = 0;
        double in = 0;
        for (const JobPort& b : flows.ports()) {
          for (const JobPort& a : flows.ports(flows.sender(slot, b.member), b.rail)) {
            const auto units = static_cast<double>(setting.units(a, b));
            if (set.inside[a.leaf] != 0 && set.inside[b.leaf] == 0) out += units;
            if (set.inside[a.leaf] == 0 && set.inside[b.leaf] != 0) in += units;
          }
        }
        slots[slot] = std::max({slots[slot], out / set.capacity, in / set.capacity});
      }
    }
    for (std::uint32_t slot = 0; slot < flows.slots(); ++slot) {
      EXPECT_NEAR(bound.slots[slot], slots[slot], 1e-9) << slot;
    }
  }
}

TEST(JobBound, IsThatOfPairs) {
  bound_is_that_of_pairs(Model(test::damaged_tree(make_fabric("ft(6,3)"), 3, 0.15).fabric));
  bound_is_that_of_pairs(Model(with_slow_cables(make_fabric("ft(6,3)"))));
  bound_is_that_of_pairs(Model(test::rail_fabric({})));
  bound_is_that_of_pairs(Model(make_fabric("xgft(2;4,4;2,2)")));
  bound_is_that_of_pairs(Model(make_fabric("torus(3,3)")));
}

// 3 hosts behind 2 cables: in a phase that all of them leave, one cable carries 2 flows.
TEST(JobBound, LinksOfPhasesCarryWholeFlows) {
  const Model model(test::sketch("A:3 B:3 S T A-S A-T B-S B-T"));
  const HostOrder order = natural_host_order(model);
  const JobSetting setting(model, order);
  const JobFlows flows(setting, {Placed::kNeighbours, {0, 1, 2, 3, 4, 5}});
  const JobCuts cuts(setting);
  // Phase 3 of 5: host i to host i+3 mod 6.
  EXPECT_DOUBLE_EQ(cuts.bound(flows, FlowPaths::kSeveral).slots[3], 1.5);
  EXPECT_DOUBLE_EQ(cuts.bound(flows, FlowPaths::kOne).slots[3], 2);
  EXPECT_DOUBLE_EQ(cuts.bound(flows, FlowPaths::kOne).at_once, 4.5);
}

}  // namespace
}  // namespace fatwood
