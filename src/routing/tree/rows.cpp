// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/rows.hpp"

#include <algorithm>
#include <memory>

#include "core/invariant.hpp"
#include "core/parallel.hpp"
#include "routing/tree/bytes.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostClasses = 32;  // of roots, laid for one default row

// Two numbers stirred into one.
std::size_t mixed(std::size_t a, std::size_t b) {
  std::size_t x = a * 0x9e3779b97f4a7c15U + b * 0xd6e8feb86659fd93U;
  x = (x ^ x >> 32U) * 0xd6e8feb86659fd93U;
  return x ^ x >> 32U;
}

// Ports of each of Descents::rows, and the rows whose roots have the same hops.
struct RootPorts {
  std::vector<Port> ports;  // [row][switch]
  Table<RootClass, std::vector<RowVariant>> of_class;
};

// Switches that have a choice of ports towards some root.
std::vector<Switch> switches_with_choices(const UpDownOrder& up_down) {
  Table<Switch, std::uint8_t> has_choice(up_down.size());
  for (const Switch root : up_down.roots()) {
    for (const Below& entry : up_down.below(root)) has_choice[entry.at] = 1;
  }
  std::vector<Switch> switches;
  for (const Switch s : ids<Switch>(up_down.size())) {
    if (has_choice[s] != 0) switches.push_back(s);
  }
  return switches;
}

// If a switch has a choice, rows in order of their first use take its least loaded port; load is
// the number of destinations that use the rows.
std::vector<Port> choose_ports(const UpDownOrder& up_down, const Descents& descents) {
  const std::size_t n = up_down.size();
  std::vector<Port> ports(descents.rows.size() * n);
  const std::vector<Switch> choosers = switches_with_choices(up_down);
  Table<Switch, std::uint32_t> number(n);
  for (std::uint32_t i = 0; i < choosers.size(); ++i) number[choosers[i]] = i;
  std::vector<std::uint32_t> load(choosers.size() * kPorts);
  for (const RowVariant row : ids<RowVariant>(descents.rows.size())) {
    const RootRow& from = descents.rows[row];
    const Port* const only = up_down.only_ports(from.root);
    Port* const to = ports.data() + index(row) * n;
    std::copy_n(only, n, to);
    if (load.empty()) continue;
    for (std::size_t i = 0; i < choosers.size(); ++i) {
      const Port port = only[index(choosers[i])];
      if (port != kNoRoute) load[i * kPorts + index(port)] += from.uses;
    }
    for (const Below& entry : up_down.below(up_down.roots()[from.root])) {
      std::uint32_t* use = load.data() + number[entry.at] * kPorts;
      const Port port = *std::ranges::min_element(up_down.choices(entry), {},
                                                  [&](Port choice) { return use[index(choice)]; });
      use[index(port)] += from.uses;
      to[index(entry.at)] = port;
    }
  }
  return ports;
}

RootPorts root_ports(const UpDownOrder& up_down, const Descents& descents) {
  RootPorts result{choose_ports(up_down, descents),
                   Table<RootClass, std::vector<RowVariant>>(up_down.num_classes())};
  for (const RowVariant row : ids<RowVariant>(descents.rows.size())) {
    result.of_class[up_down.class_of(descents.rows[row].root)].push_back(row);
  }
  return result;
}

class RowWriter {
 public:
  RowWriter(const UpDownOrder& up_down, const Descents& descents, const RootPorts& ports,
            const RestRows& rest)
      : up_down_(up_down),
        descents_(descents),
        ports_(ports),
        rest_(rest),
        view_(up_down),
        base_(up_down.size()),
        spared_(up_down.size()),
        nobody_(up_down.size(), kNotBelow) {}

  // `only`: the destination if there is just one at this switch, or kNone. `turn`: the row of
  // RestRows that its first destination uses.
  void look(Switch destination, Destination only, std::size_t turn) {
    const bool several = only == kNone<Destination>;
    view_.look(destination);
    turn_ = turn;
    std::copy_n(rest_row(turn), up_down_.size(), base_.begin());
    without_route_.clear();
    if (several && rest_.count > 1) {
      each_with(view_.hops, kNotBelow, [&](Switch s) { without_route_.push_back(s); });
    }
    for (const Switch s : view_.above()) base_[s] = view_.down_port[s];
    shared_.clear();
    if (several) {
      find_shared();
      lay_classes();
    } else {
      find_spared(only);
    }
    each_with(spared_, 0, [&](Switch s) { base_[s] = any_up_port(s); });
  }

