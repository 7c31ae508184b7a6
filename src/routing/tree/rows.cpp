// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/rows.hpp"

#include <algorithm>
#include <memory>

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
  std::vector<std::uint8_t> ports;            // [row][switch]
  std::vector<std::uint32_t> first_of_class;  // and the end
  std::vector<std::uint32_t> of_class;        // rows
};

// Who has a choice of ports towards some peak.
std::vector<std::uint32_t> switches_with_choices(const TreeClimb& climb) {
  std::vector<std::uint8_t> has_choice(climb.size());
  for (const std::uint32_t peak : climb.peaks) {
    for (const Below& entry : climb.below_of(peak)) has_choice[entry.at] = 1;
  }
  std::vector<std::uint32_t> switches;
  for (std::uint32_t s = 0; s < climb.size(); ++s) {
    if (has_choice[s] != 0) switches.push_back(s);
  }
  return switches;
}

// Where a switch has a choice, rows in order of their first use take its least loaded port, weighed
// by the targets that use them.
std::vector<std::uint8_t> choose_ports(const TreeClimb& climb, const TreePlan& plan) {
  const std::size_t n = climb.size();
  std::vector<std::uint8_t> ports(plan.rows.size() * n);
  const std::vector<std::uint32_t> choosers = switches_with_choices(climb);
  std::vector<std::uint32_t> number(n);
  for (std::uint32_t i = 0; i < choosers.size(); ++i) number[choosers[i]] = i;
  std::vector<std::uint32_t> load(choosers.size() * kPorts);
  for (std::size_t row = 0; row < plan.rows.size(); ++row) {
    const PeakRow& from = plan.rows[row];
    const std::uint8_t* only = climb.only_port.data() + from.peak * n;
    std::uint8_t* to = ports.data() + row * n;
    std::copy_n(only, n, to);
    if (load.empty()) continue;
    for (std::size_t i = 0; i < choosers.size(); ++i) {
      const std::uint8_t port = only[choosers[i]];
      if (port != kNoRoute) load[i * kPorts + port] += from.uses;
    }
    for (const Below& entry : climb.below_of(climb.peaks[from.peak])) {
      std::uint32_t* use = load.data() + number[entry.at] * kPorts;
      const std::uint8_t* first = climb.choice.data() + entry.first;
      const std::uint8_t port =
          *std::min_element(first, first + entry.choices,
                            [&](std::uint8_t a, std::uint8_t b) { return use[a] < use[b]; });
      use[port] += from.uses;
      to[entry.at] = port;
    }
  }
  return ports;
}

