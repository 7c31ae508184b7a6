// SPDX-License-Identifier: BSD-3-Clause
// Jobs on small fabrics whose answers are known by hand.

#include "analysis/jobs/job.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/jobs/job_improve.hpp"
#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "support/pretended_share.hpp"
#include "support/rail_fabric.hpp"
#include "support/sketch.hpp"
#include "traffic/collectives/collective_list.hpp"
#include "traffic/jobs/place_job.hpp"

namespace fatwood {
namespace {

std::vector<Host> named(const Model& model, std::initializer_list<const char*> names) {
  std::vector<Host> found;
  for (const char* name : names) found.push_back(model.hosts().hosts.called(name).front());
  return found;
}

struct Stage {
  explicit Stage(Fabric fabric, std::string_view engine = "minhop")
      : model(std::move(fabric)),
        paths(path_source(model, route(find_engine(engine), model, {}))),
        links(model, *paths),
        capacity(model.fabric().num_channels(), 1e9) {}

  PlacedJob job(const std::vector<Host>& hosts, std::string_view collective, double bytes,
                const NcclOptions& options = {}) const {
    const PlacedHosts placed = place_hosts(model, hosts);
    const JobShape shape{static_cast<std::uint32_t>(hosts.size()), placed.nics, placed.nics};
    PlacedJob made;
    made.name = std::string(collective);
    made.program =
        make_collective(find_collective(collective), shape, {all_ranks(shape)}, bytes, options);
    made.at = placed.at;
    return made;
  }

