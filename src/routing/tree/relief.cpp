// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/relief.hpp"

#include <algorithm>
#include <bit>

#include "core/parallel.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kWord = 64;
// Destinations in a row that find no other channel, after which a channel is left as it is; half of
// that for the next channel if none was moved. Where all above is full, as with the double cables
// of every leaf of a whole tree, none ever is.
constexpr int kFutileMoves = 64;

bool leads_up(const TreeClimb& climb, std::uint32_t s, std::uint32_t group) {
  return climb.level[climb.graph.neighbour[group]] > climb.level[s];
}

// Whether every switch has bundles of one size upwards, and as many cables as its level has.
bool has_even_climbs(const TreeClimb& climb) {
  std::vector<std::uint32_t> cables_of_level;
  for (const std::uint32_t s : climb.ascending) {
    std::uint32_t cables = 0;
    std::uint32_t bundle = 0;
    for (std::uint32_t g = climb.graph.first_up[s]; g < climb.graph.first[s + 1]; ++g) {
      if (!leads_up(climb, s, g)) continue;
      const auto size = static_cast<std::uint32_t>(climb.graph.ports(g).size());
      if (bundle != 0 && size != bundle) return false;
      bundle = size;
      cables += size;
    }
    cables_of_level.resize(climb.level[s] + 1U, kNobody);
    std::uint32_t& usual = cables_of_level[climb.level[s]];
    if (usual != kNobody && usual != cables) return false;
    usual = cables;
  }
  return true;
}

// Where the routes of counted terminals to counted terminals pass.
class Traffic {
 public:
  Traffic(const Fabric& fabric, const TreeClimb& climb,
          const Table<Terminal, std::uint8_t>& counted, int threads, const ForwardingTables& tables)
      : use(climb.size() * kPorts),
        climb_(climb),
        words_((climb.size() + kWord - 1) / kWord),
        place_(climb.size()),
        is_source_(climb.size()) {
    for (std::uint32_t i = 0; i < climb.size(); ++i) place_[climb.ascending[i]] = i;
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      if (counted[t] == 0 || fabric.leaf(t) == kNone<Switch>) continue;
      if (climb.level[index(fabric.leaf(t))] != climb.level[climb.ascending.front()]) continue;
      is_source_[index(fabric.leaf(t))] = 1;
      for (std::uint32_t offset = 0; offset < 1U << tables.lmc(); ++offset) {
        targets.push_back(tables.target(t, offset));
      }
    }
    source_bits_.resize(words_);
    for (std::uint32_t s = 0; s < climb.size(); ++s) {
      if (!is_source(s)) continue;
      sources_.push_back(s);
      set(source_bits_.data(), s);
    }
    passed_.resize(targets.size() * words_);
    count(tables, threads);
  }

  bool is_source(std::uint32_t s) const { return is_source_[s] != 0; }
  // `i`: of a target in `targets`.
  bool passes(std::size_t i, std::uint32_t s) const { return test(passed_.data() + i * words_, s); }
  void pass(std::size_t i, std::uint32_t s) { set(passed_.data() + i * words_, s); }

  std::vector<Target> targets;
  std::vector<std::uint32_t> use;  // [switch * kPorts + port]: destinations

 private:
  bool test(const std::uint64_t* bits, std::uint32_t s) const {
    return (bits[place_[s] / kWord] >> place_[s] % kWord & 1U) != 0;
  }
  void set(std::uint64_t* bits, std::uint32_t s) const {
    bits[place_[s] / kWord] |= std::uint64_t{1} << place_[s] % kWord;
  }

  void count(const ForwardingTables& tables, int threads) {
    std::vector<std::vector<std::uint32_t>> uses(static_cast<std::size_t>(thread_count(threads)));
    parallel_for(
        targets.size(), threads,
        [&](std::size_t i, int thread) {
          auto& own = thread == 0 ? use : uses[static_cast<std::size_t>(thread)];
          if (own.empty()) own.resize(use.size());
          follow(tables.row(targets[i]).data(), passed_.data() + i * words_, own.data());
        },
        64);
    for (const auto& own : uses) {
      for (std::size_t i = 0; i < own.size(); ++i) use[i] += own[i];
    }
  }

  // Along one target's routes, first from all sources. The other switches are taken in ascending
  // order, so that a climb finds the next one still to come; what lies before it is followed to
  // where it meets another route.
  void follow(const std::uint8_t* row, std::uint64_t* passed, std::uint32_t* used) const {
    const std::uint32_t* const next = climb_.next.data();
    std::copy(source_bits_.begin(), source_bits_.end(), passed);
    for (const std::uint32_t s : sources_) {
      const std::size_t slot = s * kPorts + row[s];
      ++used[slot];
      if (next[slot] != kNobody) set(passed, next[slot]);
    }
    for (std::size_t w = 0; w < words_; ++w) {
      std::uint64_t left = ~source_bits_[w];
      for (std::uint64_t bits = passed[w] & left; bits != 0; bits = passed[w] & left) {
        const auto bit = static_cast<unsigned>(std::countr_zero(bits));
        left &= ~std::uint64_t{1} << bit;  // and those after it
        const std::size_t here = w * kWord + bit;
        for (std::uint32_t at = climb_.ascending[here];;) {
          const std::size_t slot = at * kPorts + row[at];
          const std::uint32_t to = next[slot];
          ++used[slot];
          if (to == kNobody || test(passed, to)) break;
          set(passed, to);
          if (place_[to] > here) break;
          at = to;
        }
      }
    }
  }

  const TreeClimb& climb_;
  std::size_t words_;
  std::vector<std::uint32_t> place_;     // of a switch in the climb's ascending order
  std::vector<std::uint8_t> is_source_;  // by switch
  std::vector<std::uint32_t> sources_;
  std::vector<std::uint64_t> source_bits_;  // by place
  std::vector<std::uint64_t> passed_;       // [target], bits by place
};

