// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric with all that is derived from it, each made once, when first asked for, and with what
// the user said of it. Engines, verifier, analysis, simulator, page and plug-in take a model, so
// that they speak of the same levels, the same tree and the same hosts.
//
// A model is neither copied nor moved: what it hands out refers to it. Asking is safe from any
// number of threads.

#include <memory>
#include <vector>

#include "core/once.hpp"
#include "topology/adapters.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/graph/hop_map.hpp"
#include "topology/graph/port_graph.hpp"
#include "topology/recognise/recognition.hpp"
#include "topology/recognise/whole_tree.hpp"

namespace fatwood {

struct HostMap;  // topology/hosts/rails.hpp
class Roles;     // topology/hosts/roles.hpp

// Whether adapters inside switches are hosts like others.
enum class Aggregation : std::uint8_t { kExcluded, kCounted };

// The user's hints on a fabric; empty: found automatically.
struct ModelHints {
  std::vector<Switch> roots = {};        // the top of the tree
  std::vector<Terminal> compute = {};    // the compute nodes: their switches are the leaves
  std::vector<Terminal> uncounted = {};  // hosts that do not count for balance (I/O nodes)
  Aggregation aggregation = Aggregation::kExcluded;
  // Hosts that take no part in what is measured (topology/hosts/participants.hpp). Routes are made
  // with a model without this: they serve all hosts.
  std::vector<Terminal> silent = {};
};

class Model {
 public:
  // InputError when a hint is not of this fabric.
  explicit Model(Fabric fabric, ModelHints hints = {});
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const Fabric& fabric() const { return fabric_; }
  const ModelHints& hints() const { return hints_; }

  const Table<Terminal, std::uint8_t>& aggregation() const;  // 1: part of a switch
  const Adapters& adapters() const;
  // By terminal: 1 when it counts for balance, as a compute node outside switches.
  const Table<Terminal, std::uint8_t>& counted() const;

  const SwitchNet& net() const;
  const Components& components() const;
  const PortGraph& port_graph() const;
  const HopMap& hop_map() const;  // where each port leads
  const ChannelSpeeds& speeds() const;
  LevelHints level_hints() const;
  const Levels& levels() const;
  const Recognition& recognition() const;
  const std::optional<WholeTree>& whole_tree() const;
  const Labels& labels() const;
  const HostMap& hosts() const;  // hosts by name, rails and units
  const Roles& roles() const;    // compute, storage and service hosts

 private:
  Fabric fabric_;
  ModelHints hints_;
  Once<Table<Terminal, std::uint8_t>> aggregation_, counted_;
  Once<Adapters> adapters_;
  Once<SwitchNet> net_;
  Once<Components> parts_;
  Once<PortGraph> port_graph_;
  Once<HopMap> hop_map_;
  Once<ChannelSpeeds> speeds_;
  Once<Levels> levels_;
  Once<Recognition> recognition_;
  Once<std::optional<WholeTree>> whole_tree_;
  Once<Labels> labels_;
  Once<std::shared_ptr<const HostMap>> host_map_;  // few ask: the header stays out
  Once<std::shared_ptr<const Roles>> roles_;
};

// "luna-0001", of the host that an adapter belongs to, as people call it.
std::string_view host_name(const Model& model, Adapter adapter);

}  // namespace fatwood
