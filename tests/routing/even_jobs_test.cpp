// SPDX-License-Identifier: BSD-3-Clause
// even for jobs: its loads are those of a slow count, windows cover every host once, and jobs on
// neighbouring hosts get more than with tables for all to all.

#include "routing/even/even_jobs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "routing/even/even_cuts.hpp"
#include "routing/tree/sftree.hpp"
#include "topology/change/faults.hpp"

namespace fatwood {
namespace {

Fabric with_cuts(const std::string& spec, const std::string& cut) {
  const Fabric fabric = make_fabric(spec);
  const std::vector<FaultRequest> orders = {{FaultKind::kCut, cut, {}}};
  return with_faults(fabric,
                     find_faults(fabric, orders, {.seed = 3, .connection = Connection::kKept}));
}

// The load of each channel if all of these terminals send to all others on other switches.
std::map<std::uint32_t, double> loads_of_job(const Fabric& fabric, const ForwardingTables& tables,
                                             const std::vector<Terminal>& job) {
  std::map<std::uint32_t, double> loads;
  for (const Terminal to : job) {
    const std::span<const Port> row = tables.row(tables.destination(to));
    for (const Terminal from : job) {
      for (Switch s = fabric.leaf(from); s != fabric.leaf(to);) {
        const Channel c = fabric.channel(fabric.node(s), row[index(s)]);
        ++loads[index(c)];
        s = fabric.next_switch(c);
      }
    }
  }
  return loads;
}

double mean_efficiency(const Model& model, const ForwardingTables& tables, std::uint32_t hosts) {
  const auto all = static_cast<std::uint32_t>(model.fabric().num_terminals());
  double sum = 0;
  int jobs = 0;
  for (std::uint32_t first = 5; first + hosts <= all; first += hosts * 3 / 2) {
    std::vector<Terminal> job;
    for (std::uint32_t i = 0; i < hosts; ++i) job.push_back(Terminal{first + i});
    double most = hosts - 1;
    for (const auto& [channel, load] : loads_of_job(model.fabric(), tables, job)) {
      most = std::max(most, load);
    }
    sum += (hosts - 1) / most;
    ++jobs;
  }
  return sum / jobs;
}

struct Laid {
  explicit Laid(const Model& model)
      : routes(lay_sftree(model, {})),
        net(model, routes.tree.up_down, routes.tree.tables, {}),
        windows(model, net, {}),
        contention(net) {
    for (const Switch s : routes.sub.descending) descending.push_back(index(s));
    count_loads(net, descending, routes.tree.tables);
    EvenCuts(model, routes.tree.up_down, net).set_limits(0.016, 0.05, net);
  }
  SubTreeRouting routes;
  EvenNet net;
  EvenWindows windows;
  ShiftContention contention;
  std::vector<std::uint32_t> descending;
};

constexpr std::uint64_t kWork = 1024;

TEST(EvenJobs, LoadsAreThoseOfItsWindows) {
  const Model model(with_cuts("pgft(3;6,6,3;1,6,3;1,1,2)", "4%"));
  Laid laid(model);
  ForwardingTables& tables = laid.routes.tree.tables;
  EvenJobs jobs(model, laid.net, laid.windows, laid.contention, 2, laid.routes.sub.rank,
                laid.descending, tables, kWork);
  ASSERT_TRUE(jobs.fits());
  EXPECT_GT(jobs.pass(), 0U);
  const Fabric& fabric = model.fabric();
  std::size_t compared = 0;
  for (std::uint32_t row = 0; row < laid.windows.rows(); ++row) {
    std::map<std::uint32_t, std::vector<Terminal>> members;
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      members[laid.windows.window(laid.net.number(t), row)].push_back(t);
    }
    EXPECT_FALSE(members.contains(kNobody));
    for (const auto& [window, job] : members) {
      for (const auto& [channel, load] : loads_of_job(fabric, tables, job)) {
        const Channel c{channel};
        const std::uint32_t slot =
            laid.net.slot(index(fabric.as_switch(fabric.owner(c))), fabric.port(c));
        EXPECT_FLOAT_EQ(jobs.load(slot, row, window), static_cast<float>(load));
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000U);
}

TEST(EvenJobs, MovesKeepLengthsAndRoutes) {
  const Model model(with_cuts("ft(8,3)", "5%"));
  Laid laid(model);
  ForwardingTables& tables = laid.routes.tree.tables;
  const ForwardingTables before = tables;
  EvenJobs jobs(model, laid.net, laid.windows, laid.contention, 2, laid.routes.sub.rank,
                laid.descending, tables, kWork);
  EXPECT_GT(jobs.pass(), 0U);
  const Fabric& fabric = model.fabric();
  const auto hops = [&](const ForwardingTables& of, Switch s, Terminal to) {
    int count = 0;
    for (; s != fabric.leaf(to) && count < 100; ++count) {
      s = fabric.next_switch(fabric.channel(fabric.node(s), of.at(of.destination(to), s)));
    }
    return count;
  };
  for (const Terminal to : ids<Terminal>(fabric.num_terminals())) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      ASSERT_EQ(hops(tables, s, to), hops(before, s, to));
    }
  }
}

// Its work is a bound on steps, so that `even` ends soon on any fabric.
TEST(EvenJobs, EntriesStayOnceItsWorkIsSpent) {
  const Model model(with_cuts("ft(8,3)", "5%"));
  std::vector<std::uint64_t> moved;
  for (const std::uint64_t work : {std::uint64_t{0}, std::uint64_t{1}, kWork}) {
    Laid laid(model);
    EvenJobs jobs(model, laid.net, laid.windows, laid.contention, 2, laid.routes.sub.rank,
                  laid.descending, laid.routes.tree.tables, work);
    moved.push_back(jobs.pass());
    if (work < kWork) {
      EXPECT_EQ(jobs.pass(), 0U);
    }
  }
  EXPECT_EQ(moved[0], 0U);
  EXPECT_GT(moved[1], 0U);
  EXPECT_LT(moved[1], moved[2] / 2);
}

TEST(EvenJobs, NeighbouringHostsGetMoreThanWithTablesForAllToAll) {
  const Model model(with_cuts("pgft(3;18,18,6;1,18,3;1,1,6)", "1%"));
  const Engine& even = find_engine("even");
  const Routing jobs = route(even, model, {});
  const Routing all = route(even, model, {.aim = Aim::kAllToAll});
  for (const std::uint32_t hosts : {100U, 200U, 500U}) {
    const double with_jobs = mean_efficiency(model, jobs.tables, hosts);
    EXPECT_GT(with_jobs, mean_efficiency(model, all.tables, hosts) + 0.1) << hosts;
    EXPECT_GT(with_jobs, 0.8) << hosts;
  }
}

TEST(EvenJobs, FollowTheOrderOfHosts) {
  const Model model(with_cuts("ft(8,3)", "5%"));
  std::vector<Terminal> reversed;
  for (const Terminal t : ids<Terminal>(model.fabric().num_terminals())) reversed.push_back(t);
  std::ranges::reverse(reversed);
  const JobPlaces natural = job_places(model, {});
  const JobPlaces given = job_places(model, reversed);
  for (const Terminal t : reversed) {
    EXPECT_EQ(natural.of[t].host + given.of[t].host + 1, natural.hosts);
  }
}

TEST(EvenJobs, ComputeHostsOfEachRailHaveAPlace) {
  const Model model(make_fabric("like-selene"));
  const JobPlaces places = job_places(model, {});
  EXPECT_EQ(places.rails, 8U);
  std::set<std::pair<std::uint32_t, std::uint32_t>> taken;
  for (const Terminal t : ids<Terminal>(model.fabric().num_terminals())) {
    const JobPlace& place = places.of[t];
    if (place.host == kNoJobPlace) continue;
    EXPECT_LT(place.host, places.hosts);
    EXPECT_TRUE(taken.insert({place.host, place.rail}).second);
  }
  EXPECT_EQ(taken.size(), 3664U);
}

}  // namespace
}  // namespace fatwood