class Relief {
 public:
  Relief(const TreeClimb& climb, std::span<const std::uint32_t> rank, Traffic& traffic,
         ForwardingTables& tables)
      : climb_(climb), rank_(rank), traffic_(traffic), tables_(tables) {
    find_bounds();
  }

  void run() {
    for (const std::uint32_t s : climb_.ascending) {
      const std::vector<std::uint8_t> ports = climbing_ports(s);
      for (const Aim aim : {Aim::kBound, Aim::kLess}) {
        for (const std::uint8_t port : ports) {
          if (use(s, port) > bound_[climb_.level[s]]) relieve(s, port, ports, aim);
        }
      }
    }
  }

 private:
  // Where to: channels that stay within the bound; then, for what is left, any that carry less.
  enum class Aim { kBound, kLess };

  std::uint32_t& use(std::uint32_t s, std::uint8_t port) { return traffic_.use[s * kPorts + port]; }
  std::uint32_t next(std::uint32_t s, std::uint8_t port) const {
    return port == kNoRoute ? kNobody : climb_.next[s * kPorts + port];
  }

  // Ports that lead to higher levels.
  std::vector<std::uint8_t> climbing_ports(std::uint32_t s) const {
    std::vector<std::uint8_t> ports;
    for (std::uint32_t g = climb_.graph.first_up[s]; g < climb_.graph.first[s + 1]; ++g) {
      if (!leads_up(climb_, s, g)) continue;
      ports.insert(ports.end(), climb_.graph.ports(g).begin(), climb_.graph.ports(g).end());
    }
    return ports;
  }

  void find_bounds() {
    const std::size_t levels = climb_.level[climb_.ascending.back()] + 1U;
    bound_.assign(levels, 0);
    fullest_down_.assign(levels, 0);
    for (std::uint32_t s = 0; s < climb_.size(); ++s) {
      std::uint32_t carried = 0;
      std::uint32_t cables = 0;
      for (std::uint32_t g = climb_.graph.first[s]; g < climb_.graph.first[s + 1]; ++g) {
        for (const std::uint8_t port : climb_.graph.ports(g)) {
          if (leads_up(climb_, s, g)) {
            carried += use(s, port);
            ++cables;
          } else {
            std::uint32_t& most = fullest_down_[climb_.level[s]];
            most = std::max(most, use(s, port));
          }
        }
      }
      if (cables == 0) continue;
      std::uint32_t& bound = bound_[climb_.level[s]];
      bound = std::max(bound, (carried + cables - 1) / cables);
    }
  }

