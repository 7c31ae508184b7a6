// SPDX-License-Identifier: BSD-3-Clause
// Maximum flow and flow of largest weight, against Boost.Graph and against each other.

#include <gtest/gtest.h>

// GCC 12 sees uninitialised iterators in Boost.Graph where there are none.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/cycle_canceling.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

#include "analysis/worst/flow_network.hpp"
#include "core/random.hpp"

namespace fatwood {
namespace {

struct Arc {
  std::uint32_t from, to;
  std::int64_t capacity, weight;
};

// Layers of vertices with arcs from each layer to the next, as two trees and a row of pairs have.
struct Layered {
  std::uint32_t vertices;
  std::uint32_t layers;
  std::vector<Arc> arcs;
};

Layered layered(std::uint32_t seed) {
  Random random(seed);
  const std::uint32_t layers = 3 + random.below(3);
  const std::uint32_t width = 2 + random.below(5);
  std::vector<Arc> arcs;
  for (std::uint32_t i = 0; i < width; ++i) {
    arcs.push_back({0, 2 + i, 1 + random.below(6), 0});
    arcs.push_back({2 + (layers - 1) * width + i, 1, 1 + random.below(6), 0});
  }
  for (std::uint32_t layer = 0; layer + 1 < layers; ++layer) {
    for (std::uint32_t i = 0; i < width * 2; ++i) {
      arcs.push_back({2 + layer * width + random.below(width),
                      2 + (layer + 1) * width + random.below(width), 1 + random.below(5),
                      random.below(7)});
    }
  }
  return {layers * width + 2, layers, arcs};
}

FlowNetwork network_of(const Layered& layers) {
  FlowNetwork network(layers.vertices);
  for (const Arc& arc : layers.arcs) network.add_arc(arc.from, arc.to, arc.capacity, arc.weight);
  return network;
}

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Graph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, long,
                    boost::property<boost::edge_residual_capacity_t, long,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor,
                                                    boost::property<boost::edge_weight_t, long>>>>>;

void add(Graph& graph, std::uint32_t from, std::uint32_t to, long capacity, long cost) {
  const auto there = boost::add_edge(from, to, graph).first;
  const auto back = boost::add_edge(to, from, graph).first;
  boost::put(boost::edge_capacity, graph, there, capacity);
  boost::put(boost::edge_capacity, graph, back, 0L);
  boost::put(boost::edge_reverse, graph, there, back);
  boost::put(boost::edge_reverse, graph, back, there);
  boost::put(boost::edge_weight, graph, there, cost);
  boost::put(boost::edge_weight, graph, back, -cost);
}

// Costs from weights: kCost - weight is not negative, and every path has as many arcs.
constexpr long kCost = 10;

Graph boost_graph(const Layered& layers) {
  Graph graph(layers.vertices);
  for (const Arc& arc : layers.arcs) {
    add(graph, arc.from, arc.to, arc.capacity, kCost - arc.weight);
  }
  return graph;
}

TEST(Flow, MaximumAsBoostFindsIt) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Layered layers = layered(seed);
    FlowNetwork network = network_of(layers);
    Graph graph = boost_graph(layers);
    EXPECT_EQ(max_flow(network, 0, 1), boost::push_relabel_max_flow(graph, 0, 1)) << seed;
  }
}

TEST(Flow, HeaviestAsBoostFindsIt) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const Layered layers = layered(seed);
    FlowNetwork network = network_of(layers);
    const std::int64_t weight = max_weight_flow(network, 0, 1);
    std::int64_t counted = 0;
    for (std::uint32_t i = 0; i < layers.arcs.size(); ++i) {
      const std::int64_t flow = network.flow(2 * i);
      EXPECT_GE(flow, 0);
      EXPECT_LE(flow, layers.arcs[i].capacity);
      counted += flow * layers.arcs[i].weight;
    }
    EXPECT_EQ(counted, weight);

    // The heaviest flow of any value: a way past the network, at the cost of weight 0, lets the
    // flow of least cost carry as little as it likes through it.
    Graph graph = boost_graph(layers);
    const auto before = static_cast<std::uint32_t>(boost::add_vertex(graph));
    constexpr long kAll = 1000;
    const long whole_path = kCost * (layers.layers + 1);
    add(graph, before, 0, kAll, 0);
    add(graph, before, 1, kAll, whole_path);
    Graph::edge_iterator edge, end;
    // Exactly kAll units: one more vertex in front holds them back.
    const auto front = static_cast<std::uint32_t>(boost::add_vertex(graph));
    add(graph, front, before, kAll, 0);
    boost::push_relabel_max_flow(graph, front, 1);
    boost::cycle_canceling(graph);
    long cost = 0;
    for (std::tie(edge, end) = boost::edges(graph); edge != end; ++edge) {
      const long capacity = boost::get(boost::edge_capacity, graph, *edge);
      const long left = boost::get(boost::edge_residual_capacity, graph, *edge);
      if (capacity > left) cost += (capacity - left) * boost::get(boost::edge_weight, graph, *edge);
    }
    EXPECT_EQ(weight, kAll * whole_path - cost) << seed;
  }
}

}  // namespace
}  // namespace fatwood