  // `number`: of the destination among those at this switch.
  void write(Destination destination, Port own, std::size_t number, std::span<Port> row) {
    const std::span<const Cover> covers = descents_.covers(destination);
    const std::span<const DownStep> steps = descents_.steps(destination);
    const Port* from = base_.data();
    const Port* main = nullptr;
    for (std::size_t i = covers.size(); i-- > 0;) {
      if (!up_down_.is_root(covers[i].top)) continue;
      main = row_ports(covers[i].row);
      lay_over({up_down_.hops_to(up_down_.root(covers[i].top)), view_.up_hops.data(), main,
                view_.down_hops[covers[i].top]},
               from, row.data(), up_down_.size());
      from = row.data();
    }
    if (from == base_.data()) std::copy(base_.begin(), base_.end(), row.begin());
    for (std::size_t i = covers.size(); i-- > 0;) {
      if (!up_down_.is_root(covers[i].top)) lay_list(covers[i], main, row);
    }
    for (const DownStep& step : steps) row[index(step.at)] = step.port;
    for (SharedTrunk& trunk : shared_) share(trunk, steps, row);
    row[index(view_.destination())] = own;
    const Port* const rest = rest_row(turn_ + number);
    for (const Switch s : without_route_) row[index(s)] = rest[index(s)];
  }

 private:
  const Port* row_ports(RowVariant row) const {
    return ports_.ports.data() + std::size_t{index(row)} * up_down_.size();
  }

  const Port* rest_row(std::size_t turn) const {
    return rest_.ports.data() + turn % rest_.count * up_down_.size();
  }

  // Calls visit(switch) for each of this value.
  template <class Visit>
  static void each_with(const Table<Switch, std::uint8_t>& bytes, std::uint8_t value,
                        const Visit& visit) {
    const auto end = bytes.end();
    for (auto at = std::find(bytes.begin(), end, value); at != end;
         at = std::find(at + 1, end, value)) {
      visit(static_cast<Switch>(at - bytes.begin()));
    }
  }

  // A default path down by parallel cables. Destinations whose descent is elsewhere share the
  // cables with those that have theirs here.
  struct SharedTrunk {
    Switch at;
    std::span<const Port> ports;
    std::vector<std::uint32_t> use;  // by number of the port
  };
  void find_shared() {
    for (const Switch s : view_.above()) {
      if (s == view_.destination()) continue;
      const auto ports = up_down_.graph().ports(view_.down_trunk[s]);
      if (ports.size() > 1) {
        shared_.push_back({s, ports, std::vector<std::uint32_t>(ports.size())});
      }
    }
  }
  static void share(SharedTrunk& trunk, std::span<const DownStep> steps, std::span<Port> row) {
    const auto planned = std::find_if(steps.begin(), steps.end(),
                                      [&](const DownStep& step) { return step.at == trunk.at; });
    auto used = std::min_element(trunk.use.begin(), trunk.use.end());
    if (planned != steps.end()) {
      const auto port = std::find(trunk.ports.begin(), trunk.ports.end(), planned->port);
      if (port == trunk.ports.end()) return;  // down by another switch
      used = trunk.use.begin() + (port - trunk.ports.begin());
    }
    ++*used;
    row[index(trunk.at)] = trunk.ports[static_cast<std::size_t>(used - trunk.use.begin())];
  }

  // Switches whose default is not used: those that do not go up, or that the root of the only
  // destination covers.
  void find_spared(Destination only) {
    const std::uint8_t* hops = nobody_.data();
    std::uint8_t depth = 0;
    for (const Cover& cover : descents_.covers(only)) {
      if (!up_down_.is_root(cover.top)) continue;
      hops = up_down_.hops_to(up_down_.root(cover.top));
      depth = view_.down_hops[cover.top];
    }
    mark_met(hops, depth, view_.up_hops.data(), spared_.data(), up_down_.size());
  }

  // The default of most switches: a root of each class, in turn by destination. Classes come in any
  // order, so that none always overrides the others. `spared_`: switches that have a default by
  // then, or need none.
  void lay_classes() {
    const std::size_t n = up_down_.size();
    const std::uint8_t* const least = view_.up_hops.data();
    mark_met(nobody_.data(), 0, least, spared_.data(), n);
    std::vector<TreeView::ClassAbove>& classes = shuffled_;
    classes = view_.classes();
    for (std::size_t i = 0; i < std::min(classes.size(), kMostClasses); ++i) {
      std::swap(classes[i], classes[i + mixed(turn_, i) % (classes.size() - i)]);
      const auto [roots, depth] = classes[i];
      const std::vector<RowVariant>& rows = ports_.of_class[roots];
      if (rows.empty()) continue;
      const std::uint8_t* const hops = up_down_.hops_to(roots);
      const RowVariant row = rows[(turn_ + index(roots)) % rows.size()];
      lay_over({hops, least, row_ports(row), depth}, base_.data(), base_.data(), n);
      add_met(hops, depth, least, spared_.data(), n);
    }
  }

