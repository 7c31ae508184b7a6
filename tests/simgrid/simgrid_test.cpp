// SPDX-License-Identifier: BSD-3-Clause
// Our rates against SimGrid's solver: random flows over random links, and permutations on a tree.
// Each flow must end when SimGrid says it ends, through all changes of rates.

#include "simgrid.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "analysis/permutations/permutation_rates.hpp"
#include "analysis/rates/flow_run.hpp"
#include "core/random.hpp"
#include "io/fabric/spec.hpp"
#include "routing/resolve.hpp"

namespace fatwood {
namespace {

using test::SimGridFlow;

std::vector<double> our_ends(const std::vector<double>& bandwidth,
                             const std::vector<SimGridFlow>& flows) {
  Program program;
  program.endpoints = 2 * flows.size();
  for (std::uint32_t f = 0; f < flows.size(); ++f) {
    program.add_message(2 * f, 2 * f + 1, flows[f].bytes);
  }
  const OpUses uses = route_program(program, [&](Op, const Edge& edge, const auto& take) {
    for (const std::uint32_t link : flows[edge.from / 2].links) take(link, 1);
  });
  const FlowRun run = run_flows(bandwidth, {{{&program, &uses}}});
  std::vector<double> ends;
  for (std::size_t op = 0; op < run.ops[0].size(); ++op) {
    ends.push_back(run.ops[0][static_cast<Op>(op)].end);
  }
  return ends;
}

// In a process of its own, since SimGrid can be started once.
void expect_same(const std::vector<double>& bandwidth, const std::vector<SimGridFlow>& flows) {
  std::fflush(nullptr);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::vector<double> theirs = test::simgrid_ends(bandwidth, flows);
    const std::vector<double> ours = our_ends(bandwidth, flows);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (std::abs(ours[f] - theirs[f]) <= 1e-6 * theirs[f]) continue;
      std::fprintf(stderr, "flow %zu: ours %.9g, SimGrid's %.9g\n", f, ours[f], theirs[f]);
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(SimGrid, RandomFlows) {
  for (std::uint32_t sample = 0; sample < 20; ++sample) {
    Random random(21, sample);
    const std::uint32_t links = 2 + random.below(20);
    std::vector<double> bandwidth;
    for (std::uint32_t l = 0; l < links; ++l) bandwidth.push_back(1e6 * (1 + random.below(5)));
    std::vector<SimGridFlow> flows(1 + random.below(40));
    for (SimGridFlow& flow : flows) {
      std::vector<std::uint32_t> order = random.permutation(links);
      order.resize(std::min(links, 1 + random.below(4)));
      flow = {order, 1e6 * (1 + random.below(3))};
    }
    expect_same(bandwidth, flows);
  }
}

// xgft(2;12,24;1,12) under d-mod-k: up-links shared, down-links not.
TEST(SimGrid, PermutationsOnATree) {
  for (std::uint32_t sample = 0; sample < 3; ++sample) {
    Random random(22, sample);
    const std::vector<std::uint32_t> to = random.permutation(288);
    std::vector<SimGridFlow> flows;
    for (std::uint32_t s = 0; s < 288; ++s) {
      SimGridFlow flow{{s, 288 + to[s]}, 1e6};
      if (s / 12 != to[s] / 12) {
        flow.links.push_back(576 + s / 12 * 12 + to[s] % 12);
        flow.links.push_back(864 + to[s]);
      }
      flows.push_back(flow);
    }
    expect_same(std::vector<double>(1152, 1e6), flows);
  }
}

// Flows as long as their rates: with the right rates all end together.
TEST(SimGrid, RatesOfPermutationKernels) {
  const Model model(make_fabric("xgft(3;4,4,6;1,4,2)"));
  for (const char* routing : {"dmodk", "smodk", "minhop"}) {
    const auto paths = resolve_paths(model, routing);
    const auto kernel = permutation_rates(model, *paths);
    std::vector<std::uint32_t> to(paths->num_adapters());
    draw_permutation(23, 1, to);
    const std::span<const double> rates = kernel->solve(to);
    std::vector<SimGridFlow> flows;
    for (std::uint32_t s = 0; s < to.size(); ++s) {
      if (to[s] == s) continue;
      SimGridFlow flow{{}, 1e9 * rates[s]};  // SimGrid has whole bytes
      const PathList list = paths->paths(Adapter{s}, Adapter{to[s]});
      for (const Channel c : list.all()) flow.links.push_back(index(c));
      flows.push_back(std::move(flow));
    }
    const std::vector<double> bandwidth(model.fabric().num_channels(), 1e9);
    for (const double end : our_ends(bandwidth, flows)) EXPECT_NEAR(end, 1, 1e-9) << routing;
    expect_same(bandwidth, flows);
  }
}

}  // namespace
}  // namespace fatwood