PeakPorts peak_ports(const TreeClimb& climb, const TreePlan& plan) {
  PeakPorts result;
  result.ports = choose_ports(climb, plan);
  result.first_of_class.assign(climb.hops.size() / climb.size() + 1, 0);
  for (const PeakRow& row : plan.rows) ++result.first_of_class[climb.hop_row[row.peak] + 1];
  for (std::size_t c = 1; c < result.first_of_class.size(); ++c) {
    result.first_of_class[c] += result.first_of_class[c - 1];
  }
  std::vector<std::uint32_t> next = result.first_of_class;
  result.of_class.resize(plan.rows.size());
  for (std::uint32_t row = 0; row < plan.rows.size(); ++row) {
    result.of_class[next[climb.hop_row[plan.rows[row].peak]]++] = row;
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

  // `only`: the one target there is at this switch, or null when there are several. `turn`: the
  // rest row that its first target takes.
  void look(std::uint32_t destination, const TargetPlan* only, std::size_t turn) {
    view_.look(destination);
    turn_ = turn;
    std::copy_n(rest_row(turn), climb_.size(), base_.begin());
    without_route_.clear();
    if (only == nullptr && rest_.count > 1) find_without_route();
    for (const std::uint32_t s : view_.above()) base_[s] = view_.down_port[s];
    bundles_.clear();
    if (only == nullptr) find_bundles();
    if (only == nullptr) {
      lay_classes();
    } else {
      find_spared(*only);
    }
    const auto end = spared_.begin() + static_cast<std::ptrdiff_t>(climb_.size());
    for (auto at = std::find(spared_.begin(), end, 0); at != end; at = std::find(at + 1, end, 0)) {
      const auto s = static_cast<std::uint32_t>(at - spared_.begin());
      base_[s] = any_climb(s);
    }
  }

  // `number`: of the target among those at this switch.
  void write(const TargetPlan& plan, std::uint8_t own_port, std::size_t number,
             std::span<std::uint8_t> row) {
    const std::span covers(plan_.cover.data() + plan.first_cover, plan.covers);
    const std::uint8_t* from = base_.data();
    const std::uint8_t* main = nullptr;
    for (std::size_t i = covers.size(); i-- > 0;) {
      if (climb_.peak[covers[i].top] == kNobody) continue;
      main = row_ports(covers[i].row);
      lay_over({climb_.hops_to(climb_.peak[covers[i].top]), view_.climbing.data(), main,
                view_.descent[covers[i].top]},
               from, row.data(), climb_.size());
      from = row.data();
    }
    if (from == base_.data()) std::copy(base_.begin(), base_.end(), row.begin());
    for (std::size_t i = covers.size(); i-- > 0;) {
      if (climb_.peak[covers[i].top] == kNobody) lay_list(covers[i], main, row);
    }
    for (const Step& step : steps_of(plan)) row[step.at] = step.port;
    for (Bundle& bundle : bundles_) share(bundle, steps_of(plan), row);
    row[view_.destination()] = own_port;
    const std::uint8_t* const rest = rest_row(turn_ + number);
    for (const std::uint32_t s : without_route_) row[s] = rest[s];
  }

  const TreeView& view() const { return view_; }

 private:
  const std::uint8_t* row_ports(std::uint32_t row) const {
    return ports_.ports.data() + std::size_t{row} * climb_.size();
  }

  const std::uint8_t* rest_row(std::size_t turn) const {
    return rest_.ports.data() + turn % rest_.count * climb_.size();
  }

  void find_without_route() {
    const auto begin = view_.hops.begin();
    const auto end = view_.hops.end();
    for (auto at = std::find(begin, end, kNotBelow); at != end;
         at = std::find(at + 1, end, kNotBelow)) {
      without_route_.push_back(static_cast<std::uint32_t>(at - begin));
    }
  }

  std::span<const Step> steps_of(const TargetPlan& plan) const {
    return {plan_.step.data() + plan.first_step, plan.steps};
  }

  // A default descent by parallel cables. Targets that do not come down there by plan share them
  // with those that do.
  struct Bundle {
    std::uint32_t at;
    std::span<const std::uint8_t> ports;
    std::vector<std::uint32_t> use;  // by number of the port
  };
  void find_bundles() {
    for (const std::uint32_t s : view_.above()) {
      if (s == view_.destination()) continue;
      const auto ports = climb_.graph.ports(view_.down_group[s]);
      if (ports.size() > 1) {
        bundles_.push_back({s, ports, std::vector<std::uint32_t>(ports.size())});
      }
    }
  }
  static void share(Bundle& bundle, std::span<const Step> steps, std::span<std::uint8_t> row) {
    const auto planned = std::find_if(steps.begin(), steps.end(),
                                      [&](const Step& step) { return step.at == bundle.at; });
    auto used = std::min_element(bundle.use.begin(), bundle.use.end());
    if (planned != steps.end()) {
      const auto port = std::find(bundle.ports.begin(), bundle.ports.end(), planned->port);
      if (port == bundle.ports.end()) return;  // down by another switch
      used = bundle.use.begin() + (port - bundle.ports.begin());
    }
    ++*used;
    row[bundle.at] = bundle.ports[static_cast<std::size_t>(used - bundle.use.begin())];
  }

  // Switches whose default nobody will see: that do not climb, or that the peak of the only target
  // covers.
  void find_spared(const TargetPlan& only) {
    const std::uint8_t* hops = nobody_.data();
    std::uint8_t depth = 0;
    for (std::uint32_t i = 0; i < only.covers; ++i) {
      const std::uint32_t top = plan_.cover[only.first_cover + i].top;
      if (climb_.peak[top] == kNobody) continue;
      hops = climb_.hops_to(climb_.peak[top]);
      depth = view_.descent[top];
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
    std::vector<TreeView::PeakClass>& classes = shuffled_;
    classes = view_.classes();
    for (std::size_t i = 0; i < std::min(classes.size(), kMostClasses); ++i) {
      std::swap(classes[i], classes[i + mixed(turn_, i) % (classes.size() - i)]);
      const auto [row, depth] = classes[i];
      const std::uint32_t first = ports_.first_of_class[row];
      const std::uint32_t count = ports_.first_of_class[row + 1] - first;
      if (count == 0) continue;
      const std::uint8_t* const hops = climb_.hops.data() + std::size_t{row} * n;
      lay_over({hops, least, row_ports(ports_.of_class[first + (turn_ + row) % count]), depth},
               base_.data(), base_.data(), n);
      add_met(hops, depth, least, spared_.data(), n);
    }
  }

  // A climb of the fewest hops; destinations take turns.
  std::uint8_t any_climb(std::uint32_t s) const {
    const PortGraph& graph = climb_.graph;
    const int wanted = view_.climbing[s] - 1;
    const std::uint32_t first = graph.first_up[s];
    const std::uint32_t count = graph.first[s + 1] - first;
    const std::uint32_t mixed = (view_.destination() * 0x9e3779b1U) ^ (s * 0x85ebca6bU);
    auto i = static_cast<std::uint32_t>(std::uint64_t{mixed} * count >> 32);
    while (view_.hops[graph.neighbour[first + i]] != wanted) i = i + 1 == count ? 0 : i + 1;
    return graph.port[graph.first_port[first + i]];
  }

  // Below a switch that is not a peak. The port towards the target's main peak is taken where it
  // leads the same way: what d-mod-k does.
  void lay_list(const Cover& cover, const std::uint8_t* main, std::span<std::uint8_t> row) const {
    const std::uint8_t depth = view_.descent[cover.top];
    for (const Below& entry : climb_.below_of(cover.top)) {
      const std::uint8_t hops = view_.climbing[entry.at];
      if (entry.hops + depth != hops) continue;
      std::uint8_t port = main == nullptr ? kNoRoute : main[entry.at];
      if (port == kNoRoute || view_.hops[climb_.next[entry.at * kPorts + port]] + 1 != hops) {
        port = climb_.choice[entry.first + cover.row % entry.choices];
      }
      row[entry.at] = port;
    }
  }

  const TreeClimb& climb_;
  const TreePlan& plan_;
  const PeakPorts& ports_;
  const RestRows& rest_;
  TreeView view_;
  std::size_t turn_ = 0;
  std::vector<std::uint32_t> without_route_;  // where several targets are, and rest rows
  std::vector<TreeView::PeakClass> shuffled_;
  std::vector<Bundle> bundles_;       // where several targets are
  std::vector<std::uint8_t> base_;    // the default row of the destination switch
  std::vector<std::uint8_t> spared_;  // by switch: its default is set, or does not matter
  std::vector<std::uint8_t> nobody_;  // a row of hops from which no switch is below
};

struct Hanging {
  std::vector<std::uint32_t> first;  // by switch, and the end
  std::vector<Terminal> terminals;
};

Hanging hanging_terminals(const Fabric& fabric) {
  Hanging hanging;
  hanging.first.assign(fabric.num_switches() + 1, 0);
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) ++hanging.first[index(fabric.leaf(t)) + 1];
  }
  for (std::size_t s = 0; s < fabric.num_switches(); ++s) {
    hanging.first[s + 1] += hanging.first[s];
  }
  std::vector<std::uint32_t> next(hanging.first.begin(), hanging.first.end() - 1);
  hanging.terminals.resize(hanging.first.back());
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (fabric.leaf(t) != kNone<Switch>) hanging.terminals[next[index(fabric.leaf(t))]++] = t;
  }
  return hanging;
}

