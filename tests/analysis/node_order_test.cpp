// SPDX-License-Identifier: BSD-3-Clause
// Orders of a job's hosts: degrees against link_loads, and orders that are known to be good.

#include "analysis/jobs/node_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/load/link_load.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "topology/generate/tree.hpp"

namespace fatwood {
namespace {

std::vector<Adapter> shuffled(std::size_t n, std::uint64_t seed) {
  std::vector<Adapter> adapters;
  for (const std::uint32_t i : Random(seed).permutation(static_cast<std::uint32_t>(n))) {
    adapters.push_back(Adapter{i});
  }
  return adapters;
}

TEST(NodeOrder, WholeMachineInRandomOrderIsPutRight) {
  const TreeShape shape = m_port_n_tree(8, 2);
  const Fabric fabric = make_tree(shape);
  const auto paths = path_source(make_oblivious("dmodk", shape).routing);
  const std::vector<Adapter> adapters = shuffled(32, 3);
  const Schedule shifts = make_traffic("shifts", AdapterNames(32));
  const NodeOrder order = node_order(Model(fabric), *paths, adapters, shifts);
  EXPECT_GT(largest(order.given), Fraction(1));
  EXPECT_EQ(largest(order.best), Fraction(1));
  EXPECT_TRUE(order.better());
  EXPECT_TRUE(std::is_sorted(order.best.adapters.begin(), order.best.adapters.end()));
  for (std::size_t stage = 0; stage < 31; ++stage) {
    const Traffic placed = place(shifts, adapters, 32).stage(stage);
    EXPECT_EQ(order.given.degree[stage], max_load(link_loads(Model(fabric), *paths, placed, 1)));
  }
}

TEST(NodeOrder, ExchangesFindABetterOrderOfAPartialJob) {
  const TreeShape shape = m_port_n_tree(8, 2);
  const Fabric fabric = make_tree(shape);
  const auto paths = path_source(make_oblivious("dmodk", shape).routing);
  // Two hosts of each leaf, on the same two up-ports: in order, neighbours collide.
  std::vector<Adapter> adapters;
  for (const std::uint32_t i : {0U, 4U, 8U, 12U, 16U, 20U, 24U, 28U}) {
    adapters.push_back(Adapter{i});
    adapters.push_back(Adapter{i + 1});
  }
  const std::vector<Adapter> given = [&] {
    std::vector<Adapter> mixed = adapters;
    Random(5).shuffle(mixed);
    return mixed;
  }();
  const Schedule doubling = make_traffic("doubling", AdapterNames(given.size()));
  const NodeOrder order = node_order(Model(fabric), *paths, given, doubling);
  EXPECT_LE(largest(order.best), largest(order.given));
  EXPECT_LE(mean(order.best), mean(order.given));
  std::vector<Adapter> same = order.best.adapters;
  std::sort(same.begin(), same.end());
  EXPECT_EQ(same, adapters);  // the same hosts, in another order
  const Traffic placed = place(doubling, order.best.adapters, 32).stage(1);
  EXPECT_EQ(order.best.degree[1], max_load(link_loads(Model(fabric), *paths, placed, 1)));
  EXPECT_EQ(node_order(Model(fabric), *paths, given, doubling).best.adapters, order.best.adapters);
}

// An exchange that does not help is taken back: the best is as good as every order looked at.
TEST(NodeOrder, IsNeverWorseThanByNumber) {
  const TreeShape shape = m_port_n_tree(8, 2);
  const Model model(make_tree(shape));
  const auto paths = path_source(make_oblivious("dmodk", shape).routing);
  const Schedule doubling = make_traffic("doubling", AdapterNames(16));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<Adapter> given = shuffled(32, seed);
    given.resize(16);
    std::vector<Adapter> sorted = given;
    std::sort(sorted.begin(), sorted.end());
    const NodeOrder order = node_order(model, *paths, given, doubling, {.failures = 30});
    const NodeOrder by_number = node_order(model, *paths, sorted, doubling, {.failures = 1});
    EXPECT_LE(largest(order.best), largest(by_number.given)) << seed;
    EXPECT_LE(largest(order.best), largest(order.given)) << seed;
  }
}

TEST(NodeOrder, AmountsCountNotFlows) {
  const TreeShape shape = m_port_n_tree(4, 2);
  const Fabric fabric = make_tree(shape);
  const auto paths = path_source(make_oblivious("dmodk", shape).routing);
  // Ranks 0 and 1 send 3/2 and 5 to different hosts, 2 sends 1/2.
  const Traffic amounts{
      .hosts = 4,
      .units_in_one = 2,
      .flows = {
          {Adapter{0}, Adapter{2}, 3}, {Adapter{1}, Adapter{3}, 10}, {Adapter{2}, Adapter{0}, 1}}};
  const Schedule schedule{"amounts", 1, [&](std::size_t) { return amounts; }};
  const std::vector<Adapter> adapters{Adapter{0}, Adapter{1}, Adapter{4}, Adapter{6}};
  const NodeOrder order = node_order(Model(fabric), *paths, adapters, schedule);
  const Traffic placed = place(schedule, adapters, 8).stage(0);
  EXPECT_EQ(order.given.degree[0], max_load(link_loads(Model(fabric), *paths, placed, 1)));
  EXPECT_GE(order.given.degree[0], Fraction(5));
}

TEST(NodeOrder, BadHosts) {
  const TreeShape shape = m_port_n_tree(4, 2);
  const Fabric fabric = make_tree(shape);
  const auto paths = path_source(make_oblivious("dmodk", shape).routing);
  const Schedule ring = make_traffic("ring", AdapterNames(2));
  EXPECT_THROW(node_order(Model(fabric), *paths, {Adapter{1}, Adapter{1}}, ring), InputError);
  EXPECT_THROW(node_order(Model(fabric), *paths, {Adapter{1}}, ring), InputError);
}

}  // namespace
}  // namespace fatwood
