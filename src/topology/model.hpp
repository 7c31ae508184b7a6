// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric with the user's hints and everything derived from it. Each derived value is computed
// once, on first use. Engines, tasks, analysis, reports and plug-in take a model, so they all use
// the same levels, the same tree and the same hosts.
//
// A model cannot be copied or moved, because its values refer to it. All methods are thread-safe.

#include <memory>
#include <vector>

#include "core/once.hpp"
#include "topology/adapters.hpp"
#include "topology/channel_speeds.hpp"
#include "topology/graph/hop_map.hpp"
#include "topology/graph/link_graph.hpp"
#include "topology/graph/port_graph.hpp"
#include "topology/recognise/complete_tree.hpp"
#include "topology/recognise/recognition.hpp"

namespace fatwood {

struct HostMap;  // topology/hosts/rails.hpp
class Roles;     // topology/hosts/roles.hpp

// Whether adapters inside switches are hosts like others.
enum class Aggregation : std::uint8_t { kExcluded, kCounted };

// The user's hints. An empty list: found automatically.
struct ModelHints {
  std::vector<Switch> roots = {};        // the top switches of the tree
  std::vector<Terminal> compute = {};    // the compute nodes: their switches are the leaves
  std::vector<Terminal> uncounted = {};  // hosts that are ignored for balance (I/O nodes)
  Aggregation aggregation = Aggregation::kExcluded;
  // Hosts excluded from measurements (topology/hosts/participants.hpp). Routes serve all hosts, so
  // they are made with a model without this hint.
  std::vector<Terminal> silent = {};
};

class Model {
 public:
  // InputError if a hint does not belong to this fabric.
  explicit Model(Fabric fabric, ModelHints hints = {});
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const Fabric& fabric() const { return fabric_; }
  const ModelHints& hints() const { return hints_; }

  const Table<Terminal, std::uint8_t>& aggregation() const;  // 1: inside a switch
  const Adapters& adapters() const;
  // By terminal: 1 if engines balance for it (ModelHints: --io, --uncounted, --compute,
  // --count-aggregation). Adapters::sends is another question: does it send and receive?
  const Table<Terminal, std::uint8_t>& counted() const;

  const Components& components() const;
  const PortGraph& port_graph() const;
  const LinkGraph& link_graph() const;
  const HopMap& hop_map() const;  // where each port leads
  const ChannelSpeeds& speeds() const;
  LevelHints level_hints() const;
  const Levels& levels() const;
  const Recognition& recognition() const;
  const std::optional<CompleteTree>& complete_tree() const;
  const Labels& labels() const;
  const HostMap& hosts() const;  // hosts by name, rails and units
  const Roles& roles() const;    // compute, storage and service hosts

 private:
  Fabric fabric_;
  ModelHints hints_;
  Once<Table<Terminal, std::uint8_t>> aggregation_, counted_;
  Once<Adapters> adapters_;
  Once<Components> parts_;
  Once<PortGraph> port_graph_;
  Once<LinkGraph> link_graph_;
  Once<HopMap> hop_map_;
  Once<ChannelSpeeds> speeds_;
  Once<Levels> levels_;
  Once<Recognition> recognition_;
  Once<std::optional<CompleteTree>> complete_tree_;
  Once<Labels> labels_;
  Once<std::shared_ptr<const HostMap>> host_map_;  // pointer: keeps its header out of this one
  Once<std::shared_ptr<const Roles>> roles_;
};

// The name of an adapter for people, such as "luna-0001 mlx5_0".
std::string adapter_name(const Model& model, Adapter adapter);

}  // namespace fatwood
