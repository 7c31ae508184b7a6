// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/rebalance_up.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <vector>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kWord = 64;
// A channel is given up after this many consecutive destinations that find no other channel; after
// half as many for the next channel if none was moved. If all channels above are full, as with the
// double cables of every leaf of a complete tree, no destination ever moves.
constexpr int kFutileMoves = 64;

bool leads_up(const UpDownOrder& up_down, Switch s, Trunk trunk) {
  return up_down.level(up_down.graph().neighbour(trunk)) > up_down.level(s);
}

// Whether the parallel cables up from each switch are equally many per neighbour, and each switch
// has as many up cables as others of its level.
bool has_even_up_links(const UpDownOrder& up_down) {
  std::vector<std::optional<std::uint32_t>> cables_of_level;
  for (const Switch s : up_down.ascending()) {
    std::uint32_t cables = 0;
    std::uint32_t width = 0;
    for (const Trunk g : up_down.graph().up(s)) {
      if (!leads_up(up_down, s, g)) continue;
      const std::uint32_t size = up_down.graph().width(g);
      if (width != 0 && size != width) return false;
      width = size;
      cables += size;
    }
    cables_of_level.resize(up_down.level(s) + 1U);
    std::optional<std::uint32_t>& usual = cables_of_level[up_down.level(s)];
    if (usual.value_or(cables) != cables) return false;
    usual = cables;
  }
  return true;
}

// The switches and channels on routes between counted terminals.
class Traffic {
 public:
  Traffic(const Fabric& fabric, const UpDownOrder& up_down,
          const Table<Terminal, std::uint8_t>& counted, int threads, const ForwardingTables& tables)
      : use(up_down.size() * kPorts),
        up_down_(up_down),
        words_((up_down.size() + kWord - 1) / kWord),
        place_(up_down.size()),
        is_source_(up_down.size()) {
    for (std::uint32_t i = 0; i < up_down.size(); ++i) place_[up_down.ascending()[i]] = i;
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      if (counted[t] == 0 || fabric.leaf(t) == kNone<Switch>) continue;
      if (up_down.level(fabric.leaf(t)) != up_down.lowest_level()) continue;
      is_source_[fabric.leaf(t)] = 1;
      for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
        destinations.push_back(tables.destination(t, offset));
      }
    }
    source_bits_.resize(words_);
    for (const Switch s : ids<Switch>(up_down.size())) {
      if (!is_source(s)) continue;
      sources_.push_back(s);
      set(source_bits_.data(), s);
    }
    passed_.resize(destinations.size() * words_);
    count(tables, threads);
  }

  bool is_source(Switch s) const { return is_source_[s] != 0; }
  // `i`: of a destination in `destinations`.
  bool passes(std::size_t i, Switch s) const { return test(passed_.data() + i * words_, s); }
  void pass(std::size_t i, Switch s) { set(passed_.data() + i * words_, s); }

  std::vector<Destination> destinations;
  Table<PortSlot, std::uint32_t> use;  // destinations

 private:
  bool test(const std::uint64_t* bits, Switch s) const {
    return (bits[place_[s] / kWord] >> place_[s] % kWord & 1U) != 0;
  }
  void set(std::uint64_t* bits, Switch s) const {
    bits[place_[s] / kWord] |= std::uint64_t{1} << place_[s] % kWord;
  }

  void count(const ForwardingTables& tables, int threads) {
    std::vector<Table<PortSlot, std::uint32_t>> uses(
        static_cast<std::size_t>(thread_count(threads)));
    parallel_for(
        destinations.size(), threads,
        [&](std::size_t i, int thread) {
          auto& own = thread == 0 ? use : uses[static_cast<std::size_t>(thread)];
          if (own.empty()) own.resize(use.size());
          follow(tables.row(destinations[i]).data(), passed_.data() + i * words_, own);
        },
        64);
    for (const auto& own : uses) {
      for (const PortSlot i : ids<PortSlot>(own.size())) use[i] += own[i];
    }
  }

  // Follows one destination's routes, first from all sources. The other switches are taken in
  // ascending order, so that a path up finds its next switch still to come; a path to an earlier
  // switch is followed until it meets another route.
  void follow(const Port* row, std::uint64_t* passed, Table<PortSlot, std::uint32_t>& used) const {
    std::copy(source_bits_.begin(), source_bits_.end(), passed);
    for (const Switch s : sources_) {
      const PortSlot out = slot(s, row[index(s)]);
      ++used[out];
      if (up_down_.next(out) != kNone<Switch>) set(passed, up_down_.next(out));
    }
    for (std::size_t w = 0; w < words_; ++w) {
      std::uint64_t left = ~source_bits_[w];
      for (std::uint64_t bits = passed[w] & left; bits != 0; bits = passed[w] & left) {
        const auto bit = static_cast<unsigned>(std::countr_zero(bits));
        left &= ~std::uint64_t{1} << bit;  // and those after it
        const std::size_t here = w * kWord + bit;
        for (Switch at = up_down_.ascending()[here];;) {
          const PortSlot out = slot(at, row[index(at)]);
          const Switch to = up_down_.next(out);
          ++used[out];
          if (to == kNone<Switch> || test(passed, to)) break;
          set(passed, to);
          if (place_[to] > here) break;
          at = to;
        }
      }
    }
  }

  const UpDownOrder& up_down_;
  std::size_t words_;
  Table<Switch, std::uint32_t> place_;  // in ascending order
  Table<Switch, std::uint8_t> is_source_;
  std::vector<Switch> sources_;
  std::vector<std::uint64_t> source_bits_;  // by place
  std::vector<std::uint64_t> passed_;       // [destination], bits by place
};