// The switches in an order in which those of one level and column follow each other: whoever counts
// the targets along it deals with each column evenly.
std::vector<std::uint32_t> turns(const TreeClimb& climb) {
  std::vector<std::uint32_t> order(climb.ascending);
  const auto column = [&](std::uint32_t s) {
    return climb.peak[s] == kNobody ? climb.column[s] : climb.hop_row[climb.peak[s]];
  };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return climb.level[a] != climb.level[b] ? climb.level[a] < climb.level[b]
                                            : column(a) < column(b);
  });
  std::vector<std::uint32_t> turn(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) turn[order[i]] = i;
  return turn;
}

}  // namespace

void write_tree_tables(const Fabric& fabric, const TreeClimb& climb, const TreePlan& plan,
                       const RestRows& rest, const FinishRow& finish, int threads,
                       ForwardingTables& tables) {
  const std::vector<std::uint32_t> turn = turns(climb);
  const PeakPorts ports = peak_ports(climb, plan);
  const Hanging hanging = hanging_terminals(fabric);
  std::vector<std::unique_ptr<RowWriter>> writers(static_cast<std::size_t>(thread_count(threads)));
  parallel_for(
      climb.size(), threads,
      [&](std::size_t s, int thread) {
        auto& writer = writers[static_cast<std::size_t>(thread)];
        if (!writer) writer = std::make_unique<RowWriter>(climb, plan, ports, rest);
        const Target own = tables.target(Switch{static_cast<std::uint32_t>(s)});
        const bool alone = hanging.first[s] == hanging.first[s + 1];
        writer->look(static_cast<std::uint32_t>(s), alone ? &plan.of[index(own)] : nullptr,
                     turn[s]);
        std::size_t number = 0;
        const auto write = [&](Target target, Port own_port) {
          const auto row = tables.row(target);
          writer->write(plan.of[index(target)], static_cast<std::uint8_t>(own_port), number++, row);
          if (finish) finish(writer->view(), row);
        };
        for (std::uint32_t i = hanging.first[s]; i < hanging.first[s + 1]; ++i) {
          const Terminal t = hanging.terminals[i];
          const Port port = fabric.port(fabric.peer(fabric.terminal_channel(t)));
          for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
            write(tables.target(t, offset), port);
          }
        }
        write(own, 0);
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
