#include "routing/tree_rows.hpp"

#include <algorithm>
#include <memory>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

constexpr std::uint32_t kNobody = TreeClimb::kNobody;
constexpr std::size_t kPorts = 256;

// Ports of each of the plan's rows, [row][switch]. Where a switch has a choice, rows in order of
// their first use take its least loaded port, weighed by the targets that use them.
std::vector<std::uint8_t> peak_ports(const TreeClimb& climb, const TreePlan& plan) {
  const std::size_t n = climb.size();
  std::vector<std::uint8_t> ports(plan.rows.size() * n);
  std::vector<std::uint32_t> load(climb.most_choices > 1 ? n * kPorts : 0);
  for (std::size_t row = 0; row < plan.rows.size(); ++row) {
    const PeakRow& from = plan.rows[row];
    const std::uint8_t* only = climb.only_port.data() + from.peak * n;
    std::uint8_t* to = ports.data() + row * n;
    std::copy_n(only, n, to);
    if (load.empty()) continue;
    for (std::size_t s = 0; s < n; ++s) {
      if (only[s] != kNoRoute) load[s * kPorts + only[s]] += from.uses;
    }
    for (const Below& entry : climb.below_of(climb.peaks[from.peak])) {
      std::uint32_t* use = load.data() + entry.at * kPorts;
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

class RowWriter {
 public:
  RowWriter(const TreeClimb& climb, const TreePlan& plan, const std::vector<std::uint8_t>& ports,
            std::span<const std::uint8_t> rest)
      : climb_(climb),
        plan_(plan),
        ports_(ports),
        rest_(rest),
        view_(climb),
        base_(climb.size()),
        spared_(climb.size()) {}

  // `only`: the one target there is at this switch, or null when there are several.
  void look(std::uint32_t destination, const TargetPlan* only) {
    view_.look(destination);
    std::copy(rest_.begin(), rest_.end(), base_.begin());
    for (const std::uint32_t s : view_.above()) base_[s] = view_.down_port[s];
    find_spared(only);
    for (std::uint32_t s = 0; s < climb_.size(); ++s) {
      if (spared_[s] == 0) base_[s] = any_climb(s);
    }
  }

  void write(const TargetPlan& plan, std::uint8_t own_port, std::span<std::uint8_t> row) const {
    const std::span covers(plan_.cover.data() + plan.first_cover, plan.covers);
    const std::uint8_t* from = base_.data();
    const std::uint8_t* main = nullptr;
    for (std::size_t i = covers.size(); i-- > 0;) {
      if (climb_.peak[covers[i].top] == kNobody) continue;
      main = ports_.data() + covers[i].row * climb_.size();
      lay_peak(covers[i], from, main, row.data());
      from = row.data();
    }
    if (from == base_.data()) std::copy(base_.begin(), base_.end(), row.begin());
    for (std::size_t i = covers.size(); i-- > 0;) {
      if (climb_.peak[covers[i].top] == kNobody) lay_list(covers[i], main, row);
    }
    for (std::uint32_t i = 0; i < plan.steps; ++i) {
      const Step& step = plan_.step[plan.first_step + i];
      row[step.at] = step.port;
    }
    row[view_.destination()] = own_port;
  }

  const TreeView& view() const { return view_; }

 private:
  // Switches whose default nobody will see: that do not climb, or that a peak of every target
  // covers. The latter are those at one and the same distance below all peaks when these have one
  // and the same descent, and those below the peak of the only target.
  void find_spared(const TargetPlan* only) {
    const std::uint8_t* hops = climb_.even_hops.data();
    std::uint32_t depth = kNotBelow;
    if (only != nullptr) {
      for (std::uint32_t i = 0; i < only->covers; ++i) {
        const std::uint32_t top = plan_.cover[only->first_cover + i].top;
        if (climb_.peak[top] == kNobody) continue;
        hops = climb_.hops_to(climb_.peak[top]);
        depth = view_.descent[top];
      }
    } else {
      for (const std::uint32_t top : view_.above()) {
        if (climb_.peak[top] == kNobody) continue;
        if (depth != kNotBelow && depth != view_.descent[top]) {
          depth = 2 * kNotBelow;  // two descents: spare nobody
          break;
        }
        depth = view_.descent[top];
      }
    }
    const std::uint8_t* least = view_.climbing.data();
    std::uint8_t* spared = spared_.data();
    const auto shift = static_cast<std::uint16_t>(depth);
    const std::size_t n = climb_.size();
#pragma omp simd
    for (std::size_t s = 0; s < n; ++s) {
      spared[s] = static_cast<std::uint8_t>(
          (least[s] == 0) | (static_cast<std::uint16_t>(hops[s] + shift) == least[s]));
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

  void lay_peak(const Cover& cover, const std::uint8_t* from, const std::uint8_t* ports,
                std::uint8_t* to) const {
    const std::uint8_t* hops = climb_.hops_to(climb_.peak[cover.top]);
    const std::uint8_t* least = view_.climbing.data();
    const std::uint8_t depth = view_.descent[cover.top];
    const std::size_t n = climb_.size();
#pragma omp simd
    for (std::size_t s = 0; s < n; ++s) {
      to[s] = static_cast<std::uint8_t>(hops[s] + depth) == least[s] && hops[s] != kNotBelow
                  ? ports[s]
                  : from[s];
    }
  }

  // Below a switch that is no peak. The port towards the target's main peak is taken where it
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
  const std::vector<std::uint8_t>& ports_;
  std::span<const std::uint8_t> rest_;
  TreeView view_;
  std::vector<std::uint8_t> base_;    // the default row of the destination switch
  std::vector<std::uint8_t> spared_;  // by switch: its default does not matter
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

}  // namespace

void write_tree_tables(const Fabric& fabric, const TreeClimb& climb, const TreePlan& plan,
                       std::span<const std::uint8_t> rest, const FinishRow& finish, int threads,
                       ForwardingTables& tables) {
  const std::vector<std::uint8_t> ports = peak_ports(climb, plan);
  const Hanging hanging = hanging_terminals(fabric);
  std::vector<std::unique_ptr<RowWriter>> writers(static_cast<std::size_t>(thread_count(threads)));
  parallel_for(
      climb.size(), threads,
      [&](std::size_t s, int thread) {
        auto& writer = writers[static_cast<std::size_t>(thread)];
        if (!writer) writer = std::make_unique<RowWriter>(climb, plan, ports, rest);
        const Target own = tables.target(Switch{static_cast<std::uint32_t>(s)});
        const bool alone = hanging.first[s] == hanging.first[s + 1];
        writer->look(static_cast<std::uint32_t>(s), alone ? &plan.of[index(own)] : nullptr);
        const auto write = [&](Target target, Port own_port) {
          const auto row = tables.row(target);
          writer->write(plan.of[index(target)], static_cast<std::uint8_t>(own_port), row);
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