class UpRebalancer {
 public:
  UpRebalancer(const UpDownOrder& up_down, const Table<Switch, std::uint32_t>& rank,
               Traffic& traffic, ForwardingTables& tables)
      : up_down_(up_down), rank_(rank), traffic_(traffic), tables_(tables) {
    find_bounds();
  }

  void run() {
    for (const Switch s : up_down_.ascending()) {
      const std::vector<Port> ports = up_ports(s);
      for (const Aim aim : {Aim::kBound, Aim::kLess}) {
        for (const Port port : ports) {
          if (use(s, port) > bound_[up_down_.level(s)]) rebalance(s, port, ports, aim);
        }
      }
    }
  }

 private:
  // Candidates: first channels that stay within the bound; then, for the rest, any with less load.
  enum class Aim { kBound, kLess };

  std::uint32_t& use(Switch s, Port port) { return traffic_.use[slot(s, port)]; }
  Switch next(Switch s, Port port) const {
    return port == kNoRoute ? kNone<Switch> : up_down_.next(s, port);
  }

  // Ports that lead to higher levels.
  std::vector<Port> up_ports(Switch s) const {
    std::vector<Port> ports;
    for (const Trunk g : up_down_.graph().up(s)) {
      if (!leads_up(up_down_, s, g)) continue;
      ports.insert(ports.end(), up_down_.graph().ports(g).begin(), up_down_.graph().ports(g).end());
    }
    return ports;
  }

  void find_bounds() {
    const std::size_t levels = up_down_.highest_level() + 1U;
    bound_.assign(levels, 0);
    max_down_.assign(levels, 0);
    for (const Switch s : ids<Switch>(up_down_.size())) {
      std::uint32_t carried = 0;
      std::uint32_t cables = 0;
      for (const Trunk g : up_down_.graph().trunks(s)) {
        for (const Port port : up_down_.graph().ports(g)) {
          if (leads_up(up_down_, s, g)) {
            carried += use(s, port);
            ++cables;
          } else {
            std::uint32_t& most = max_down_[up_down_.level(s)];
            most = std::max(most, use(s, port));
          }
        }
      }
      if (cables == 0) continue;
      std::uint32_t& bound = bound_[up_down_.level(s)];
      bound = std::max(bound, (carried + cables - 1) / cables);
    }
  }

