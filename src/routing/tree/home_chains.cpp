// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/home_chains.hpp"

#include <algorithm>

#include "topology/hosts/job_places.hpp"

namespace fatwood {

HomeChains::HomeChains(const Model& model, const Table<Terminal, std::uint8_t>& counted,
                       std::span<const Terminal> host_order)
    : fabric_(model.fabric()), model_(model) {
  const std::optional<TreeMap>& map = model.recognition().map;
  if (!map || map->trees != 1) return;
  map_ = &*map;
  const TreeShape& shape = map_->shape;
  for (unsigned level = 0; level < shape.height(); ++level) {
    sub_.emplace_back(shape.terminals() / shape.M(level));
  }
  const std::vector<Terminal> order = in_order(counted, host_order);
  for (const Terminal t : order) sub_[0][map_->terminal_place[t]].size = 1;
  for (unsigned level = 0; level < shape.height(); ++level) {
    const std::uint64_t chains = level == 0 ? 1 : shape.W(level) * shape.up_ports(level);
    std::uint64_t sum = 0;
    std::uint64_t last = shape.terminals();
    for (const Terminal t : order) {
      const std::uint64_t number = map_->terminal_place[t] / shape.M(level);
      if (number == last) continue;
      last = number;
      SubTree& one = sub_[level][number];
      if (chains > 0 && one.size > chains) one.size -= one.size % chains;
      one.start = sum;
      sum += one.size;
      if (level + 1 == shape.height()) continue;
      SubTree& above = sub_[level + 1][number / shape.m[level]];
      one.first = above.size;
      above.size += one.size;
    }
  }
  has_parallel_ = std::ranges::any_of(shape.p.begin() + 1, shape.p.end(),
                                      [](std::uint32_t p) { return p > 1; });
  constexpr std::uint64_t kFewHosts = 50;  // one in so many
  turns_ = kFewHosts * map_->missing_hosts > fabric_.num_terminals();
  turn_.resize(fabric_.num_switches());
  if (turns_) set_turns(order);
  hops_.resize(fabric_.num_switches());
  hops_of_.resize(fabric_.num_switches());
}

// The sub-trees of a level turn by 0, 1, 2, .. ports.
void HomeChains::set_turns(const std::vector<Terminal>& order) {
  const TreeShape& shape = map_->shape;
  for (unsigned level = 1; level < shape.height(); ++level) {
    std::vector<std::uint32_t> turn(sub_[level].size(), 0);
    std::uint32_t next = 0;
    std::uint64_t last = shape.terminals();
    for (const Terminal t : order) {
      const std::uint64_t number = map_->terminal_place[t] / shape.M(level);
      if (number != last) turn[number] = next++;
      last = number;
    }
    const std::uint64_t first = shape.first_at(level) - shape.terminals();
    for (std::uint64_t i = 0; i < shape.nodes_at(level); ++i) {
      const Switch s = map_->switch_at[first + i];
      if (s != kNone<Switch>) turn_[s] = turn[i / shape.W(level)];
    }
  }
}

// By the first host of their sub-trees, the highest first; then by their own.
std::vector<Terminal> HomeChains::in_order(const Table<Terminal, std::uint8_t>& counted,
                                           std::span<const Terminal> host_order) const {
  const TreeShape& shape = map_->shape;
  const JobPlaces places = job_places(model_, host_order);
  std::vector<std::vector<std::uint64_t>> key;  // by level and place
  for (unsigned level = 0; level < shape.height(); ++level) {
    key.emplace_back(sub_[level].size(), UINT64_MAX);
  }
  std::vector<Terminal> order;
  for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
    const std::uint64_t place = map_->terminal_place[t];
    if (counted[t] == 0 || place == kNoPlace) continue;
    order.push_back(t);
    const std::uint64_t own = std::uint64_t{places.of[t].host} << 32U | place;
    for (unsigned level = 0; level < shape.height(); ++level) {
      std::uint64_t& least = key[level][place / shape.M(level)];
      least = std::min(least, own);
    }
  }
  std::ranges::sort(order, [&](Terminal a, Terminal b) {
    for (unsigned level = shape.height(); level-- > 0;) {
      const std::uint64_t of_a = key[level][map_->terminal_place[a] / shape.M(level)];
      const std::uint64_t of_b = key[level][map_->terminal_place[b] / shape.M(level)];
      if (of_a != of_b) return of_a < of_b;
    }
    return false;
  });
  return order;
}

bool HomeChains::has_number(Terminal t) const {
  return map_ != nullptr && map_->terminal_place[t] != kNoPlace && sub(0, t).size > 0;
}

