// SPDX-License-Identifier: BSD-3-Clause
#include "plan/model/plan_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/text/natural_order.hpp"
#include "core/text/printable.hpp"
#include "plan/model/device_words.hpp"
#include "plan/model/port_text.hpp"
#include "topology/builder.hpp"
#include "topology/hosts/device_name.hpp"
#include "topology/hosts/rails.hpp"
#include "topology/labels.hpp"

namespace fatwood {

namespace {

constexpr std::uint64_t kSystemGuids = 0x0030'0000'0000'0000;

Rate most_common_rate(const Plan& plan) {
  std::map<Rate, std::size_t> count;
  for (const PlanCable& cable : plan.cables) {
    if (cable.rate != Rate{}) ++count[cable.rate];
  }
  const auto most = std::ranges::max_element(count, {}, [](const auto& one) { return one.second; });
  return most == count.end() ? kDefaultRate : most->first;
}

// A chip on its way to a node.
struct ChipNode {
  std::uint32_t device = 0;
  std::uint32_t chip = 0;
  std::string id;
  std::string description;
};

std::vector<ChipNode> chip_nodes(const Plan& plan) {
  std::vector<ChipNode> nodes;
  std::unordered_set<std::string> taken;
  for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
    const PlanDevice& device = plan.devices[d];
    for (std::uint32_t c = 0; c < device.chips.size(); ++c) {
      const std::string& chip = device.chips[c].name;
      ChipNode node{d, c, device.name, ""};
      if (!chip.empty()) node.id += (device.is_host() ? ' ' : '/') + chip;
      if (device.is_host() && !chip.empty()) {
        node.description = described_adapter(node.id).device.known()
                               ? node.id
                               : fmt::format("{} HCA-{}", device.name, c + 1);
      }
      while (!taken.insert(node.id).second) node.id += '\'';
      nodes.push_back(std::move(node));
    }
  }
  std::ranges::sort(nodes,
                    [](const ChipNode& a, const ChipNode& b) { return natural_less(a.id, b.id); });
  return nodes;
}

FabricBuilder::Handle add_node(FabricBuilder& builder, const Plan& plan, const ChipNode& node) {
  const PlanDevice& device = plan.devices[node.device];
  const PlanChip& chip = device.chips[node.chip];
  const FabricBuilder::Handle handle = builder.add(device.kind, node.id, chip.ports, chip.guid);
  if (!node.description.empty()) builder.set_description(handle, node.description);
  if (device.chips.size() > 1) {
    builder.set_hardware(handle, {.system_guid = kSystemGuids + node.device + 1});
  }
  return handle;
}

class PlanMaker {
 public:
  PlanMaker(const Model& model, const RunData& run)
      : model_(model), fabric_(model.fabric()), run_(run), at_(fabric_.num_nodes(), kNowhere) {}

  Plan run() {
    add_hosts();
    for (const Switch s : ids<Switch>(fabric_.num_switches())) add_switch(s);
    for (const Channel c : ids<Channel>(fabric_.num_channels())) {
      if (fabric_.connected(c) && c < fabric_.peer(c)) add_cable(c);
    }
    return std::move(plan_);
  }

 private:
  struct At {
    std::uint32_t device;
    std::uint32_t chip;
  };
  static constexpr At kNowhere{0xffffffffU, 0};

  std::uint32_t add_device(std::string name, NodeKind kind) {
    while (!taken_.insert(lower_case(name)).second) name += '\'';
    PlanDevice& device = plan_.devices.emplace_back();
    device.name = std::move(name);
    device.kind = kind;
    return static_cast<std::uint32_t>(plan_.devices.size() - 1);
  }
  void add_chip(std::uint32_t device, std::string name, Node node) {
    std::vector<PlanChip>& chips = plan_.devices[device].chips;
    at_[node] = {device, static_cast<std::uint32_t>(chips.size())};
    const std::uint64_t guid = fabric_.guid(node);
    chips.push_back({std::move(name), fabric_.ports(node), is_made_up(guid) ? 0 : guid});
  }

  void add_hosts() {
    const Hosts& hosts = model_.hosts().hosts;
    for (const Host host : ids<Host>(hosts.size())) {
      const std::span<const Node> adapters = hosts.adapters(host);
      std::string name(hosts.name(host));
      if (hosts.called(name).size() > 1) name += fmt::format("@{}", fabric_.id(adapters.front()));
      const std::uint32_t device = add_device(name, fabric_.kind(adapters.front()));
      std::unordered_set<std::string> used;
      for (std::size_t i = 0; i < adapters.size(); ++i) {
        std::string chip(described_adapter(fabric_.description(adapters[i])).device_text);
        if (chip.empty() || !used.insert(chip).second) chip = fmt::format("HCA-{}", i + 1);
        add_chip(device, std::move(chip), adapters[i]);
      }
    }
  }

