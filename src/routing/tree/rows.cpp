// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/rows.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "core/invariant.hpp"
#include "core/parallel.hpp"
#include "routing/tree/bytes.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostClasses = 32;  // of peaks, laid for one default row

// Two numbers stirred into one.
std::size_t mixed(std::size_t a, std::size_t b) {
  std::size_t x = a * 0x9e3779b97f4a7c15U + b * 0xd6e8feb86659fd93U;
  x = (x ^ x >> 32U) * 0xd6e8feb86659fd93U;
  return x ^ x >> 32U;
}

// Ports of each of the plan's rows, and the rows whose peaks have the same hops.
struct PeakPorts {
  std::vector<Port> ports;                         // [row][switch]
  Table<PeakClass, std::uint32_t> first_of_class;  // and the end
  std::vector<PlanRow> of_class;

  std::span<const PlanRow> rows_of(PeakClass peaks) const {
    const auto after = static_cast<PeakClass>(index(peaks) + 1);
    return {of_class.data() + first_of_class[peaks], of_class.data() + first_of_class[after]};
  }
};

// Switches that have a choice of ports towards some root.
std::vector<Switch> switches_with_choices(const TreeClimb& climb) {
  Table<Switch, std::uint8_t> has_choice(climb.size());
  for (const Switch peak : climb.peaks()) {
    for (const Below& entry : climb.below(peak)) has_choice[entry.at] = 1;
  }
  std::vector<Switch> switches;
  for (const Switch s : ids<Switch>(climb.size())) {
    if (has_choice[s] != 0) switches.push_back(s);
  }
  return switches;
}

// If a switch has a choice, rows in order of their first use take its least loaded port, weighed by
// the targets that use them.
std::vector<Port> choose_ports(const TreeClimb& climb, const TreePlan& plan) {
  const std::size_t n = climb.size();
  std::vector<Port> ports(plan.rows.size() * n);
  const std::vector<Switch> choosers = switches_with_choices(climb);
  Table<Switch, std::uint32_t> number(n);
  for (std::uint32_t i = 0; i < choosers.size(); ++i) number[choosers[i]] = i;
  std::vector<std::uint32_t> load(choosers.size() * kPorts);
  for (const PlanRow row : ids<PlanRow>(plan.rows.size())) {
    const PeakRow& from = plan.rows[row];
    const Port* const only = climb.only_ports(from.peak);
    Port* const to = ports.data() + index(row) * n;
    std::copy_n(only, n, to);
    if (load.empty()) continue;
    for (std::size_t i = 0; i < choosers.size(); ++i) {
      const Port port = only[index(choosers[i])];
      if (port != kNoRoute) load[i * kPorts + index(port)] += from.uses;
    }
    for (const Below& entry : climb.below(climb.peaks()[from.peak])) {
      std::uint32_t* use = load.data() + number[entry.at] * kPorts;
      const Port port = *std::ranges::min_element(climb.choices(entry), {},
                                                  [&](Port choice) { return use[index(choice)]; });
      use[index(port)] += from.uses;
      to[index(entry.at)] = port;
    }
  }
  return ports;
}

PeakPorts peak_ports(const TreeClimb& climb, const TreePlan& plan) {
  PeakPorts result;
  result.ports = choose_ports(climb, plan);
  Table<PeakClass, std::uint32_t> next(climb.num_classes() + 1);
  for (const PeakRow& row : plan.rows) ++next[climb.class_of(row.peak)];
  std::exclusive_scan(next.begin(), next.end(), next.begin(), 0U);
  result.first_of_class = next;
  result.of_class.resize(plan.rows.size());
  for (const PlanRow row : ids<PlanRow>(plan.rows.size())) {
    result.of_class[next[climb.class_of(plan.rows[row].peak)]++] = row;
  }
  return result;
}

class RowWriter {
 public:
  RowWriter(const TreeClimb& climb, const TreePlan& plan, const PeakPorts& ports,
            const RestRows& rest)
      : climb_(climb),
        plan_(plan),
        ports_(ports),
        rest_(rest),
        view_(climb),
        base_(climb.size()),
        spared_(climb.size()),
        nobody_(climb.size(), kNotBelow) {}

  // `only`: the one target there is at this switch, or kNone when there are several. `turn`: the
  // rest row that its first target takes.
  void look(Switch destination, Target only, std::size_t turn) {
    const bool several = only == kNone<Target>;
    view_.look(destination);
    turn_ = turn;
    std::copy_n(rest_row(turn), climb_.size(), base_.begin());
    without_route_.clear();
    if (several && rest_.count > 1) find_without_route();
    for (const Switch s : view_.above()) base_[s] = view_.down_port[s];
    bundles_.clear();
    if (several) {
      find_bundles();
      lay_classes();
    } else {
      find_spared(only);
    }
    each_with(spared_, 0, [&](Switch s) { base_[s] = any_climb(s); });
  }

