// SPDX-License-Identifier: BSD-3-Clause
// Programs flit by flit: times that can be counted by hand, waits and delays, pipelines at the pace
// of their slowest edge.

#include "sim/workload/program_run.hpp"

#include <gtest/gtest.h>

#include "io/fabric/spec.hpp"
#include "routing/algebraic/algebraic.hpp"
#include "traffic/collectives/nccl.hpp"

namespace fatwood::sim {
namespace {

// 25 GB/s everywhere, d-mod-k.
class ProgramRun : public testing::Test {
 protected:
  void make(const std::string& spec) {
    fabric_ = make_fabric(spec);
    closed_ = make_algebraic("dmodk", *fabric_.tree()).routing;
    model_.packet_flits = 64;
    model_.input_flits = model_.output_flits = 64 * 16;
    model_.link_speed = 200'000;
    network_ = make_network(fabric_, model_);
    routes_ = std::make_unique<Routes>(Routes::by_paths(network_, *closed_));
  }
  FlitRun run(const std::vector<FlitProgram>& programs) {
    return run_programs({network_, model_, *routes_}, programs);
  }
  static std::vector<Adapter> first(std::uint32_t count) {
    std::vector<Adapter> at;
    for (std::uint32_t i = 0; i < count; ++i) at.push_back(static_cast<Adapter>(i));
    return at;
  }

  Fabric fabric_;
  std::shared_ptr<const AlgebraicRouting> closed_;
  Model model_;
  Network network_;
  std::unique_ptr<Routes> routes_;
};

TEST_F(ProgramRun, MessagesWaitForEachOtherAndForDelays) {
  make("xgft(2;4,4;1,4)");
  Program program;
  program.endpoints = 4;
  const Op first_op = program.add_message(0, 1, 25e6);        // 1 ms
  const Op delay = program.add_delay(1e-3, 0, {{first_op}});  // 1 ms
  program.add_message(1, 2, 50e6, {{delay}});                 // 2 ms
  const std::vector<Adapter> at = first(4);
  const FlitRun ran = run({{&program, at}});
  EXPECT_NEAR(ran.seconds[0], 4e-3, 4e-5);
  EXPECT_FALSE(ran.deadlock);
}

TEST_F(ProgramRun, AWorkerDoesOneThingAtATime) {
  make("xgft(2;4,4;1,4)");
  Program program;
  program.endpoints = 2;
  const Op one = program.add_delay(1e-3, 0);
  const Op two = program.add_delay(1e-3, 0);
  program.add_message(0, 1, 25e6, {{one, two}});  // 1 ms
  const std::vector<Adapter> at = first(2);
  EXPECT_NEAR(run({{&program, at}}).seconds[0], 3e-3, 4e-5);
}

TEST_F(ProgramRun, ARingIsAsFastAsItsSlowestEdge) {
  make("xgft(2;4,4;1,1)");  // one up-link a leaf
  // Two edges over one up-link: the whole channel has half of it.
  Program program;
  program.endpoints = 6;
  const std::vector<Edge> edges{{0, 4}, {1, 5}, {2, 3}};
  program.add_transfer(25e6, edges);
  const std::vector<Adapter> at = first(6);
  EXPECT_NEAR(run({{&program, at}}).seconds[0], 2e-3, 4e-5);
}

TEST_F(ProgramRun, OneInsideItsHostTakesNoTime) {
  make("xgft(2;4,4;1,4)");
  Program program;
  program.endpoints = 2;
  program.add_message(0, 1, 1e6);
  const std::vector<Adapter> at{Adapter{3}, Adapter{3}};
  EXPECT_EQ(run({{&program, at}}).seconds[0], 0);
}

TEST_F(ProgramRun, ProgramsBesideEachOtherAreRepeated) {
  make("xgft(2;4,4;1,1)");
  Program longer;
  longer.endpoints = 2;
  longer.add_message(0, 1, 50e6);
  Program brief;
  brief.endpoints = 2;
  brief.add_message(0, 1, 5e6);
  // Both over the up-link of leaf 0 all the time: the long one gets half of it.
  const std::vector<Adapter> at{Adapter{0}, Adapter{4}};
  const std::vector<Adapter> other{Adapter{1}, Adapter{5}};
  const FlitRun ran = run({{&longer, at, true}, {&brief, other, true}});
  EXPECT_NEAR(ran.seconds[0], 4e-3, 1e-4);
  EXPECT_NEAR(ran.seconds[1], 4e-4, 2e-5);
}

TEST_F(ProgramRun, AllReduceOfOneLeafHasTheCablesSpeed) {
  make("xgft(2;8,2;1,8)");
  const JobShape shape{8, 1, 1};
  const Program program =
      nccl_ring(shape, all_ranks(shape), RingWork::kAllReduce, 32e6, NcclOptions{});
  const std::vector<Adapter> at = first(8);
  const double fair = 2 * 7.0 / 8 * 32e6 / 25e9;
  EXPECT_NEAR(run({{&program, at}}).seconds[0], fair, fair / 20);
}

}  // namespace
}  // namespace fatwood::sim