  Model model;
  std::unique_ptr<PathSource> paths;
  FlowLinks links;
  std::vector<double> capacity;
};

TEST(Job, OneSwitchGivesWhatTheCablesGive) {
  Stage stage(test::sketch("L:8"));
  const auto hosts = named(stage.model, {"L.0", "L.1", "L.2", "L.3"});
  const JobStudy study = study_jobs(stage.model.fabric(), stage.links, stage.capacity,
                                    {stage.job(hosts, "allreduce:ring", 4e9)});
  ASSERT_TRUE(study.unrouted.empty());
  // 2 (n-1)/n S over cables of 1 GB/s.
  EXPECT_NEAR(study.jobs[0].seconds, 6, 1e-9);
  EXPECT_NEAR(study.jobs[0].own_seconds, 6, 1e-9);
}

// Two leaves with one cable between: a ring that goes to and fro crosses it twice each way.
TEST(Job, OrderDecidesHowOftenARingCrosses) {
  Stage stage(test::sketch("A:4 B:4 A-B"));
  const auto crossing = named(stage.model, {"A.0", "B.0", "A.1", "B.1"});
  const auto sorted = named(stage.model, {"A.0", "A.1", "B.0", "B.1"});
  const auto seconds = [&](const std::vector<Host>& hosts) {
    return job_seconds(stage.links, stage.capacity, stage.job(hosts, "allreduce:ring", 4e9));
  };
  EXPECT_NEAR(seconds(sorted), 6, 1e-9);
  EXPECT_NEAR(seconds(crossing), 12, 1e-9);
  const std::vector<PlacedJob> jobs{stage.job(crossing, "allreduce:ring", 4e9)};
  const JobStudy study = study_jobs(stage.model.fabric(), stage.links, stage.capacity, jobs);
  const JobHold& hold = study.jobs[0].hold;
  ASSERT_NE(hold.channel, kNone<Channel>);
  EXPECT_TRUE(stage.model.fabric().is_switch(stage.model.fabric().owner(hold.channel)));
  EXPECT_EQ(hold.holders.size(), 4U);  // two edges of each of two channels
  EXPECT_NEAR(hold.own_rate / hold.rate, 2, 1e-9);
  JobScorer scorer(stage.model.fabric(), stage.links, stage.capacity, jobs);
  const Improvement better = improve_order(stage.model, scorer, crossing, {});
  EXPECT_NEAR(better.given_seconds, 12, 1e-9);
  EXPECT_NEAR(better.seconds, 6, 1e-9);
  EXPECT_NEAR(better.bound, 6, 1e-9);  // so nothing is better
  EXPECT_EQ(better.hosts, sorted);
}

TEST(Job, OthersOnTheSameCableSlowItDown) {
  Stage stage(test::sketch("A:4 B:4 A-B"));
  const std::vector<PlacedJob> jobs{stage.job(named(stage.model, {"A.0", "B.0"}), "sendrecv", 1e9),
                                    stage.job(named(stage.model, {"A.1", "B.1"}), "sendrecv", 1e9)};
  const JobStudy study = study_jobs(stage.model.fabric(), stage.links, stage.capacity, jobs);
  for (const JobOutcome& outcome : study.jobs) {
    EXPECT_NEAR(outcome.alone_seconds, 1, 1e-9);
    EXPECT_NEAR(outcome.seconds, 2, 1e-9);
    ASSERT_EQ(outcome.hold.holders.size(), 2U);
  }
  EXPECT_EQ(study.jobs[0].hold.holders[1].job, 1U);
}

TEST(Job, PlacementTakesHostsOfOneLeaf) {
  Stage stage(test::sketch("A:4 B:4 C:4 S A-S B-S C-S"));
  const auto free = named(stage.model, {"A.0", "B.0", "C.0", "A.1", "B.1", "C.1", "C.2", "C.3"});
  const auto given = named(stage.model, {"A.0", "B.0", "C.0", "A.1"});
  const std::vector<PlacedJob> jobs{stage.job(given, "alltoall:pxn", 4e9)};
  JobScorer scorer(stage.model.fabric(), stage.links, stage.capacity, jobs);
  const Improvement better =
      improve_placement(stage.model, scorer, 4, free, given, OrderToo::kYes, {});
  EXPECT_GT(better.given_seconds, better.seconds * 1.3);
  EXPECT_NEAR(better.seconds, better.bound, 1e-9);
  for (const Host m : better.hosts) {
    EXPECT_EQ(stage.model.hosts().hosts.name(m)[0], 'C');
  }
}

// Two free hosts of a pod, and twice two of units of another: four go into the other.
TEST(Job, PlacementTakesThePodWithMostFreeHosts) {
  Stage stage(make_fabric("like-selene"));
  const auto& units = stage.model.hosts().rails.units;
  std::vector<Host> free;
  std::vector<Host> other;
  const Pod first = units[ScalableUnit{0}].pod;
  for (const RailUnit& unit : units) {
    auto& pod = unit.pod == first ? free : other;
    if (unit.members.size() < 2 || pod.size() == (unit.pod == first ? 2 : 4)) continue;
    if (!other.empty() && unit.pod != first &&
        stage.model.hosts().rails.units[stage.model.hosts().rails.member_of[other.front()]].pod !=
            unit.pod) {
      continue;
    }
    pod.insert(pod.end(), unit.members.begin(), unit.members.begin() + 2);
  }
  ASSERT_EQ(free.size(), 2U);
  ASSERT_EQ(other.size(), 4U);
  free.insert(free.end(), other.begin(), other.end());
  const std::vector<PlacedJob> jobs{stage.job(other, "sendrecv", 1e9)};
  JobScorer scorer(stage.model.fabric(), stage.links, stage.capacity, jobs);
  const Improvement found =
      improve_placement(stage.model, scorer, 4, free, {}, OrderToo::kNo, {.tries = 0});
  const auto packed = std::ranges::find(found.candidates, "units with most free hosts first",
                                        [](const auto& candidate) { return candidate.how; });
  ASSERT_NE(packed, found.candidates.end());
  EXPECT_TRUE(std::ranges::is_permutation(packed->hosts, other));
}

// Eight hosts tell each other in three rounds of messages.
TEST(Job, LatenciesOfMessagesThatWaitForEachOtherAreInTheBound) {
  Stage stage(test::sketch("L:8"));
  const auto hosts = named(stage.model, {"L.0", "L.1", "L.2", "L.3", "L.4", "L.5", "L.6", "L.7"});
  std::vector<PlacedJob> jobs{stage.job(hosts, "broadcast:binomial", 1)};
  jobs[0].message_latency = 1;
  JobScorer scorer(stage.model.fabric(), stage.links, stage.capacity, jobs);
  const Improvement found = improve_order(stage.model, scorer, hosts, {});
  EXPECT_NEAR(found.bound, 3, 1e-6);
  EXPECT_NEAR(found.seconds, 3, 1e-6);
}

// Rings of a rail never leave it; an all-to-all without forwarding does, with it does not.
TEST(Job, RailsAreKept) {
  Stage stage(test::rail_fabric({.units = 2, .hosts = 4, .rails = 4}));
  std::vector<Host> hosts;
  for (const RailUnit& unit : stage.model.hosts().rails.units) {
    hosts.insert(hosts.end(), unit.members.begin(), unit.members.end());
  }
  const auto crosses = [&](std::string_view collective) {
    const PlacedJob job = stage.job(hosts, collective, 1e9);
    const Rails& rails = stage.model.hosts().rails;
    std::size_t across = 0;
    for (Op op = 0; op < job.program.size(); ++op) {
      for (const Edge& edge : job.program.edges(op)) {
        const auto rail = [&](ProgramEndpoint e) {
          return rails.rail(stage.model.fabric(),
                            stage.model.adapters().terminals(job.at[e]).front());
        };
        if (rail(edge.from) != rail(edge.to)) ++across;
      }
    }
    return across;
  };
  EXPECT_EQ(crosses("allreduce:ring"), 0U);
  EXPECT_EQ(crosses("allreduce:tree"), 0U);
  EXPECT_EQ(crosses("alltoall:pxn"), 0U);
  EXPECT_GT(crosses("alltoall:direct"), 0U);
}

TEST(Job, BoundHoldsForRandomPlacements) {
  Stage stage(make_fabric("xgft(2;4,4;1,2)"));
  std::vector<Host> all;
  for (const Host m : ids<Host>(stage.model.hosts().hosts.size())) all.push_back(m);
  for (const char* collective : {"allreduce:ring", "allreduce:tree", "allreduce:rabenseifner",
                                 "alltoall:pairwise", "alltoall:bruck", "broadcast:binomial"}) {
    Random random(5);
    for (unsigned sample = 0; sample < 10; ++sample) {
      std::vector<Host> hosts = all;
      random.shuffle(hosts);
      hosts.resize(8);
      const std::vector<PlacedJob> jobs{stage.job(hosts, collective, 1e9)};
      JobScorer scorer(stage.model.fabric(), stage.links, stage.capacity, jobs);
      const Improvement better =
          improve_order(stage.model, scorer, hosts, {.seed = sample, .tries = 40});
      EXPECT_LE(better.bound, better.seconds * (1 + 1e-9)) << collective;
      EXPECT_LE(better.seconds, better.given_seconds * (1 + 1e-9)) << collective;
    }
  }
}

// Tries that are made ahead by other processes change nothing, not even how many count.
TEST(Job, SharedTriesFindTheSame) {
  Stage stage(make_fabric("xgft(2;4,4;1,2)"));
  std::vector<Host> all;
  for (const Host m : ids<Host>(stage.model.hosts().hosts.size())) all.push_back(m);
  for (unsigned sample = 0; sample < 6; ++sample) {
    std::vector<Host> hosts = all;
    Random random(9, sample);
    random.shuffle(hosts);
    hosts.resize(8);
    const std::vector<PlacedJob> jobs{stage.job(hosts, "alltoall:pairwise", 1e9)};
    JobScorer scorer(stage.model.fabric(), stage.links, stage.capacity, jobs);
    const auto find = [&](const WorkShare& share) {
      return improve_placement(stage.model, scorer, 8, all, hosts, OrderToo::kYes,
                               {.seed = sample, .tries = 60, .share = share});
    };
    const Improvement alone = find({});
    const Improvement shared = find(test::pretended_share());
    EXPECT_EQ(alone.hosts, shared.hosts);
    EXPECT_EQ(alone.seconds, shared.seconds);
    EXPECT_EQ(alone.how, shared.how);
    EXPECT_EQ(alone.tried, shared.tried);
    EXPECT_EQ(alone.candidates.size(), shared.candidates.size());
  }
}

TEST(Job, HostsWithoutARouteAreTold) {
  Stage stage(test::sketch("A:2 B:2"));
  const JobStudy study = study_jobs(stage.model.fabric(), stage.links, stage.capacity,
                                    {stage.job(named(stage.model, {"A.0", "B.0"}), "sendrecv", 1)});
  ASSERT_EQ(study.unrouted.size(), 2U);
  EXPECT_TRUE(study.jobs.empty());
}

}  // namespace
}  // namespace fatwood