  void rebalance(Switch s, Port full, std::span<const Port> ports, Aim aim) {
    const std::uint32_t bound = bound_[up_down_.level(s)];
    int failed = 0;
    bool moved = false;
    for (std::size_t i = 0; use(s, full) > bound && failed < patience_; ++i) {
      if (i == traffic_.destinations.size()) break;
      const auto row = tables_.row(traffic_.destinations[i]);
      if (row[index(s)] != full || !traffic_.passes(i, s)) continue;
      const Port better = best_port(i, s, ports, aim);
      failed = better == kNoRoute ? failed + 1 : 0;
      if (better == kNoRoute) continue;
      move(i, s, better);
      moved = true;
    }
    patience_ = moved ? kFutileMoves : std::max(1, patience_ / 2);
  }

  // Channels between switches on the path from `s`; more than there are switches: no path.
  std::size_t hops(std::span<const Port> row, Switch s) const {
    std::size_t count = 0;
    while (row[index(s)] != kNoRoute && next(s, row[index(s)]) != kNone<Switch> &&
           count <= up_down_.size()) {
      s = next(s, row[index(s)]);
      ++count;
    }
    return row[index(s)] == kNoRoute ? up_down_.size() + 1 : count;
  }

  // The least used port with which the route is no longer, and no channel gets too much load.
  Port best_port(std::size_t i, Switch s, std::span<const Port> ports, Aim aim) {
    const auto row = tables_.row(traffic_.destinations[i]);
    const std::size_t length = hops(row, next(s, row[index(s)]));
    Port best = kNoRoute;
    std::uint32_t least =
        aim == Aim::kBound ? bound_[up_down_.level(s)] : use(s, row[index(s)]) - 1;
    for (const Port port : ports) {
      if (use(s, port) >= least) continue;
      const Switch upper = next(s, port);
      if (hops(row, upper) != length || !is_legal(row, s, upper) || !has_room(i, upper)) continue;
      best = port;
      least = use(s, port);
    }
    return best;
  }

  // Whether forwarding to `to` is legal wherever the entry of `s` is: an up hop instead of an up
  // hop, or a path that only goes down.
  bool is_legal(std::span<const Port> row, Switch s, Switch to) const {
    if (rank_[to] < rank_[s]) return rank_[next(s, row[index(s)])] < rank_[s];
    for (Switch after = next(to, row[index(to)]); after != kNone<Switch>;
         after = next(to, row[index(to)])) {
      if (rank_[after] < rank_[to]) return false;
      to = after;
    }
    return true;
  }

  // The least used of the parallel cables that the row's entry is one of.
  Port emptiest_parallel(Switch s, Port port) {
    const Switch to = next(s, port);
    for (const Trunk g : up_down_.graph().trunks(s)) {
      if (up_down_.graph().neighbour(g) != to) continue;
      for (const Port other : up_down_.graph().ports(g)) {
        if (use(s, other) < use(s, port)) port = other;
      }
    }
    return port;
  }

  bool has_room(std::size_t i, Switch s) {
    const auto row = tables_.row(traffic_.destinations[i]);
    while (next(s, row[index(s)]) != kNone<Switch> && !traffic_.passes(i, s)) {
      const Switch after = next(s, row[index(s)]);
      const bool up = up_down_.level(after) > up_down_.level(s);
      const std::uint32_t most = (up ? bound_ : max_down_)[up_down_.level(s)];
      if (use(s, emptiest_parallel(s, row[index(s)])) >= most) return false;
      s = after;
    }
    return true;
  }

  void move(std::size_t i, Switch s, Port port) {
    const auto row = tables_.row(traffic_.destinations[i]);
    --use(s, row[index(s)]);
    ++use(s, port);
    row[index(s)] = port;
    s = next(s, port);
    while (next(s, row[index(s)]) != kNone<Switch> && !traffic_.passes(i, s)) {
      row[index(s)] = emptiest_parallel(s, row[index(s)]);
      ++use(s, row[index(s)]);
      traffic_.pass(i, s);
      s = next(s, row[index(s)]);
    }
  }

