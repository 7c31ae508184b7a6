// SPDX-License-Identifier: BSD-3-Clause
#include "topology/change/additions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "core/text/parse_number.hpp"
#include "topology/change/fabric_change.hpp"

namespace fatwood {

namespace {

// The rate of a cable that the switch has to that level already, else of any it has.
Rate usual_rate(const Model& model, Switch s, Level to) {
  std::optional<Rate> first;
  for (const SwitchLink& link : model.fabric().links(s)) {
    const Rate rate = model.fabric().rate(link.channel);
    if (model.levels().level[link.to] == to) return rate;
    if (!first) first = rate;
  }
  return first.value_or(kDefaultRate);
}

// Gives out free ports, and new ones beyond the last.
class PortStock {
 public:
  explicit PortStock(const Fabric& fabric)
      : fabric_(fabric), change_(fabric), taken_(fabric.num_switches()) {}
  Port take(Switch s, Channel wanted) {
    if (wanted != kNone<Channel> && taken_[s].insert(fabric_.port(wanted)).second) {
      return fabric_.port(wanted);
    }
    for (const Channel c : fabric_.channels(fabric_.node(s))) {
      if (fabric_.connected(c)) continue;
      if (taken_[s].insert(fabric_.port(c)).second) return fabric_.port(c);
    }
    ++lacking_;
    return static_cast<Port>(
        ++change_.ports[fabric_.node(s)]);  // too many: refused with the switch
  }
  const FabricChange& change() const { return change_; }
  std::size_t lacking() const { return lacking_; }

 private:
  const Fabric& fabric_;
  FabricChange change_;  // the new ports
  Table<Switch, std::set<Port>> taken_;
  std::size_t lacking_ = 0;
};

}  // namespace

Extended with_cables(const Model& model, std::span<const NewCable> cables) {
  const Fabric& fabric = model.fabric();
  PortStock stock(fabric);
  std::vector<std::pair<Port, Port>> ports;  // below, above
  for (const NewCable& cable : cables) {
    const Port below = stock.take(cable.below, cable.port_below);
    ports.emplace_back(below, stock.take(cable.above, cable.port_above));
  }
  FabricBuilder builder;
  const Table<Node, FabricBuilder::Handle> handle = copy_fabric(builder, fabric, stock.change());
  for (std::size_t i = 0; i < cables.size(); ++i) {
    const auto& [below, above, port_below, port_above] = cables[i];
    builder.connect(handle[fabric.node(below)], ports[i].first, handle[fabric.node(above)],
                    ports[i].second, usual_rate(model, below, model.levels().level[above]));
  }
  return {builder.build(), cables.size(), stock.lacking()};
}

Extended with_cable_each(const Model& model, Level level) {
  const PortGraph& graph = model.port_graph();
  std::vector<NewCable> cables;
  Table<Switch, std::uint32_t> fresh(graph.size(), 0);
  for (const Switch s : ids<Switch>(graph.size())) {
    if (model.levels().level[s] != level) continue;
    Switch best = kNone<Switch>;
    std::pair<std::uint32_t, std::uint32_t> least;
    for (const Trunk g : graph.trunks(s)) {
      const Switch to = graph.neighbour(g);
      if (model.levels().level[to] <= level) continue;
      const std::pair<std::uint32_t, std::uint32_t> key(graph.width(g), fresh[to]);
      if (best == kNone<Switch> || key < least || (key == least && to < best)) {
        best = to;
        least = key;
      }
    }
    if (best == kNone<Switch>) continue;
    ++fresh[best];
    cables.push_back({.below = s, .above = best});
  }
  return with_cables(model, cables);
}

std::optional<Extended> with_switch(const Model& model, Level level) {
  const Fabric& fabric = model.fabric();
  Switch like = kNone<Switch>;
  std::size_t most = 0;
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (model.levels().level[s] != level || model.port_graph().width(s) <= most) continue;
    like = s;
    most = model.port_graph().width(s);
  }
  if (like == kNone<Switch>) return std::nullopt;
  PortStock stock(fabric);
  std::vector<std::pair<Channel, Port>> ends;  // of the switch it is like; the other's new port
  for (const auto& [c, to, port] : fabric.links(like)) {
    if (to != like) ends.emplace_back(c, stock.take(to, kNone<Channel>));
  }
  FabricBuilder builder;
  const Table<Node, FabricBuilder::Handle> handle = copy_fabric(builder, fabric, stock.change());
  std::uint64_t guid = 1;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    guid = std::max(guid, fabric.guid(node) + 1);
  }
  const FabricBuilder::Handle fresh =
      builder.add_switch(fmt::format("S-{:016x}", guid), fabric.ports(fabric.node(like)), guid);
  builder.set_description(fresh, "one more");
  for (const auto& [c, port] : ends) {
    builder.connect(fresh, fabric.port(c), handle[fabric.neighbour(c)], port, fabric.rate(c));
  }
  return Extended{builder.build(), ends.size(), stock.lacking()};
}

Addition parse_addition(const std::string& text, unsigned height, const Location& where) {
  constexpr unsigned kMostAdded = 64;
  std::string_view rest = text;
  std::optional<unsigned> times = 1;
  if (const std::size_t x = rest.find('x'); x != std::string_view::npos) {
    times = parse_number<unsigned>(rest.substr(0, x));
    rest.remove_prefix(x + 1);
  }
  const std::size_t at = rest.find('@');
  const std::string_view kind = rest.substr(0, at);
  const std::optional<unsigned> level =
      at == std::string_view::npos ? std::nullopt : parse_number<unsigned>(rest.substr(at + 1));
  if (!level || !times || *times == 0 || *times > kMostAdded ||
      (kind != "cable" && kind != "switch")) {
    throw InputError(where, fmt::format("expected cable@LEVEL (one more for each switch), "
                                        "switch@LEVEL, or N of them: 2xswitch@3 (at most {})",
                                        kMostAdded));
  }
  if (*level == 0 || *level + (kind == "cable" ? 1 : 0) > height) {
    throw InputError(where, fmt::format("switches have levels 1 to {}, and cables up leave 1 to {}",
                                        height, height - 1));
  }
  return {kind == "cable", static_cast<Level>(*level), *times};
}

Extended with_addition(const Model& model, const Addition& addition) {
  std::optional<Extended> result;
  for (unsigned i = 0; i < addition.times; ++i) {
    std::unique_ptr<const Model> own;
    if (result) own = std::make_unique<const Model>(std::move(result->fabric), model.hints());
    const Model& before = own ? *own : model;
    std::optional<Extended> next = addition.is_cable ? with_cable_each(before, addition.level)
                                                     : with_switch(before, addition.level);
    if (!next) throw InputError(fmt::format("no switch has level {}", addition.level));
    if (result) {
      next->cables += result->cables;
      next->ports_lacking += result->ports_lacking;
    }
    result = std::move(next);
  }
  return *std::move(result);
}

}  // namespace fatwood
