// SPDX-License-Identifier: BSD-3-Clause
#include "topology/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/sort_unique.hpp"
#include "topology/hosts/aggregation.hpp"
#include "topology/hosts/rails.hpp"
#include "topology/hosts/roles.hpp"

namespace fatwood {

namespace {

template <class Id>
void check_ids(std::span<const Id> listed, std::size_t count, std::string_view what) {
  for (const Id id : listed) {
    if (index(id) < count) continue;
    throw InputError(
        fmt::format("there is no {} number {}: the fabric has {}", what, index(id), count));
  }
}

}  // namespace

Model::Model(Fabric fabric, ModelHints hints)
    : fabric_(std::move(fabric)), hints_(std::move(hints)) {
  check_ids<Switch>(hints_.roots, fabric_.num_switches(), "switch");
  check_ids<Terminal>(hints_.compute, fabric_.num_terminals(), "terminal");
  check_ids<Terminal>(hints_.uncounted, fabric_.num_terminals(), "terminal");
  check_ids<Terminal>(hints_.silent, fabric_.num_terminals(), "terminal");
  // Hints are sets: the order in which a list names them counts for nothing.
  sort_unique(hints_.roots);
  sort_unique(hints_.compute);
  sort_unique(hints_.uncounted);
}

const Table<Terminal, std::uint8_t>& Model::aggregation() const {
  return aggregation_.get([&] { return aggregation_terminals(fabric_); });
}

const Adapters& Model::adapters() const {
  return adapters_.get([&] {
    Table<Terminal, std::uint8_t> left_out(fabric_.num_terminals());
    if (hints_.aggregation == Aggregation::kExcluded) left_out = aggregation();
    for (const Terminal t : hints_.silent) left_out[t] = 1;
    return Adapters(fabric_, left_out);
  });
}

const Table<Terminal, std::uint8_t>& Model::counted() const {
  return counted_.get([&] {
    const std::uint8_t unnamed = hints_.compute.empty() ? 1 : 0;
    Table<Terminal, std::uint8_t> counted(fabric_.num_terminals(), unnamed);
    for (const Terminal t : hints_.compute) counted[t] = 1;
    for (const Terminal t : hints_.uncounted) counted[t] = 0;
    for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
      if (!adapters().sends(t)) counted[t] = 0;
    }
    return counted;
  });
}

const Components& Model::components() const {
  return parts_.get([&] { return connected_components(port_graph()); });
}

const PortGraph& Model::port_graph() const {
  return port_graph_.get([&] { return fatwood::port_graph(fabric_); });
}

const LinkGraph& Model::link_graph() const {
  return link_graph_.get([&] { return fatwood::link_graph(fabric_, port_graph()); });
}

const HopMap& Model::hop_map() const {
  return hop_map_.get([&] { return HopMap(fabric_); });
}

const ChannelSpeeds& Model::speeds() const {
  return speeds_.get([&] { return ChannelSpeeds(fabric_); });
}

LevelHints Model::level_hints() const {
  LevelHints result;
  result.roots = hints_.roots;
  for (const Terminal t : hints_.compute) {
    if (fabric_.leaf(t) != kNone<Switch>) result.leaves.push_back(fabric_.leaf(t));
  }
  return result;
}

const Levels& Model::levels() const {
  return levels_.get([&] { return find_levels(fabric_, port_graph(), level_hints()); });
}

const Recognition& Model::recognition() const {
  return recognition_.get([&] { return recognise(fabric_, levels(), port_graph()); });
}

const std::optional<CompleteTree>& Model::complete_tree() const {
  return complete_tree_.get([&]() -> std::optional<CompleteTree> {
    if (!hints_.silent.empty()) return std::nullopt;  // places are those of all hosts
    if (fabric_.tree()) return CompleteTree{*fabric_.tree(), {}, {}, {}};
    return fatwood::complete_tree(fabric_, adapters(), recognition());
  });
}

std::string adapter_name(const Model& model, Adapter adapter) {
  return unique_name(model.fabric(), model.adapters().node(model.fabric(), adapter));
}

const Labels& Model::labels() const {
  return labels_.get([&] { return Labels(fabric_); });
}

const HostMap& Model::hosts() const {
  return *host_map_.get([&] { return std::make_shared<const HostMap>(map_hosts(fabric_)); });
}

const Roles& Model::roles() const {
  return *roles_.get([&] { return std::make_shared<const Roles>(find_roles(*this)); });
}

}  // namespace fatwood
