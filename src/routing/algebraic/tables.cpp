// SPDX-License-Identifier: BSD-3-Clause
#include "routing/algebraic/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "routing/engine.hpp"
#include "topology/recognise/tree_map.hpp"

namespace fatwood {

namespace {

constexpr unsigned kMostAddresses = 128;

// An entry of one destination's tables that a path needs.
struct Entry {
  std::uint32_t at;  // switch
  Port port;
};

// The entries of path t of (s, d): one for each switch on it.
std::vector<Entry> entries_of(const Fabric& fabric, const CompleteTree& tree,
                              const PathSpace& space, std::uint32_t s, std::uint32_t d,
                              PathIndex t) {
  std::vector<Entry> entries;
  for (const Channel canonical : space.channels(s, d, t)) {
    const Channel c = tree.channel_at(canonical);
    const Node node = fabric.owner(c);
    if (!fabric.is_switch(node)) continue;
    entries.push_back({index(fabric.as_switch(node)), fabric.port(c)});
  }
  return entries;
}

// The tables of one destination: a row for each address, filled path by path.
class Rows {
 public:
  explicit Rows(std::size_t switches) : switches_(switches) {}

  unsigned addresses() const { return static_cast<unsigned>(ports_.size() / switches_); }
  Port* row(unsigned address) { return ports_.data() + address * switches_; }

  // The first address where the path fits; nullopt if there would be too many.
  std::optional<std::uint8_t> lay(const std::vector<Entry>& path) {
    unsigned address = 0;
    while (address < addresses() && !fits(address, path)) ++address;
    if (address == addresses()) {
      if (address == kMostAddresses) return std::nullopt;
      ports_.resize(ports_.size() + switches_, kNoRoute);
    }
    for (const Entry& entry : path) row(address)[entry.at] = entry.port;
    return static_cast<std::uint8_t>(address);
  }

 private:
  bool fits(unsigned address, const std::vector<Entry>& path) {
    const Port* ports = row(address);
    return std::all_of(path.begin(), path.end(), [&](const Entry& entry) {
      return ports[entry.at] == kNoRoute || ports[entry.at] == entry.port;
    });
  }

  std::size_t switches_;
  std::vector<Port> ports_;  // [address][switch]
};

// Offsets by destination and group of sources, [d][group][path], by places in the tree. A group is
// one source, or all sources of a leaf if paths depend on the destination alone.
struct Offsets {
  Offsets(std::shared_ptr<const AlgebraicRouting> of_routing, CompleteTree on_tree)
      : routing(std::move(of_routing)),
        tree(std::move(on_tree)),
        group(routing->depends_on() == DependsOn::kDestination ? routing->space().M(1) : 1),
        width(routing->num_paths(routing->space().height())),
        of(std::size_t{routing->space().nodes()} * (routing->space().nodes() / group) * width) {}

  std::shared_ptr<const AlgebraicRouting> routing;
  CompleteTree tree;
  std::uint32_t group;
  std::size_t width;
  std::vector<std::uint8_t> of;

  std::size_t at(std::uint32_t s, std::uint32_t d) const {
    return (std::size_t{d} * (routing->space().nodes() / group) + s / group) * width;
  }
  std::vector<std::uint8_t> chosen(Terminal s, Terminal d) const {
    const std::uint32_t from = tree.place(s);
    const std::uint32_t to = tree.place(d);
    if (from == kNoPlace || to == kNoPlace) return {0};  // a part of a switch: no host
    const std::uint8_t* first = of.data() + at(from, to);
    return {first, first + routing->num_paths(routing->space().common_level(from, to))};
  }
};

Rows lay_destination(const Fabric& fabric, std::uint32_t d, Offsets& offsets) {
  const AlgebraicRouting& routing = *offsets.routing;
  const PathSpace& space = routing.space();
  Rows rows(fabric.num_switches());
  for (std::uint32_t s = 0; s < space.nodes(); ++s) {
    if (s == d ||
        (offsets.group > 1 && s % offsets.group != 0 && s / offsets.group != d / offsets.group)) {
      continue;  // another source of the leaf has the same paths
    }
    std::uint8_t* offset = offsets.of.data() + offsets.at(s, d);
    for (const PathIndex t : routing.paths(s, d)) {
      const std::optional<std::uint8_t> address =
          rows.lay(entries_of(fabric, offsets.tree, space, s, d, t));
      if (!address) {
        throw InputError(fmt::format(
            "{} on {}: terminal {} would need more than {} addresses (LMC 7) to be reached over "
            "the {} paths of a pair as asked",
            routing.name(), space.shape().to_string(), d, kMostAddresses, space.U(space.height())));
      }
      *offset++ = *address;
    }
  }
  return rows;
}

}  // namespace

AlgebraicTables make_tables(const Model& model,
                            const std::shared_ptr<const AlgebraicRouting>& routing, int threads) {
  const Fabric& fabric = model.fabric();
  const PathSpace& space = routing->space();
  const std::optional<CompleteTree>& tree = model.complete_tree();
  if (!tree || !(tree->shape == space.shape())) {
    throw InputError(fmt::format("{} was made for {}: tables need that very tree", routing->name(),
                                 space.shape().to_string()));
  }
  if (space.u(1) != 1) {
    throw InputError(fmt::format("{}: tables need hosts with one port", routing->name()));
  }
  auto offsets = std::make_shared<Offsets>(routing, *tree);
  const std::size_t N = space.nodes();
  std::vector<Rows> rows(N, Rows(fabric.num_switches()));
  parallel_for(N, threads, [&](std::size_t d, int) {
    rows[d] = lay_destination(fabric, static_cast<std::uint32_t>(d), *offsets);
  });

  AlgebraicTables result;
  for (const Rows& of_d : rows) result.addresses = std::max(result.addresses, of_d.addresses());
  const auto lmc = static_cast<unsigned>(std::bit_width(result.addresses - 1));
  const Routing plain = route(find_engine("dmodk"), model, {.threads = threads});
  result.routing.engine = routing->name();
  result.routing.tables = ForwardingTables(fabric.num_terminals(), fabric.num_switches(), lmc);
  ForwardingTables& tables = result.routing.tables;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const std::uint32_t d = tree->place(t);
    const unsigned addresses = d == kNoPlace ? 0 : rows[d].addresses();
    const auto unused = plain.tables.row(plain.tables.destination(t));
    for (unsigned address = 0; address < 1U << lmc; ++address) {
      const std::span<Port> row = tables.row(tables.destination(t, address));
      for (std::size_t at = 0; at < row.size(); ++at) {
        const Port port = address < addresses ? rows[d].row(address)[at] : kNoRoute;
        row[at] = port == kNoRoute ? unused[at] : port;
      }
    }
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const auto from = plain.tables.row(plain.tables.destination(s));
    std::copy(from.begin(), from.end(), tables.row(tables.destination(s)).begin());
  }
  result.choice.units_in_one = routing->units_in_one();
  result.choice.offsets = [offsets](Terminal s, Terminal d) { return offsets->chosen(s, d); };
  return result;
}

}  // namespace fatwood