  void relieve(std::uint32_t s, std::uint8_t full, std::span<const std::uint8_t> ports, Aim aim) {
    const std::uint32_t bound = bound_[climb_.level[s]];
    int failed = 0;
    bool moved = false;
    for (std::size_t i = 0; use(s, full) > bound && failed < patience_; ++i) {
      if (i == traffic_.targets.size()) break;
      const auto row = tables_.row(traffic_.targets[i]);
      if (row[s] != full || !traffic_.passes(i, s)) continue;
      const std::uint8_t better = best_port(i, s, ports, aim);
      failed = better == kNoRoute ? failed + 1 : 0;
      if (better == kNoRoute) continue;
      move(i, s, better);
      moved = true;
    }
    patience_ = moved ? kFutileMoves : std::max(1, patience_ / 2);
  }

  // Channels between switches on the way from `s`; more than there are switches: no way.
  std::size_t hops(std::span<const std::uint8_t> row, std::uint32_t s) const {
    std::size_t count = 0;
    while (row[s] != kNoRoute && next(s, row[s]) != kNobody && count <= climb_.size()) {
      s = next(s, row[s]);
      ++count;
    }
    return row[s] == kNoRoute ? climb_.size() + 1 : count;
  }

  // The least used port by which the route is no longer, and no channel gets too much.
  std::uint8_t best_port(std::size_t i, std::uint32_t s, std::span<const std::uint8_t> ports,
                         Aim aim) {
    const auto row = tables_.row(traffic_.targets[i]);
    const std::size_t length = hops(row, next(s, row[s]));
    std::uint8_t best = kNoRoute;
    std::uint32_t least = aim == Aim::kBound ? bound_[climb_.level[s]] : use(s, row[s]) - 1;
    for (const std::uint8_t port : ports) {
      if (use(s, port) >= least) continue;
      const std::uint32_t upper = next(s, port);
      if (hops(row, upper) != length || !is_legal(row, s, upper) || !has_room(i, upper)) continue;
      best = port;
      least = use(s, port);
    }
    return best;
  }

  // Whether to go on by `to` is legal wherever the entry of `s` is: a climb instead of a climb, or
  // a descent to the end.
  bool is_legal(std::span<const std::uint8_t> row, std::uint32_t s, std::uint32_t to) const {
    if (rank_[to] < rank_[s]) return rank_[next(s, row[s])] < rank_[s];
    for (std::uint32_t after = next(to, row[to]); after != kNobody; after = next(to, row[to])) {
      if (rank_[after] < rank_[to]) return false;
      to = after;
    }
    return true;
  }

  // The least used of the parallel cables that the row's entry is one of.
  std::uint8_t emptiest_parallel(std::uint32_t s, std::uint8_t port) {
    const std::uint32_t to = next(s, port);
    for (std::uint32_t g = climb_.graph.first[s]; g < climb_.graph.first[s + 1]; ++g) {
      if (climb_.graph.neighbour[g] != to) continue;
      for (const std::uint8_t other : climb_.graph.ports(g)) {
        if (use(s, other) < use(s, port)) port = other;
      }
    }
    return port;
  }

  bool has_room(std::size_t i, std::uint32_t s) {
    const auto row = tables_.row(traffic_.targets[i]);
    while (next(s, row[s]) != kNobody && !traffic_.passes(i, s)) {
      const std::uint32_t after = next(s, row[s]);
      const bool up = climb_.level[after] > climb_.level[s];
      const std::uint32_t most = (up ? bound_ : fullest_down_)[climb_.level[s]];
      if (use(s, emptiest_parallel(s, row[s])) >= most) return false;
      s = after;
    }
    return true;
  }

  void move(std::size_t i, std::uint32_t s, std::uint8_t port) {
    const auto row = tables_.row(traffic_.targets[i]);
    --use(s, row[s]);
    ++use(s, port);
    row[s] = port;
    s = next(s, port);
    while (next(s, row[s]) != kNobody && !traffic_.passes(i, s)) {
      row[s] = emptiest_parallel(s, row[s]);
      ++use(s, row[s]);
      traffic_.pass(i, s);
      s = next(s, row[s]);
    }
  }