// By level: what d-mod-k divides.
std::vector<std::uint64_t> HomeChains::numbers(Terminal t) const {
  const TreeShape& shape = map_->shape;
  std::vector<std::uint64_t> numbers(shape.height(), 0);
  std::uint64_t number = 0;  // within the sub-tree
  for (unsigned level = 1; level < shape.height(); ++level) {
    number = (number + sub(level - 1, t).first) % sub(level, t).size;
    numbers[level] = sub(level, t).start + number;
  }
  return numbers;
}

Channel HomeChains::up(Switch s, std::uint32_t port) const {
  return map_->channel[map_->first_slot[map_->place[s]] + port + 1];
}

std::vector<DownStep> HomeChains::of(Terminal t) const {
  std::vector<DownStep> steps;
  if (!has_number(t)) return steps;
  const std::vector<std::uint64_t> number = numbers(t);
  Switch at = fabric_.leaf(t);
  for (unsigned level = 1; level < map_->shape.height(); ++level) {
    if (map_->place[at] == kNoPlace || map_->shape.up_ports(level) == 0) break;
    const Channel c = up(at, up_port(level, number[level]));
    if (c == kNone<Channel>) break;
    at = fabric_.next_switch(c);
    steps.push_back({at, fabric_.port(fabric_.peer(c))});
  }
  return steps;
}

std::uint32_t HomeChains::hops(Switch s, std::span<const Port> row) {
  if (hops_of_[s] != version_) {
    hops_of_[s] = version_;
    hops_[s] = kNone<std::uint32_t>;
    const Port port = row[index(s)];
    if (port != kNoRoute) {
      const std::uint32_t rest =
          hops(fabric_.next_switch(fabric_.channel(fabric_.node(s), port)), row);
      if (rest != kNone<std::uint32_t>) hops_[s] = rest + 1;
    }
  }
  return hops_[s];
}

void HomeChains::choose(Terminal t, const Table<Switch, std::uint32_t>& rank, std::span<Port> row) {
  if (!has_number(t)) return;
  const TreeShape& shape = map_->shape;
  const std::vector<std::uint64_t> number = numbers(t);
  ++version_;
  hops_of_[fabric_.leaf(t)] = version_;
  hops_[fabric_.leaf(t)] = 0;
  for (unsigned level = shape.height(); level-- > 1;) {
    const std::uint64_t first = shape.first_at(level) - shape.terminals();
    for (std::uint64_t i = first; i < first + shape.nodes_at(level); ++i) {
      const Switch s = map_->switch_at[i];
      if (s == kNone<Switch> || s == fabric_.leaf(t) || row[index(s)] == kNoRoute) continue;
      const Switch now = fabric_.next_switch(fabric_.channel(fabric_.node(s), row[index(s)]));
      if (rank[now] > rank[s]) continue;  // it goes down
      const Channel home =
          up(s, (up_port(level, number[level]) + turn_[s]) % shape.up_ports(level));
      if (home == kNone<Channel>) continue;
      const Switch above = fabric_.next_switch(home);
      if (rank[above] < rank[s] && hops(above, row) == hops(now, row)) {
        row[index(s)] = fabric_.port(home);
      }
    }
  }
  if (turns_) choose_cables_down(t, row);
}

// Of parallel cables down, so that all carry the same: two terminals of a leaf that come down by
// the same switch take different ones.
void HomeChains::choose_cables_down(Terminal t, std::span<Port> row) const {
  const TreeShape& shape = map_->shape;
  const std::vector<std::uint64_t> number = numbers(t);
  std::vector<Switch> below{fabric_.leaf(t)};
  for (unsigned level = 1; level < shape.height(); ++level) {
    const std::uint32_t w = shape.w[level];
    const std::uint32_t p = shape.p[level];
    std::vector<Switch> next;
    for (const Switch s : below) {
      if (map_->place[s] == kNoPlace) continue;
      const std::uint64_t of_level = number[level] / shape.W(level);
      for (std::uint32_t i = 0; i < w; ++i) {
        const auto cable = static_cast<std::uint32_t>((of_level / w + of_level % w + i) % p);
        Channel home = up(s, i + w * cable);
        for (std::uint32_t k = 1; k < p && home == kNone<Channel>; ++k) {
          home = up(s, i + w * ((cable + k) % p));
        }
        if (home == kNone<Channel>) continue;
        const Switch above = fabric_.next_switch(home);
        next.push_back(above);
        const Port now = row[index(above)];
        if (p > 1 && now != kNoRoute &&
            fabric_.neighbour(fabric_.channel(fabric_.node(above), now)) == fabric_.node(s)) {
          row[index(above)] = fabric_.port(fabric_.peer(home));
        }
      }
    }
    below = std::move(next);
  }
}

}  // namespace fatwood
