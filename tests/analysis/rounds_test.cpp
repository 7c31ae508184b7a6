// SPDX-License-Identifier: BSD-3-Clause
// What makes large exchanges fast must not change a bit: each against the plain way.

#include "traffic/jobs/rounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/jobs/job.hpp"
#include "analysis/rates/event_queue.hpp"
#include "analysis/rates/flow_run.hpp"
#include "analysis/rates/rank_shares.hpp"
#include "analysis/rates/unshared_run.hpp"
#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"
#include "traffic/collectives/mpi.hpp"
#include "traffic/jobs/place_job.hpp"

namespace fatwood {
namespace {

TEST(EventQueue, GivesEventsInOrder) {
  for (std::uint32_t sample = 0; sample < 50; ++sample) {
    Random random(31, sample);
    EventQueue<> queue;
    std::vector<RunEvent> waiting;
    double now = 0;
    const std::uint32_t spread = 1 + random.below(1000);  // 1: many at the same time
    for (Op op = 0; op < 2000; ++op) {
      const RunEvent event{now + random.below(spread) * 0.25, random.below(2), op, 0, 0};
      queue.push(event);
      waiting.push_back(event);
      for (std::uint32_t pops = random.below(4) / 2; pops > 0 && !queue.empty(); --pops) {
        const auto first = std::ranges::min_element(
            waiting, [](const RunEvent& a, const RunEvent& b) { return b > a; });
        ASSERT_EQ(queue.top().op, first->op);
        now = queue.top().time;
        queue.pop();
        waiting.erase(first);
      }
    }
    EXPECT_EQ(queue.empty(), waiting.empty());
  }
}

// One variable that is not plain, on a link of its own, makes ShareSolver solve all.
TEST(LiveShares, PlainPartsHaveTheSameBits) {
  for (std::uint32_t sample = 0; sample < 40; ++sample) {
    Random random(32, sample);
    const std::uint32_t links = 4 + random.below(40);
    LiveShares plain(std::vector<double>(links + 1, 25e9));
    LiveShares general(std::vector<double>(links + 1, 25e9));
    const LinkUse apart{links, 2.0F};
    general.add({&apart, 1});
    std::vector<LiveShares::Slot> in;
    std::vector<LiveShares::Slot> also;
    for (unsigned step = 0; step < 200; ++step) {
      if (in.size() > links || (!in.empty() && random.below(3) == 0)) {
        const std::size_t at = random.below(static_cast<std::uint32_t>(in.size()));
        plain.remove(in[at]);
        general.remove(also[at]);
        in.erase(in.begin() + static_cast<std::ptrdiff_t>(at));
        also.erase(also.begin() + static_cast<std::ptrdiff_t>(at));
      } else {
        std::vector<LinkUse> uses;
        for (std::uint32_t i = random.below(4); i < 4; ++i)
          uses.push_back({random.below(links), 1});
        in.push_back(plain.add(uses));
        also.push_back(general.add(uses));
      }
      plain.settle();
      general.settle();
      for (std::size_t i = 0; i < in.size(); ++i) {
        ASSERT_EQ(plain.rate(in[i]), general.rate(also[i]));
        ASSERT_EQ(plain.fixed_by(in[i]), general.fixed_by(also[i]));
      }
    }
  }
}

// Few links, so that some have many flows; many links, so that parts have many.
TEST(RankShares, HaveTheBitsOfLiveShares) {
  for (const std::uint32_t links : {3U, 40U, 150U}) {
    constexpr std::uint32_t kRanks = 90;
    Random random(links);
    RankShares ranks(25e9, kRanks, links);
    LiveShares live(std::vector<double>(links, 25e9));
    std::map<RankShares::Rank, LiveShares::Slot> in;
    double now = 0;
    for (int step = 0; step < 3000; ++step) {
      std::set<RankShares::Rank> seen;
      for (std::uint32_t change = 0; change <= random.below(3); ++change) {
        const auto rank = static_cast<RankShares::Rank>(random.below(kRanks));
        if (!seen.insert(rank).second) continue;
        if (const auto at = in.find(rank); at != in.end()) {
          ranks.remove(rank);
          live.remove(at->second);
          in.erase(at);
          continue;
        }
        std::vector<RankShares::Link> path;
        std::vector<LinkUse> uses;
        for (std::uint32_t i = 0; i < random.below(5); ++i) {
          const auto link = static_cast<RankShares::Link>(random.below(links));
          if (std::ranges::find(path, link) != path.end()) continue;
          path.push_back(link);
          uses.push_back({link, 1});
        }
        path.push_back(RankShares::kNone);
        ranks.add(rank, path, 1e9, now);
        in[rank] = live.add(uses, 1, 25e9);
      }
      std::map<RankShares::Rank, double> before;
      for (const auto& [rank, slot] : in) before[rank] = ranks.rate(rank);
      std::size_t changed = 0;
      for (const RankShares::Rank rank : ranks.settle(now)) {
        ++changed;
        ASSERT_NE(ranks.rate(rank), before[rank]);
      }
      ASSERT_EQ(changed, live.settle().size());
      for (const auto& [rank, slot] : in) {
        ASSERT_EQ(ranks.rate(rank), live.rate(slot)) << step;
        ASSERT_EQ(ranks.held_by(rank), static_cast<RankShares::Link>(live.fixed_by(slot)));
      }
      ASSERT_EQ(ranks.solved(), live.solved());
      now += 0.01;
    }
  }
}

// Leaves of four ranks, two cables up and two down; hosts of `per_host` ranks on different leaves.
TEST(RoundRun, IsThatOfAnyProgram) {
  for (const auto& [n, per_host, latency] :
       {std::tuple(16U, 1U, 0.0), std::tuple(23U, 1U, 1e-4), std::tuple(24U, 2U, 0.0)}) {
    const Rounds rounds{n};
    const std::uint32_t leaves = (n + 3) / 4;
    Program program;
    OpUses uses;
    std::map<std::pair<std::uint32_t, std::uint32_t>, OpUses::Bundle> bundles;
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
      for (std::uint32_t to = 0; to < n; ++to) {
        std::vector<LinkUse> links;
        if (leaf != to % leaves) {
          links.push_back({2 * n + 2 * leaf + to % 2, 1});
          links.push_back({2 * n + 2 * leaves + 2 * (to % leaves) + to % 2, 1});
        }
        links.push_back({n + to, 1});
        bundles[{leaf, to}] = uses.add_bundle(links);
      }
    }
    for (std::uint32_t k = 0; k < rounds.count(); ++k) {
      for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t to = rounds.receiver(k, i);
        program.add_message(i, to, 1e9);
        const bool inside = i / per_host == to / per_host;
        uses.add_op(inside ? kNoLink : i, bundles[{i % leaves, to}]);
      }
    }
    program.set_rounds(rounds);
    std::vector<double> capacity(2 * n + 4 * leaves, 25e9);
    const auto unshared = unshared_links(capacity.size(), program, uses);
    RunProgram run{&program, &uses, false, latency, 1, {}};
    const FlowRun any = run_flows(capacity, {&run, 1});
    run.unshared = unshared;
    const auto by_rank = run_rounds(capacity, run);
    ASSERT_TRUE(by_rank);
    EXPECT_EQ(by_rank->seconds, any.seconds);
    EXPECT_EQ(by_rank->events, any.events);
    for (Op op = 0; op < program.size(); ++op) {
      ASSERT_EQ(by_rank->ops[0][op].start, any.ops[0][op].start);
      ASSERT_EQ(by_rank->ops[0][op].end, any.ops[0][op].end);
      ASSERT_EQ(by_rank->ops[0][op].rate, any.ops[0][op].rate);
      ASSERT_EQ(by_rank->ops[0][op].held_by, any.ops[0][op].held_by);
    }
    capacity[0] = 10e9;
    EXPECT_FALSE(run_rounds(capacity, run));
  }
}

