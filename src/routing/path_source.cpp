#include "routing/path_source.hpp"

#include <utility>

namespace fatwood {

namespace {

class ObliviousPaths : public PathSource {
 public:
  explicit ObliviousPaths(std::shared_ptr<const ObliviousRouting> routing)
      : routing_(std::move(routing)) {}
  std::size_t num_terminals() const override { return routing_->space().nodes(); }
  PathList paths(Terminal s, Terminal d) const override {
    PathList list;
    for (const PathIndex t : routing_->paths(index(s), index(d))) {
      list.append(routing_->space().channels(index(s), index(d), t));
      list.end_path();
    }
    return list;
  }
  std::uint32_t units_in_one() const override { return routing_->units_in_one(); }
  const ObliviousRouting* oblivious() const override { return routing_.get(); }

 private:
  std::shared_ptr<const ObliviousRouting> routing_;
};

class PlacedPaths : public PathSource {
 public:
  PlacedPaths(std::shared_ptr<const ObliviousRouting> routing, WholeTree tree)
      : routing_(std::move(routing)), tree_(std::move(tree)) {}
  std::size_t num_terminals() const override { return routing_->space().nodes(); }
  PathList paths(Terminal s, Terminal d) const override {
    PathList list;
    const std::uint32_t from = tree_.place(s);
    const std::uint32_t to = tree_.place(d);
    for (const PathIndex t : routing_->paths(from, to)) {
      for (const Channel c : routing_->space().channels(from, to, t)) {
        list.push_back(tree_.channel_at(c));
      }
      list.end_path();
    }
    return list;
  }
  std::uint32_t units_in_one() const override { return routing_->units_in_one(); }

 private:
  std::shared_ptr<const ObliviousRouting> routing_;
  WholeTree tree_;
};

class TablePaths : public PathSource {
 public:
  TablePaths(const Fabric& fabric, Routing routing, AddressChoice choice)
      : fabric_(fabric), routing_(std::move(routing)), choice_(std::move(choice)) {}
  std::size_t num_terminals() const override { return fabric_.num_terminals(); }
  PathList paths(Terminal s, Terminal d) const override {
    PathList list;
    if (!routing_.source_routes.empty()) {
      by_source_route(s, d, list);
      return list;
    }
    std::vector<std::uint8_t> offsets;
    if (choice_.offsets) {
      offsets = choice_.offsets(s, d);
    } else {
      for (unsigned o = 0; o < 1U << routing_.tables.lmc(); ++o) {
        offsets.push_back(static_cast<std::uint8_t>(o));
      }
    }
    for (const std::uint8_t offset : offsets) {
      if (!walk(s, d, offset, list)) return {};
    }
    return list;
  }
  std::uint32_t units_in_one() const override {
    if (!routing_.source_routes.empty()) return 1;
    return choice_.offsets ? choice_.units_in_one : 1U << routing_.tables.lmc();
  }
  const ForwardingTables* tables() const override {
    return routing_.source_routes.empty() && !choice_.offsets ? &routing_.tables : nullptr;
  }

 private:
  // False when the tables end, loop or lead elsewhere.
  bool walk(Terminal s, Terminal d, std::uint8_t offset, PathList& list) const {
    const std::span<const std::uint8_t> row =
        routing_.tables.row(routing_.tables.target(d, offset));
    const Channel last = fabric_.peer(fabric_.terminal_channel(d));
    Channel c = fabric_.terminal_channel(s);
    for (std::size_t hops = 0; hops <= fabric_.num_switches(); ++hops) {
      list.push_back(c);
      if (c == last || fabric_.peer(c) == fabric_.terminal_channel(d)) {
        list.end_path();
        return true;
      }
      const Node next = fabric_.neighbour(c);
      if (!fabric_.is_switch(next)) return false;
      const std::uint8_t port = row[index(fabric_.as_switch(next))];
      if (port == kNoRoute || port == 0 || port > fabric_.ports(next)) return false;
      c = fabric_.channel(next, port);
      if (!fabric_.connected(c)) return false;
    }
    return false;
  }

  void by_source_route(Terminal s, Terminal d, PathList& list) const {
    const Switch from = fabric_.leaf(s);
    const Switch to = fabric_.leaf(d);
    if (from == kNone<Switch> || to == kNone<Switch>) return;
    const std::span<const Channel> route = routing_.source_routes.at(from, to);
    if (route.empty() && from != to) return;
    list.push_back(fabric_.terminal_channel(s));
    list.append(route);
    list.push_back(fabric_.peer(fabric_.terminal_channel(d)));
    list.end_path();
  }

  const Fabric& fabric_;
  Routing routing_;
  AddressChoice choice_;
};

}  // namespace

std::unique_ptr<PathSource> path_source(std::shared_ptr<const ObliviousRouting> routing,
                                        WholeTree tree) {
  if (tree.generated()) return path_source(std::move(routing));
  return std::make_unique<PlacedPaths>(std::move(routing), std::move(tree));
}

std::unique_ptr<PathSource> path_source(std::shared_ptr<const ObliviousRouting> routing) {
  return std::make_unique<ObliviousPaths>(std::move(routing));
}

std::unique_ptr<PathSource> path_source(const Fabric& fabric, Routing routing,
                                        AddressChoice choice) {
  return std::make_unique<TablePaths>(fabric, std::move(routing), std::move(choice));
}

}  // namespace fatwood