  const UpDownOrder& up_down_;
  const Table<Switch, std::uint32_t>& rank_;
  Traffic& traffic_;
  ForwardingTables& tables_;
  std::vector<std::uint32_t> bound_;     // by level of the lower switch: upwards
  std::vector<std::uint32_t> max_down_;  // by level of the upper switch
  int patience_ = kFutileMoves;
};

// Balances the parallel up cables of leaves with the destinations that were not considered before:
// which parallel cable a route uses changes only their load.
class Bundles {
 public:
  Bundles(const UpDownOrder& up_down, Traffic& traffic, ForwardingTables& tables)
      : up_down_(up_down), tables_(tables), entries_(traffic.use) {
    for (const Switch s : up_down.ascending()) {
      if (up_down.level(s) != up_down.lowest_level()) break;
      std::vector<Trunk> trunks;
      for (const Trunk g : up_down.graph().up(s)) {
        if (up_down.graph().width(g) > 1) trunks.push_back(g);
      }
      if (trunks.empty()) continue;
      trunk_.resize(trunk_.size() + kPorts, kNone<Trunk>);
      for (const Trunk g : trunks) {
        for (const Port port : up_down.graph().ports(g)) {
          trunk_[leaves_.size() * kPorts + index(port)] = g;
        }
      }
      leaves_.push_back(s);
      if (!traffic.is_source(s)) count_entries(traffic, s);
    }
    std::vector<bool> seen(tables.num_terminals() << tables.lmc());
    for (const Destination destination : traffic.destinations) seen[index(destination)] = true;
    for (std::uint32_t i = 0; i < seen.size(); ++i) {
      if (!seen[i]) others_.push_back(Destination{i});
    }
  }

  void run() {
    if (leaves_.empty() || others_.empty()) return;
    for (const Destination destination : others_) {
      const auto row = tables_.row(destination);
      for (const Switch s : leaves_) ++entries_[slot(s, row[index(s)])];
    }
    for (const Destination destination : others_) {
      const auto row = tables_.row(destination);
      for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) even_out(leaf, row);
    }
  }

 private:
  // Counts entries of considered destinations at a leaf where none of their routes begins.
  void count_entries(const Traffic& traffic, Switch s) {
    std::fill_n(&entries_[slot(s, kOwnPort)], kPorts, 0U);
    for (const Destination destination : traffic.destinations)
      ++entries_[slot(s, tables_.at(destination, s))];
  }
  void even_out(std::size_t leaf, std::span<Port> row) {
    const Switch s = leaves_[leaf];
    Port& entry = row[index(s)];
    const Trunk trunk = trunk_[leaf * kPorts + index(entry)];
    if (trunk == kNone<Trunk>) return;
    const auto ports = up_down_.graph().ports(trunk);
    std::uint32_t* const entries = &entries_[slot(s, kOwnPort)];
    const Port least = *std::min_element(ports.begin(), ports.end(), [&](Port a, Port b) {
      return entries[index(a)] < entries[index(b)];
    });
    if (entries[index(entry)] <= entries[index(least)] + 1) return;
    --entries[index(entry)];
    ++entries[index(least)];
    entry = least;
  }

  const UpDownOrder& up_down_;
  ForwardingTables& tables_;
  Table<PortSlot, std::uint32_t>& entries_;  // as Traffic::use, then of all terminals
  std::vector<Switch> leaves_;               // that have parallel cables
  std::vector<Trunk> trunk_;  // [number of leaf * kPorts + port]: its trunk, if parallel
  std::vector<Destination> others_;
};

}  // namespace

void rebalance_up_links(const Model& model, const Table<Switch, std::uint32_t>& rank,
                        TreeRouting& tree) {
  auto& [up_down, descents, tables, threads] = tree;
  if (has_even_up_links(up_down)) return;
  Traffic traffic(model.fabric(), up_down, model.counted(), threads, tables);
  UpRebalancer(up_down, rank, traffic, tables).run();
  Bundles(up_down, traffic, tables).run();
}

}  // namespace fatwood