  const TreeClimb& climb_;
  std::span<const std::uint32_t> rank_;
  Traffic& traffic_;
  ForwardingTables& tables_;
  std::vector<std::uint32_t> bound_;         // by level of the lower switch: upwards
  std::vector<std::uint32_t> fullest_down_;  // by level of the upper switch
  int patience_ = kFutileMoves;
};

// Parallel cables upwards of the leaves, evened out by the targets that were not looked at: which
// of them a route takes changes nothing but their load.
class Bundles {
 public:
  Bundles(const TreeClimb& climb, Traffic& traffic, ForwardingTables& tables)
      : climb_(climb), tables_(tables), entries_(traffic.use) {
    for (const std::uint32_t s : climb.ascending) {
      if (climb.level[s] != climb.level[climb.ascending.front()]) break;
      const auto is_parallel = [&](std::uint32_t g) { return climb.graph.ports(g).size() > 1; };
      std::vector<std::uint32_t> groups;
      for (std::uint32_t g = climb.graph.first_up[s]; g < climb.graph.first[s + 1]; ++g) {
        if (is_parallel(g)) groups.push_back(g);
      }
      if (groups.empty()) continue;
      bundle_.resize(bundle_.size() + kPorts, kNobody);
      for (const std::uint32_t g : groups) {
        for (const std::uint8_t port : climb.graph.ports(g)) {
          bundle_[leaves_.size() * kPorts + port] = g;
        }
      }
      leaves_.push_back(s);
      if (!traffic.is_source(s)) count_entries(traffic, s);
    }
    std::vector<bool> seen(tables.num_terminals() << tables.lmc());
    for (const Target target : traffic.targets) seen[index(target)] = true;
    for (std::uint32_t i = 0; i < seen.size(); ++i) {
      if (!seen[i]) others_.push_back(Target{i});
    }
  }

  void run() {
    if (leaves_.empty() || others_.empty()) return;
    for (const Target target : others_) {
      const auto row = tables_.row(target);
      for (const std::uint32_t s : leaves_) ++entries_[s * kPorts + row[s]];
    }
    for (const Target target : others_) {
      const auto row = tables_.row(target);
      for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) even_out(leaf, row);
    }
  }

 private:
  // Of the targets that were looked at, at a leaf that none of their routes begins at.
  void count_entries(const Traffic& traffic, std::uint32_t s) {
    std::fill_n(entries_.begin() + static_cast<std::ptrdiff_t>(s * kPorts), kPorts, 0U);
    for (const Target target : traffic.targets)
      ++entries_[s * kPorts + tables_.at(target, Switch{s})];
  }
  void even_out(std::size_t leaf, std::span<std::uint8_t> row) {
    const std::uint32_t s = leaves_[leaf];
    const std::uint32_t group = bundle_[leaf * kPorts + row[s]];
    if (group == kNobody) return;
    const auto ports = climb_.graph.ports(group);
    std::uint32_t* const entries = entries_.data() + s * kPorts;
    const std::uint8_t least =
        *std::min_element(ports.begin(), ports.end(),
                          [&](std::uint8_t a, std::uint8_t b) { return entries[a] < entries[b]; });
    if (entries[row[s]] <= entries[least] + 1) return;
    --entries[row[s]];
    ++entries[least];
    row[s] = least;
  }

  const TreeClimb& climb_;
  ForwardingTables& tables_;
  std::vector<std::uint32_t>& entries_;  // as Traffic::use, then of all terminals
  std::vector<std::uint32_t> leaves_;    // that have parallel cables
  std::vector<std::uint32_t> bundle_;    // [number of leaf * kPorts + port]: its group, if parallel
  std::vector<Target> others_;
};

}  // namespace

void relieve_climbs(const Model& model, const TreeClimb& climb, std::span<const std::uint32_t> rank,
                    int threads, ForwardingTables& tables) {
  if (has_even_climbs(climb)) return;
  Traffic traffic(model.fabric(), climb, model.counted(), threads, tables);
  Relief(climb, rank, traffic, tables).run();
  Bundles(climb, traffic, tables).run();
}

}  // namespace fatwood