  // `number`: of the target among those at this switch.
  void write(Target target, Port own, std::size_t number, std::span<Port> row) {
    const std::span<const Cover> covers = plan_.covers(target);
    const std::span<const Step> steps = plan_.steps(target);
    const Port* from = base_.data();
    const Port* main = nullptr;
    for (std::size_t i = covers.size(); i-- > 0;) {
      if (!climb_.is_peak(covers[i].top)) continue;
      main = row_ports(covers[i].row);
      lay_over({climb_.hops_to(climb_.peak(covers[i].top)), view_.climbing.data(), main,
                view_.descent[covers[i].top]},
               from, row.data(), climb_.size());
      from = row.data();
    }
    if (from == base_.data()) std::copy(base_.begin(), base_.end(), row.begin());
    for (std::size_t i = covers.size(); i-- > 0;) {
      if (!climb_.is_peak(covers[i].top)) lay_list(covers[i], main, row);
    }
    for (const Step& step : steps) row[index(step.at)] = step.port;
    for (Bundle& bundle : bundles_) share(bundle, steps, row);
    row[index(view_.destination())] = own;
    const Port* const rest = rest_row(turn_ + number);
    for (const Switch s : without_route_) row[index(s)] = rest[index(s)];
  }

  const TreeView& view() const { return view_; }

 private:
  const Port* row_ports(PlanRow row) const {
    return ports_.ports.data() + std::size_t{index(row)} * climb_.size();
  }

  const Port* rest_row(std::size_t turn) const {
    return rest_.ports.data() + turn % rest_.count * climb_.size();
  }

  void find_without_route() {
    each_with(view_.hops, kNotBelow, [&](Switch s) { without_route_.push_back(s); });
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

  // A default path down by parallel cables. Targets that do not come down there by plan share them
  // with those that do.
  struct Bundle {
    Switch at;
    std::span<const Port> ports;
    std::vector<std::uint32_t> use;  // by number of the port
  };
  void find_bundles() {
    for (const Switch s : view_.above()) {
      if (s == view_.destination()) continue;
      const auto ports = climb_.graph().ports(view_.down_group[s]);
      if (ports.size() > 1) {
        bundles_.push_back({s, ports, std::vector<std::uint32_t>(ports.size())});
      }
    }
  }
  static void share(Bundle& bundle, std::span<const Step> steps, std::span<Port> row) {
    const auto planned = std::find_if(steps.begin(), steps.end(),
                                      [&](const Step& step) { return step.at == bundle.at; });
    auto used = std::min_element(bundle.use.begin(), bundle.use.end());
    if (planned != steps.end()) {
      const auto port = std::find(bundle.ports.begin(), bundle.ports.end(), planned->port);
      if (port == bundle.ports.end()) return;  // down by another switch
      used = bundle.use.begin() + (port - bundle.ports.begin());
    }
    ++*used;
    row[index(bundle.at)] = bundle.ports[static_cast<std::size_t>(used - bundle.use.begin())];
  }

  // Switches whose default is not used: those that do not go up, or that the root of the only
  // target covers.
  void find_spared(Target only) {
    const std::uint8_t* hops = nobody_.data();
    std::uint8_t depth = 0;
    for (const Cover& cover : plan_.covers(only)) {
      if (!climb_.is_peak(cover.top)) continue;
      hops = climb_.hops_to(climb_.peak(cover.top));
      depth = view_.descent[cover.top];
    }
    mark_met(hops, depth, view_.climbing.data(), spared_.data(), climb_.size());
  }

  // The default of most switches: a peak of each class, destinations taking turns; classes in any
  // order, so that none is always the last word. `spared_` are those that now have a default, or
  // need none.
  void lay_classes() {
    const std::size_t n = climb_.size();
    const std::uint8_t* const least = view_.climbing.data();
    mark_met(nobody_.data(), 0, least, spared_.data(), n);
    std::vector<TreeView::ClassAbove>& classes = shuffled_;
    classes = view_.classes();
    for (std::size_t i = 0; i < std::min(classes.size(), kMostClasses); ++i) {
      std::swap(classes[i], classes[i + mixed(turn_, i) % (classes.size() - i)]);
      const auto [peaks, depth] = classes[i];
      const std::span<const PlanRow> rows = ports_.rows_of(peaks);
      if (rows.empty()) continue;
      const std::uint8_t* const hops = climb_.hops_to(peaks);
      const PlanRow row = rows[(turn_ + index(peaks)) % rows.size()];
      lay_over({hops, least, row_ports(row), depth}, base_.data(), base_.data(), n);
      add_met(hops, depth, least, spared_.data(), n);
    }
  }

  // A port of a shortest path up; destinations take turns.
  Port any_climb(Switch s) const {
    const TreeGraph& graph = climb_.graph();
    const int wanted = view_.climbing[s] - 1;
    const IdRange<Group> up = graph.up(s);
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

  // Below a switch that is not a peak. The port towards the target's main peak is taken where it
  // leads the same way: what d-mod-k does.
  void lay_list(const Cover& cover, const Port* main, std::span<Port> row) const {
    const std::uint8_t depth = view_.descent[cover.top];
    for (const Below& entry : climb_.below(cover.top)) {
      const std::uint8_t hops = view_.climbing[entry.at];
      if (entry.hops + depth != hops) continue;
      Port port = main == nullptr ? kNoRoute : main[index(entry.at)];
      if (port == kNoRoute || view_.hops[climb_.next(entry.at, port)] + 1 != hops) {
        port = climb_.choices(entry)[cover.taken % entry.choices];
      }
      row[index(entry.at)] = port;
    }
  }

  const TreeClimb& climb_;
  const TreePlan& plan_;
  const PeakPorts& ports_;
  const RestRows& rest_;
  TreeView view_;
  std::size_t turn_ = 0;
  std::vector<Switch> without_route_;  // where several targets are, and rest rows
  std::vector<TreeView::ClassAbove> shuffled_;
  std::vector<Bundle> bundles_;         // where several targets are
  Table<Switch, Port> base_;            // the default row of the destination switch
  Table<Switch, std::uint8_t> spared_;  // its default is set, or does not matter
  Table<Switch, std::uint8_t> nobody_;  // a row of hops from which no switch is below
};

struct Hanging {
  Table<Switch, std::uint32_t> first;  // and the end
  std::vector<Terminal> terminals;

  std::span<const Terminal> on(Switch s) const {
    const auto after = static_cast<Switch>(index(s) + 1);
    return {terminals.data() + first[s], terminals.data() + first[after]};
  }
};

Hanging hanging_terminals(const Fabric& fabric) {
  Hanging hanging;
  Table<Switch, std::uint32_t> next(fabric.num_switches() + 1);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) ++next[fabric.leaf(t)];
  }
  std::exclusive_scan(next.begin(), next.end(), next.begin(), 0U);
  hanging.first = next;
  hanging.terminals.resize(fabric.num_terminals());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) hanging.terminals[next[fabric.leaf(t)]++] = t;
  }
  return hanging;
}

