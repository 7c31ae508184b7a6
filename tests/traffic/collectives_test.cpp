// SPDX-License-Identifier: BSD-3-Clause
// What collectives send: amounts by their formulas, trees by their definition, steps by hand.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/error.hpp"
#include "traffic/collectives/collective_list.hpp"
#include "traffic/collectives/mpi.hpp"
#include "traffic/collectives/nccl.hpp"

namespace fatwood {
namespace {

// Bytes that each endpoint sends and gets.
std::pair<std::vector<double>, std::vector<double>> totals(const Program& program) {
  std::vector<double> out(program.endpoints, 0);
  std::vector<double> in(program.endpoints, 0);
  for (Op op = 0; op < program.size(); ++op) {
    for (const Edge& edge : program.edges(op)) {
      out[edge.from] += edge.amount * program.size_of(op);
      in[edge.to] += edge.amount * program.size_of(op);
    }
  }
  return {out, in};
}

TEST(Nccl, RingBytesAndRails) {
  const JobShape shape{.nodes = 5, .ranks = 8, .nics = 4};
  const Program program =
      nccl_ring(shape, all_ranks(shape), RingWork::kAllReduce, 1 << 20, {.channels = 8});
  ASSERT_EQ(program.size(), 8U);
  EXPECT_EQ(program.endpoints, 20U);
  for (Op op = 0; op < 8; ++op) {
    EXPECT_DOUBLE_EQ(program.size_of(op), 2.0 * 39 / 40 * (1 << 20) / 8);
    ASSERT_EQ(program.edges(op).size(), 5U);
    for (const Edge& edge : program.edges(op)) {
      EXPECT_EQ(edge.from % 4, op % 4);  // never leaves its rail
      EXPECT_EQ(edge.to % 4, op % 4);
      EXPECT_EQ(edge.to / 4, (edge.from / 4 + 1) % 5);
    }
  }
  const auto [out, in] = totals(program);
  for (const double bytes : out) EXPECT_DOUBLE_EQ(bytes, 2.0 * 39 / 40 * (1 << 20) / 4);
}

TEST(Nccl, AnAllToAllAcrossRailsCountsTheMessagesOfAllRails) {
  const JobShape shape{.nodes = 800, .ranks = 8, .nics = 8};  // 41 million; 5 million by pxn
  EXPECT_THROW(
      make_collective(find_collective("alltoall:direct"), shape, {all_ranks(shape)}, 1 << 20, {}),
      InputError);
}

TEST(Nccl, BroadcastLeavesOutTheEdgeIntoTheRoot) {
  const JobShape shape{.nodes = 4, .ranks = 2, .nics = 1};
  const Program program =
      nccl_ring(shape, all_ranks(shape), RingWork::kBroadcast, 100, {.channels = 1, .root = 3});
  ASSERT_EQ(program.edges(0).size(), 3U);
  for (const Edge& edge : program.edges(0)) EXPECT_NE(edge.to, 1U);
  const Program reduce =
      nccl_ring(shape, all_ranks(shape), RingWork::kReduce, 100, {.channels = 1, .root = 3});
  for (const Edge& edge : reduce.edges(0)) EXPECT_NE(edge.from, 1U);
}

TEST(Nccl, CrossedRingsKeepTheirRailExceptWhereAnOddRingCloses) {
  for (const std::uint32_t nodes : {4U, 5U}) {
    const JobShape shape{.nodes = nodes, .ranks = 4, .nics = 4};
    const Program program = nccl_ring(shape, all_ranks(shape), RingWork::kAllReduce, 100,
                                      {.channels = 4, .crossing = Crossing::kOn});
    for (Op op = 0; op < program.size(); ++op) {
      std::set<ProgramEndpoint> rails;
      for (const Edge& edge : program.edges(op)) {
        const bool closes = edge.from / 4 == nodes - 1 && nodes % 2 == 1;
        EXPECT_EQ(edge.from % 4 != edge.to % 4, closes);
        rails.insert(edge.from % 4);
      }
      EXPECT_EQ(rails.size(), 2U);  // in by one, out by the other
    }
  }
}

// A group with one rank a node, as data parallelism next to 8-way tensor parallelism has it, uses
// that rank's adapter alone.
TEST(Nccl, GroupsUseTheAdaptersOfTheirRanks) {
  const JobShape shape{.nodes = 4, .ranks = 8, .nics = 8};
  const auto groups = groups_of_ranks({.tensor = 8, .data = 4}, RankGroups::kData);
  ASSERT_EQ(groups.size(), 8U);
  const Program program = nccl_ring(shape, groups[3], RingWork::kAllReduce, 1000, {});
  EXPECT_EQ(program.size(), 2U);
  for (Op op = 0; op < 2; ++op) {
    for (const Edge& edge : program.edges(op)) EXPECT_EQ(edge.from % 8, 3U);
    EXPECT_DOUBLE_EQ(program.size_of(op), 2.0 * 3 / 4 * 1000 / 2);
  }
}

TEST(Nccl, DoubleBinaryTrees) {
  EXPECT_EQ(binary_tree(8), (std::vector<std::uint32_t>{0, 2, 4, 2, 0, 6, 4, 6}));
  for (std::uint32_t nodes = 2; nodes <= 70; ++nodes) {
    std::vector<std::vector<std::uint32_t>> children(2, std::vector<std::uint32_t>(nodes, 0));
    unsigned tree = 0;
    for (const auto& parent : {binary_tree(nodes), second_binary_tree(nodes)}) {
      unsigned roots = 0;
      for (std::uint32_t i = 0; i < nodes; ++i) {
        if (parent[i] == i) {
          ++roots;
          continue;
        }
        ++children[tree][parent[i]];
        std::uint32_t at = i;  // reaches the root in logarithmic time
        unsigned depth = 0;
        while (parent[at] != at && depth < 20) at = parent[at], ++depth;
        EXPECT_EQ(parent[at], at);
        EXPECT_LE(1U << (depth - 1), nodes);
      }
      EXPECT_EQ(roots, 1U) << nodes;
      ++tree;
    }
    for (std::uint32_t i = 0; i < nodes; ++i) {
      EXPECT_LE(children[0][i], 2U);
      // The point of two trees: who works hard in one rests in the other.
      if (nodes % 2 == 0) {
        EXPECT_TRUE(children[0][i] == 0 || children[1][i] == 0) << nodes;
      }
    }
  }
}

TEST(Nccl, TreeSendsBothWays) {
  const JobShape shape{.nodes = 2, .ranks = 8, .nics = 8};
  const Program program = nccl_tree(shape, all_ranks(shape), 1600, {.channels = 16});
  const auto [out, in] = totals(program);
  // Two nodes: S in each direction, against 2(n-1)/n S of a ring.
  for (const double bytes : out) EXPECT_DOUBLE_EQ(bytes, 200);
  for (const double bytes : in) EXPECT_DOUBLE_EQ(bytes, 200);
}

TEST(Nccl, AllToAllWithAndWithoutForwarding) {
  const JobShape shape{.nodes = 3, .ranks = 8, .nics = 4};
  const Program pxn = nccl_all_to_all(shape, all_ranks(shape), 2400, {});
  EXPECT_EQ(pxn.size(), 3U * 2 * 4);
  for (Op op = 0; op < pxn.size(); ++op) {
    EXPECT_EQ(pxn.edges(op)[0].from % 4, pxn.edges(op)[0].to % 4);
    EXPECT_DOUBLE_EQ(pxn.size_of(op), 8 * 2 * 100);
  }
  const Program direct =
      nccl_all_to_all(shape, all_ranks(shape), 2400, {.forwarding = Forwarding::kOff});
  EXPECT_EQ(direct.size(), 3U * 2 * 16);
  EXPECT_DOUBLE_EQ(direct.total_bytes(), pxn.total_bytes());
  double across = 0;
  for (Op op = 0; op < direct.size(); ++op) {
    if (direct.edges(op)[0].from % 4 != direct.edges(op)[0].to % 4) across += direct.size_of(op);
  }
  EXPECT_DOUBLE_EQ(across, direct.total_bytes() * 3 / 4);  // (r-1)/r of its bytes
  const Program narrow = nccl_all_to_all(shape, all_ranks(shape), 2400, {.window = 1});
  EXPECT_TRUE(narrow.after(0).empty());
  EXPECT_EQ(narrow.after(static_cast<Op>(narrow.size() - 1)).size(), 4U);
}

TEST(Mpi, BytesOfEachRank) {
  const double s = 9000;
  for (const std::uint32_t n : {1U, 2U, 3U, 4U, 5U, 8U, 9U}) {
    const JobShape shape{.nodes = n, .ranks = 1, .nics = 1};
    const RankList ranks = all_ranks(shape);
    const double block = s / n;
    for (const Program& program :
         {all_gather_bruck(shape, ranks, s), all_gather_ring(shape, ranks, s),
          all_to_all_pairwise(shape, ranks, s), all_to_all_linear(shape, ranks, s)}) {
      const auto [out, in] = totals(program);
      for (const double bytes : out) EXPECT_NEAR(bytes, s - block, 1e-9) << program.name << n;
      for (const double bytes : in) EXPECT_NEAR(bytes, s - block, 1e-9) << program.name << n;
      EXPECT_TRUE(program.cycle().empty());
    }
    if ((n & (n - 1)) == 0) {
      const auto [out, in] = totals(all_reduce_rabenseifner(shape, ranks, s));
      for (const double bytes : out) EXPECT_NEAR(bytes, 2 * (s - block), 1e-9);
      for (const double bytes : totals(reduce_scatter_halving(shape, ranks, s)).first) {
        EXPECT_NEAR(bytes, s - block, 1e-9);
      }
      for (const double bytes : totals(all_gather_recursive_doubling(shape, ranks, s)).first) {
        EXPECT_NEAR(bytes, s - block, 1e-9);
      }
    }
    const Program broadcast = broadcast_binomial(shape, ranks, s);
    const std::vector<double> got = totals(broadcast).second;
    for (std::uint32_t i = 0; i < n; ++i) EXPECT_DOUBLE_EQ(got[i], i == 0 ? 0 : s);
    const std::vector<double> given = totals(reduce_binomial(shape, ranks, s)).first;
    for (std::uint32_t i = 0; i < n; ++i) EXPECT_DOUBLE_EQ(given[i], i == 0 ? 0 : s);
  }
}

// Follows what ranks know: every all-reduce must leave everybody with everybody's part.
void expect_all_know_all(const Program& program, std::uint32_t n) {
  std::vector<std::set<std::uint32_t>> knows(n);
  for (std::uint32_t i = 0; i < n; ++i) knows[i].insert(i);
  // Operations are added in an order that has each after those it waits for; a step's messages
  // carry what was known before the step.
  for (std::uint32_t step = 0; step < program.num_stages(); ++step) {
    const auto before = knows;
    for (Op op = 0; op < program.size(); ++op) {
      if (program.stage(op) != step || program.edges(op).empty()) continue;
      const Edge edge = program.edges(op)[0];
      knows[edge.to].insert(before[edge.from].begin(), before[edge.from].end());
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(knows[i].size(), n) << program.name << " " << n;
}

TEST(Mpi, EverybodyHearsOfEverybody) {
  for (std::uint32_t n = 1; n <= 19; ++n) {
    const JobShape shape{.nodes = n, .ranks = 1, .nics = 1};
    const RankList ranks = all_ranks(shape);
    expect_all_know_all(all_reduce_recursive_doubling(shape, ranks, 1), n);
    expect_all_know_all(all_reduce_rabenseifner(shape, ranks, 1), n);
    expect_all_know_all(all_gather_bruck(shape, ranks, 1), n);
  }
}

TEST(Mpi, RanksOfOneNodeNeedNoFabric) {
  const JobShape shape{.nodes = 2, .ranks = 4, .nics = 2};
  const Program program = all_reduce_recursive_doubling(shape, all_ranks(shape), 10);
  for (Op op = 0; op < program.size(); ++op) {
    EXPECT_EQ(program.edges(op).size(), program.stage(op) == 2 ? 1U : 0U);
  }
  EXPECT_DOUBLE_EQ(program.total_bytes(), 8 * 10);
}

TEST(JobRanks, ParallelGroups) {
  const ParallelSizes sizes{.tensor = 2, .data = 4, .pipeline = 3, .expert = 2};
  EXPECT_EQ(groups_of_ranks(sizes, RankGroups::kTensor)[1], (RankList{2, 3}));
  EXPECT_EQ(groups_of_ranks(sizes, RankGroups::kData)[1], (RankList{1, 3, 5, 7}));
  EXPECT_EQ(groups_of_ranks(sizes, RankGroups::kData)[2], (RankList{8, 10, 12, 14}));
  EXPECT_EQ(groups_of_ranks(sizes, RankGroups::kPipeline)[7], (RankList{7, 15, 23}));
  EXPECT_EQ(groups_of_ranks(sizes, RankGroups::kExpert)[0], (RankList{0, 2}));
  EXPECT_EQ(groups_of_ranks(sizes, RankGroups::kExpert)[2], (RankList{4, 6}));
  for (const auto& groups :
       {groups_of_ranks(sizes, RankGroups::kTensor), groups_of_ranks(sizes, RankGroups::kData),
        groups_of_ranks(sizes, RankGroups::kPipeline),
        groups_of_ranks(sizes, RankGroups::kExpert)}) {
    std::set<std::uint32_t> all;
    for (const RankList& group : groups) all.insert(group.begin(), group.end());
    EXPECT_EQ(all.size(), 24U);
  }
}

}  // namespace
}  // namespace fatwood
