// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A directed network with integer capacities and integer weights, and the two problems solved on
// it: maximum flow (max_flow.cpp) and flow of largest total weight (max_weight_flow.cpp).
//
// Arcs come in pairs: arc 2i is the one that was added, arc 2i+1 its reverse. `capacity` is the
// remaining capacity, so the flow on an added arc is the capacity of its reverse.

#include <cstdint>
#include <vector>

namespace fatwood {

class FlowNetwork {
 public:
  using Vertex = std::uint32_t;
  using Arc = std::uint32_t;
  static constexpr Arc kNoArc = 0xffffffffU;

  explicit FlowNetwork(std::size_t vertices) : first_(vertices, kNoArc) {}

  std::size_t num_vertices() const { return first_.size(); }
  std::size_t num_arcs() const { return to_.size(); }

  Arc add_arc(Vertex from, Vertex to, std::int64_t capacity, std::int64_t weight = 0) {
    const auto arc = static_cast<Arc>(to_.size());
    push(from, to, capacity, weight);
    push(to, from, 0, -weight);
    return arc;
  }
  Arc first(Vertex v) const { return first_[v]; }
  Arc next(Arc a) const { return next_[a]; }
  Vertex to(Arc a) const { return to_[a]; }
  std::int64_t weight(Arc a) const { return weight_[a]; }
  std::int64_t capacity(Arc a) const { return capacity_[a]; }
  std::int64_t flow(Arc a) const { return capacity_[a ^ 1U]; }  // REQUIRES an added arc

  void push_flow(Arc a, std::int64_t amount) {
    capacity_[a] -= amount;
    capacity_[a ^ 1U] += amount;
  }

 private:
  void push(Vertex from, Vertex to, std::int64_t capacity, std::int64_t weight) {
    next_.push_back(first_[from]);
    first_[from] = static_cast<Arc>(to_.size());
    to_.push_back(to);
    capacity_.push_back(capacity);
    weight_.push_back(weight);
  }

  std::vector<Arc> first_;  // by vertex
  std::vector<Arc> next_;
  std::vector<Vertex> to_;
  std::vector<std::int64_t> capacity_, weight_;
};

// Adds flow from source to sink until no more fits. Returns how much was added. Ignores weights.
std::int64_t max_flow(FlowNetwork& network, FlowNetwork::Vertex source, FlowNetwork::Vertex sink);

// Adds the flow of largest total weight (of any value); returns its weight.
// REQUIRES a network without cycles of positive weight, carrying no flow.
std::int64_t max_weight_flow(FlowNetwork& network, FlowNetwork::Vertex source,
                             FlowNetwork::Vertex sink);
// The same. `equal`: the weight of every path, which makes it easier; 0: they differ.
inline std::int64_t heaviest(FlowNetwork& network, FlowNetwork::Vertex source,
                             FlowNetwork::Vertex sink, std::int64_t equal) {
  return equal != 0 ? equal * max_flow(network, source, sink)
                    : max_weight_flow(network, source, sink);
}

}  // namespace fatwood