  void add_switch(Switch s) {
    const Node node = fabric_.node(s);
    const SystemName system = system_name(fabric_.description(node));
    std::uint32_t device = 0;
    if (system.chip.empty()) {
      device = add_device(model_.labels()(node), NodeKind::kSwitch);
    } else {
      const auto key = std::pair(std::string(system.name), fabric_.hardware(node).system_guid);
      const auto [at, fresh] = directors_.emplace(key, 0);
      if (fresh) at->second = add_device(std::string(system.name), NodeKind::kSwitch);
      device = at->second;
    }
    PlanDevice& made = plan_.devices[device];
    made.model = system.model;
    if (system.chip.empty()) made.role = role(s);
    add_chip(device, std::string(system.chip), node);
  }
  std::string_view role(Switch s) const {
    const Level level = model_.levels().level[s];
    return model_.levels().is_tree() && level <= kSwitchRoles.size() ? kSwitchRoles[level - 1U]
                                                                     : "";
  }

  void add_cable(Channel c) {
    const Channel far = fabric_.peer(c);
    const At here = at_[fabric_.owner(c)];
    const At there = at_[fabric_.owner(far)];
    if (here.device == kNowhere.device || there.device == kNowhere.device) return;
    if (here.device == there.device) {
      plan_.devices[here.device].inside.push_back(
          {here.chip, index(fabric_.port(c)), there.chip, index(fabric_.port(far))});
      return;
    }
    PlanCable& cable = plan_.cables.emplace_back();
    cable.a = end(c, here);
    cable.b = end(far, there);
    cable.rate = fabric_.rate(c);
  }
  PlanEnd end(Channel c, At at) const {
    const PlanDevice& device = plan_.devices[at.device];
    const std::string& chip = device.chips[at.chip].name;
    const std::uint32_t port = index(fabric_.port(c));
    std::string text(device.is_host() ? std::string_view{} : run_.label(c));
    if (text.empty() && device.is_host()) {
      text = port == 1 ? chip : fmt::format("{}/{}", chip, port);
    }
    if (text.empty()) text = port_text(chip, port);
    return {at.device, at.chip, port, std::move(text)};
  }

  const Model& model_;
  const Fabric& fabric_;
  const RunData& run_;
  Table<Node, At> at_;
  std::map<std::pair<std::string, std::uint64_t>, std::uint32_t> directors_;
  std::unordered_set<std::string> taken_;
  Plan plan_;
};

}  // namespace

PlannedFabric planned_fabric(const Plan& plan) {
  FabricBuilder builder;
  std::vector<std::vector<FabricBuilder::Handle>> handle(plan.devices.size());
  PlannedFabric result;
  for (std::size_t d = 0; d < plan.devices.size(); ++d) {
    handle[d].resize(plan.devices[d].chips.size());
    result.nodes.emplace_back(plan.devices[d].chips.size(), kNone<Node>);
  }
  const std::vector<ChipNode> nodes = chip_nodes(plan);
  for (const ChipNode& node : nodes) handle[node.device][node.chip] = add_node(builder, plan, node);
  const Rate usual = most_common_rate(plan);
  for (std::size_t d = 0; d < plan.devices.size(); ++d) {
    for (const InsideCable& in : plan.devices[d].inside) {
      builder.connect(handle[d][in.chip], static_cast<Port>(in.port), handle[d][in.other],
                      static_cast<Port>(in.other_port), usual);
    }
  }
  for (const PlanCable& cable : plan.cables) {
    builder.connect(handle[cable.a.device][cable.a.chip], static_cast<Port>(cable.a.port),
                    handle[cable.b.device][cable.b.chip], static_cast<Port>(cable.b.port),
                    cable.rate == Rate{} ? usual : cable.rate);
  }
  result.fabric = builder.build();
  std::unordered_map<std::string_view, Node> by_id;
  for (const Node node : ids<Node>(result.fabric.num_nodes())) {
    by_id.emplace(result.fabric.id(node), node);
  }
  for (const ChipNode& node : nodes)
    result.nodes[node.device][node.chip] = by_id.at(printable(node.id));
  const auto channel = [&](const PlanEnd& end) {
    return result.fabric.channel(result.nodes[end.device][end.chip], static_cast<Port>(end.port));
  };
  for (const PlanCable& cable : plan.cables) {
    result.cables.emplace_back(channel(cable.a), channel(cable.b));
  }
  return result;
}

bool is_made_up(std::uint64_t guid) {
  return guid == 0 || (guid >= kAdapterGuids && guid < kSystemGuids);
}

Plan plan_of(const Model& model, const RunData& run) { return PlanMaker(model, run).run(); }

}  // namespace fatwood