// Numbers the switches so that those of one level and column follow each other: targets that take
// turns by these numbers share each column evenly.
Table<Switch, std::uint32_t> turns(const TreeClimb& climb) {
  std::vector<Switch> order(climb.ascending());
  const auto column = [&](Switch s) {
    return climb.is_peak(s) ? index(climb.class_of(climb.peak(s))) : index(climb.column(s));
  };
  std::stable_sort(order.begin(), order.end(), [&](Switch a, Switch b) {
    return climb.level(a) != climb.level(b) ? climb.level(a) < climb.level(b)
                                            : column(a) < column(b);
  });
  Table<Switch, std::uint32_t> turn(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) turn[order[i]] = i;
  return turn;
}

}  // namespace

void write_tree_tables(const Fabric& fabric, const TreeClimb& climb, const TreePlan& plan,
                       const RestRows& rest, const FinishRow& finish, int threads,
                       ForwardingTables& tables) {
  const Table<Switch, std::uint32_t> turn = turns(climb);
  const PeakPorts ports = peak_ports(climb, plan);
  const Hanging hanging = hanging_terminals(fabric);
  std::vector<std::unique_ptr<RowWriter>> writers(static_cast<std::size_t>(thread_count(threads)));
  parallel_for(
      climb.size(), threads,
      [&](std::size_t item, int thread) {
        const auto s = static_cast<Switch>(item);
        auto& writer = writers[static_cast<std::size_t>(thread)];
        if (!writer) writer = std::make_unique<RowWriter>(climb, plan, ports, rest);
        const Target own = tables.target(s);
        writer->look(s, hanging.on(s).empty() ? own : kNone<Target>, turn[s]);
        std::size_t number = 0;
        const auto write = [&](Target target) {
          const auto row = tables.row(target);
          writer->write(target, own_port(fabric, tables, target), number++, row);
          if (finish) finish(writer->view(), row);
        };
        for (const Terminal t : hanging.on(s)) {
          for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
            write(tables.target(t, offset));
          }
        }
        write(own);
      },
      8);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) continue;
    for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
      std::ranges::fill(tables.row(tables.target(t, offset)), kNoRoute);
    }
  }
}

}  // namespace fatwood