  // A port of a shortest path up; destinations take turns.
  Port any_up_port(Switch s) const {
    const PortGraph& graph = up_down_.graph();
    const int wanted = view_.up_hops[s] - 1;
    const IdRange<Trunk> up = graph.up(s);
    const std::uint32_t mixed =
        (index(view_.destination()) * 0x9e3779b1U) ^ (index(s) * 0x85ebca6bU);
    auto i = static_cast<std::uint32_t>(std::uint64_t{mixed} * up.size() >> 32);
    for (std::uint32_t tried = 0; tried < up.size(); ++tried) {
      if (view_.hops[graph.neighbour(up[i])] == wanted) return graph.ports(up[i])[0];
      i = i + 1 == up.size() ? 0 : i + 1;
    }
    broken_invariant("a switch has a route up, but no cable for its first hop",
                     std::source_location::current());
  }

  // For a cover that is not a root. If the port towards the destination's main root also leads to
  // the cover, it is used, as d-mod-k does.
  void lay_list(const Cover& cover, const Port* main, std::span<Port> row) const {
    const std::uint8_t depth = view_.down_hops[cover.top];
    for (const Below& entry : up_down_.below(cover.top)) {
      const std::uint8_t hops = view_.up_hops[entry.at];
      if (entry.hops + depth != hops) continue;
      Port port = main == nullptr ? kNoRoute : main[index(entry.at)];
      if (port == kNoRoute || view_.hops[up_down_.next(entry.at, port)] + 1 != hops) {
        port = up_down_.choices(entry)[cover.taken % entry.choices];
      }
      row[index(entry.at)] = port;
    }
  }

  const UpDownOrder& up_down_;
  const Descents& descents_;
  const RootPorts& ports_;
  const RestRows& rest_;
  TreeView view_;
  std::size_t turn_ = 0;
  std::vector<Switch> without_route_;  // where several destinations are, and rest rows
  std::vector<TreeView::ClassAbove> shuffled_;
  std::vector<SharedTrunk> shared_;     // where several destinations are
  Table<Switch, Port> base_;            // the default row of the destination switch
  Table<Switch, std::uint8_t> spared_;  // its default is set, or does not matter
  Table<Switch, std::uint8_t> nobody_;  // a row of hops from which no switch is below
};

// Numbers the switches so that those of one level and column are consecutive: destinations that
// take turns by these numbers use each column evenly.
Table<Switch, std::uint32_t> turns(const UpDownOrder& up_down) {
  std::vector<Switch> order(up_down.ascending());
  const auto column = [&](Switch s) {
    return up_down.is_root(s) ? index(up_down.class_of(up_down.root(s))) : index(up_down.column(s));
  };
  std::stable_sort(order.begin(), order.end(), [&](Switch a, Switch b) {
    return up_down.level(a) != up_down.level(b) ? up_down.level(a) < up_down.level(b)
                                                : column(a) < column(b);
  });
  Table<Switch, std::uint32_t> turn(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) turn[order[i]] = i;
  return turn;
}

}  // namespace

TreeRouting prepare_tree(const Model& model, const Levels& levels, const RouteOptions& options,
                         Chains chains) {
  const Fabric& fabric = model.fabric();
  TreeRouting tree;
  tree.up_down = UpDownOrder(model.port_graph(), levels);
  tree.tables =
      ForwardingTables::unfilled(fabric.num_terminals(), fabric.num_switches(), options.lmc);
  tree.threads =
      threads_to_fill(tree.tables.num_destinations() * fabric.num_switches(), options.threads);
  tree.descents = find_descents(model, tree.up_down, tree.tables, options, chains);
  return tree;
}

void write_tree_tables(const Fabric& fabric, const RestRows& rest, const FinishRow& finish,
                       TreeRouting& tree) {
  auto& [up_down, descents, tables, threads] = tree;
  const Table<Switch, std::uint32_t> turn = turns(up_down);
  const RootPorts ports = root_ports(up_down, descents);
  const Table<Switch, std::uint32_t> on = terminals_on(fabric);
  Table<Switch, std::vector<Terminal>> hanging(fabric.num_switches());
  for (const Switch s : ids<Switch>(fabric.num_switches())) hanging[s].reserve(on[s]);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) hanging[fabric.leaf(t)].push_back(t);
  }
  std::vector<std::unique_ptr<RowWriter>> writers(static_cast<std::size_t>(thread_count(threads)));
  parallel_for(
      up_down.size(), threads,
      [&](std::size_t item, int thread) {
        const auto s = static_cast<Switch>(item);
        auto& writer = writers[static_cast<std::size_t>(thread)];
        if (!writer) writer = std::make_unique<RowWriter>(up_down, descents, ports, rest);
        const Destination own = tables.destination(s);
        writer->look(s, hanging[s].empty() ? own : kNone<Destination>, turn[s]);
        std::size_t number = 0;
        const auto write = [&](Destination destination) {
          const auto row = tables.row(destination);
          writer->write(destination, own_port(fabric, tables, destination), number++, row);
          if (finish) finish(s, row);
        };
        for (const Terminal t : hanging[s]) {
          for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
            write(tables.destination(t, offset));
          }
        }
        write(own);
      },
      8);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) continue;
    for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
      std::ranges::fill(tables.row(tables.destination(t, offset)), kNoRoute);
    }
  }
}

}  // namespace fatwood