TEST(Rounds, EveryRankSendsAndReceivesOncePerRound) {
  for (const std::uint32_t n : {2U, 3U, 4U, 5U, 8U, 9U, 12U}) {
    const Rounds rounds{n};
    for (std::uint32_t k = 0; k < rounds.count(); ++k) {
      for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t to = rounds.receiver(k, i);
        EXPECT_NE(to, i);
        EXPECT_EQ(rounds.sender(k, to), i);
        const OpList after = rounds.after(rounds.sent(k, i));
        std::vector<Op> expected;  // of both ranks, in the round before
        for (const std::uint32_t rank : {i, to}) {
          if (k == 0) continue;
          for (std::uint32_t from = 0; from < n; ++from) {
            if (from != rank && rounds.receiver(k - 1, from) != rank) continue;
            const Op op = (k - 1) * n + from;
            if (std::ranges::find(expected, op) == expected.end()) expected.push_back(op);
          }
        }
        EXPECT_EQ(std::vector<Op>(after.begin(), after.end()), expected);
      }
    }
  }
}

struct Case {
  const char* fabric;
  std::uint32_t hosts;
  std::uint32_t ranks;  // of a host; with two they share its cable
  double latency;
};

class PairwiseRun : public testing::TestWithParam<Case> {};

// The same messages with waits that are listed one by one.
TEST_P(PairwiseRun, IsThatOfListedWaits) {
  const Case& given = GetParam();
  const Model model(make_fabric(given.fabric));
  const auto paths = path_source(model, route(find_engine("minhop"), model, {}));
  FlowLinks links(model, *paths);
  std::vector<double> capacity(model.fabric().num_channels(), 25e9);
  std::vector<Host> hosts;
  for (const Host host : ids<Host>(given.hosts)) hosts.push_back(host);
  const PlacedHosts placed = place_hosts(model, hosts);
  const JobShape shape{given.hosts, given.ranks, placed.nics};
  PlacedJob job;
  job.at = placed.at;
  job.message_latency = given.latency;
  job.program = all_to_all_pairwise(shape, all_ranks(shape), 1e9);
  PlacedJob listed = job;
  listed.program = in_parallel({&job.program, 1});
  ASSERT_EQ(listed.program.rounds().ranks, 0U);
  for (const double speed : {25e9, 10e9}) {  // of every third cable
    for (std::size_t c = 0; c < capacity.size(); c += 3) capacity[c] = speed;
    const JobStudy one = study_jobs(model.fabric(), links, capacity, {job});
    const JobStudy other = study_jobs(model.fabric(), links, capacity, {listed});
    EXPECT_EQ(one.events, other.events);
    EXPECT_EQ(one.jobs[0].seconds, other.jobs[0].seconds);
    EXPECT_EQ(one.jobs[0].own_seconds, other.jobs[0].own_seconds);
    EXPECT_EQ(one.jobs[0].bytes, other.jobs[0].bytes);
    const JobHold& hold = one.jobs[0].hold;
    const JobHold& same = other.jobs[0].hold;
    EXPECT_EQ(hold.op, same.op);
    EXPECT_EQ(hold.stage, same.stage);
    EXPECT_EQ(hold.start, same.start);
    EXPECT_EQ(hold.end, same.end);
    EXPECT_EQ(hold.rate, same.rate);
    EXPECT_EQ(hold.own_rate, same.own_rate);
    EXPECT_EQ(hold.channel, same.channel);
    EXPECT_EQ(hold.holders.size(), same.holders.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Fabrics, PairwiseRun,
                         testing::Values(Case{"ft(4,3)", 16, 1, 0}, Case{"ft(4,3)", 13, 1, 0},
                                         Case{"ft(8,2)", 31, 1, 1e-6}, Case{"ft(8,2)", 32, 2, 0},
                                         Case{"torus(3,3)", 9, 1, 0}, Case{"ft(4,2)", 2, 1, 0},
                                         Case{"ft(4,2)", 1, 1, 0}));

// With the hosts' cables only, nothing is shared unless two ranks have one cable.
TEST(UnsharedLinks, AreTheHostsCables) {
  const Model model(make_fabric("ft(4,2)"));
  const auto paths = path_source(model, route(find_engine("minhop"), model, {}));
  FlowLinks links(model, *paths);
  for (const std::uint32_t ranks : {1U, 2U}) {
    const JobShape shape{8, ranks, 1};
    const Program program = all_to_all_pairwise(shape, all_ranks(shape), 1e9);
    const OpUses lists = route_program(program, [](Op, const Edge&, const auto&) {});
    EXPECT_TRUE(unshared_links(1, program, lists).empty());  // not bundled
    OpUses uses;
    const OpUses::Bundle spine = uses.add_bundle(std::vector<LinkUse>{{8, 1}});
    for (Op op = 0; op < program.size(); ++op) {
      const bool moves = !program.edges(op).empty();
      uses.add_op(moves ? program.edges(op)[0].from : kNoLink, spine);
    }
    const std::vector<std::uint8_t> unshared = unshared_links(9, program, uses);
    const std::vector<std::uint8_t> cables(8, ranks == 1 ? 1 : 0);
    EXPECT_EQ(std::vector<std::uint8_t>(unshared.begin(), unshared.end() - 1), cables);
    EXPECT_EQ(unshared.back(), 0);
  }
}

}  // namespace
}  // namespace fatwood
