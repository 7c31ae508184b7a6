// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tables/path_source.hpp"

#include <fmt/format.h>

#include <array>
#include <span>
#include <stdexcept>
#include <utility>

#include "core/common_multiple.hpp"
#include "topology/flow_sources.hpp"

namespace fatwood {

namespace {

class AlgebraicPaths : public PathSource {
 public:
  // `model`: of a complete tree of any numbering; nullptr: the numbering of the formula.
  AlgebraicPaths(const Model* model, std::shared_ptr<const AlgebraicRouting> routing)
      : model_(model), routing_(std::move(routing)) {}
  std::size_t num_adapters() const override { return routing_->space().nodes(); }
  PathList paths(Adapter s, Adapter d) const override {
    PathList list;
    const PathSpace& space = routing_->space();
    const std::uint32_t from = place(s);
    const std::uint32_t to = place(d);
    for (const PathIndex t : routing_->paths(from, to)) {
      const std::span<Channel> path = list.extend(2 * std::size_t{space.common_level(from, to)});
      space.write_channels(from, to, t, path);
      if (model_ != nullptr) {
        for (Channel& c : path) c = model_->complete_tree()->channel_at(c);
      }
      list.end_path();
    }
    return list;
  }
  std::uint32_t units_in_one() const override { return routing_->units_in_one(); }
  const AlgebraicRouting* algebraic() const override {
    return model_ == nullptr ? routing_.get() : nullptr;
  }

 private:
  std::uint32_t place(Adapter adapter) const {
    if (model_ == nullptr) return index(adapter);
    return model_->complete_tree()->place(model_->adapters().terminals(adapter).front());
  }

  const Model* model_;
  std::shared_ptr<const AlgebraicRouting> routing_;
};

// A common multiple; 0 if it does not fit 32 bits.
std::uint32_t common_number(std::span<const std::int64_t> numbers) {
  std::int64_t multiple = 1;
  for (const std::int64_t number : numbers) {
    multiple = common_multiple(multiple, number, 0xffffffff);
  }
  return static_cast<std::uint32_t>(multiple);
}

class TablePaths : public PathSource {
 public:
  TablePaths(const Model& model, Routing routing, AddressChoice choice)
      : fabric_(model.fabric()),
        adapters_(model.adapters()),
        components_(model.components()),
        routing_(std::move(routing)),
        choice_(std::move(choice)),
        pairs_of_ports_(common_number(pairs_of_ports(model))) {}
  std::size_t num_adapters() const override { return adapters_.size(); }
  PathList paths(Adapter s, Adapter d) const override {
    PathList list;
    if (adapters_.ports(s) == 1 && adapters_.ports(d) == 1) {
      if (!add(adapters_.terminals(s)[0], adapters_.terminals(d)[0], list)) return {};
      return list;
    }
    for (const auto& [from, to] : adapters_.port_pairs(s, d)) {
      if (joined(from, to) && !add(from, to, list)) return {};
    }
    return list;
  }
  std::uint32_t units_in_one() const override {
    const std::uint64_t units = std::uint64_t{pairs_of_ports_} * units_per_pair();
    if (units == 0 || units > 0xffffffffU) throw std::overflow_error("too many different shares");
    return static_cast<std::uint32_t>(units);
  }
  const ForwardingTables* tables() const override {
    return addresses() != 0 && adapters_.one_port_each() ? &routing_.tables : nullptr;
  }
  std::uint32_t addresses() const override {
    const bool plain = routing_.source_routes.empty() && !choice_.offsets;
    return plain ? 1U << routing_.tables.lmc() : 0;
  }

 private:
  std::uint32_t units_per_pair() const {
    if (!routing_.source_routes.empty()) return 1;
    return choice_.offsets ? choice_.units_in_one : 1U << routing_.tables.lmc();
  }

  bool joined(Terminal a, Terminal b) const {
    const Switch at = fabric_.leaf(a);
    const Switch to = fabric_.leaf(b);
    if (at == kNone<Switch> || to == kNone<Switch>)
      return fabric_.peer(fabric_.terminal_channel(a)) == fabric_.terminal_channel(b);
    return components_.component[at] == components_.component[to];
  }

  // Adds the paths from port to port; false if one is broken.
  bool add(Terminal s, Terminal d, PathList& list) const {
    if (!routing_.source_routes.empty()) return by_source_route(s, d, list);
    if (!choice_.offsets) {
      for (unsigned o = 0; o < 1U << routing_.tables.lmc(); ++o) {
        if (!walk(s, d, static_cast<std::uint8_t>(o), list)) return false;
      }
      return true;
    }
    for (const std::uint8_t offset : choice_.offsets(s, d)) {
      if (!walk(s, d, offset, list)) return false;
    }
    return true;
  }

  // False if the tables end, loop or lead elsewhere.
  bool walk(Terminal s, Terminal d, std::uint8_t offset, PathList& list) const {
    const std::span<const Port> row = routing_.tables.row(routing_.tables.destination(d, offset));
    const Channel last = fabric_.peer(fabric_.terminal_channel(d));
    Channel c = fabric_.terminal_channel(s);
    std::array<Channel, 16> some;  // added at once: a list that grows by one is slow
    std::size_t size = 0;
    for (std::size_t hops = 0; hops <= fabric_.num_switches(); ++hops) {
      if (size == some.size()) {
        list.append(some);
        size = 0;
      }
      some[size++] = c;
      if (c == last || fabric_.peer(c) == fabric_.terminal_channel(d)) {
        list.append(std::span(some.data(), size));
        list.end_path();
        return true;
      }
      const Node next = fabric_.neighbour(c);
      if (!fabric_.is_switch(next)) return false;
      const Port port = row[index(fabric_.as_switch(next))];
      if (port == kNoRoute || port == kOwnPort || index(port) > fabric_.ports(next)) return false;
      c = fabric_.channel(next, port);
      if (!fabric_.connected(c)) return false;
    }
    return false;
  }

  bool by_source_route(Terminal s, Terminal d, PathList& list) const {
    const Switch from = fabric_.leaf(s);
    const Switch to = fabric_.leaf(d);
    if (from == kNone<Switch> || to == kNone<Switch>) return false;
    const std::span<const Channel> route = routing_.source_routes.at(from, to);
    if (route.empty() && from != to) return false;
    list.push_back(fabric_.terminal_channel(s));
    list.append(route);
    list.push_back(fabric_.peer(fabric_.terminal_channel(d)));
    list.end_path();
    return true;
  }

  const Fabric& fabric_;
  const Adapters& adapters_;
  const Components& components_;
  Routing routing_;
  AddressChoice choice_;
  std::uint32_t pairs_of_ports_;  // 0: does not fit
};

class AdaptivePaths : public PathSource {
 public:
  AdaptivePaths(const Model& model, Routing routing)
      : adapters_(model.adapters().size()), routing_(std::move(routing)) {}
  std::size_t num_adapters() const override { return adapters_; }
  PathList paths(Adapter, Adapter) const override {
    throw std::logic_error("adaptive tables have no list of paths");
  }
  std::uint32_t units_in_one() const override { return 1; }
  const Routing* adaptive() const override { return &routing_; }

 private:
  std::size_t adapters_;
  Routing routing_;
};

// Some of the adapters, with numbers of their own.
class AmongPaths : public PathSource {
 public:
  AmongPaths(const Model& measured, const Model& all, const PathSource& paths)
      : paths_(paths), in_all_(measured.adapters().size()) {
    for (const Adapter a : ids<Adapter>(in_all_.size())) {
      in_all_[a] = all.adapters().of(measured.adapters().terminals(a).front());
    }
  }

  std::size_t num_adapters() const override { return in_all_.size(); }
  PathList paths(Adapter s, Adapter d) const override {
    return paths_.paths(in_all_[s], in_all_[d]);
  }
  std::uint32_t units_in_one() const override { return paths_.units_in_one(); }
  // Kernels take the adapters from the model that comes with the tables. Those of algebraic
  // routings compute with the numbers of all adapters.
  const ForwardingTables* tables() const override { return paths_.tables(); }
  std::uint32_t addresses() const override { return paths_.addresses(); }
  const Routing* adaptive() const override { return paths_.adaptive(); }

 private:
  const PathSource& paths_;
  Table<Adapter, Adapter> in_all_;
};

}  // namespace

PromiseError no_path(const Model& model, Adapter source, Adapter destination) {
  return PromiseError(fmt::format("the routing has no path from {} to {}",
                                  adapter_name(model, source), adapter_name(model, destination)));
}

std::unique_ptr<PathSource> path_source(std::shared_ptr<const AlgebraicRouting> routing) {
  return std::make_unique<AlgebraicPaths>(nullptr, std::move(routing));
}

std::unique_ptr<PathSource> path_source(const Model& model,
                                        std::shared_ptr<const AlgebraicRouting> routing) {
  if (model.complete_tree()->generated()) return path_source(std::move(routing));
  return std::make_unique<AlgebraicPaths>(&model, std::move(routing));
}

std::unique_ptr<PathSource> path_source(const Model& model, Routing routing, AddressChoice choice) {
  if (!routing.sets.empty()) return std::make_unique<AdaptivePaths>(model, std::move(routing));
  return std::make_unique<TablePaths>(model, std::move(routing), std::move(choice));
}

std::unique_ptr<PathSource> paths_among(const Model& measured, const Model& all,
                                        const PathSource& paths) {
  return std::make_unique<AmongPaths>(measured, all, paths);
}

}  // namespace fatwood
