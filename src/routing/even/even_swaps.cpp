// SPDX-License-Identifier: BSD-3-Clause
#include "routing/even/even_swaps.hpp"

#include <algorithm>

namespace fatwood {

EvenSwaps::EvenSwaps(EvenNet& net, ShiftContention& contention, std::span<const std::uint32_t> rank,
                     ForwardingTables& tables)
    : net_(net),
      contention_(contention),
      rank_(rank),
      together_(net.num_channels() * net.num_terminals()),
      passable_(net.size()) {
  for (std::uint32_t s = 0; s < net.size(); ++s) {
    passable_[s] = std::ranges::any_of(net.cabled_ports(s), [&](Port port) {
      return !goes_up(s, net.channel[net.slot(s, port)].next);
    });
  }
  for (const EvenSource& source : net.sources()) {
    for (const EvenDestination& to : source.destinations) {
      Port* const row = tables.row(to.destination).data();
      entries_.push_back({source.at, &to, row});
      net.each_sender(source.at, to, [&](std::uint32_t from, std::uint64_t) {
        for (std::uint32_t s = net.sources()[from].at; s != source.at;) {
          const std::uint32_t slot = net.slot(s, row[s]);
          ++together_[place(slot, to)];
          s = net.channel[slot].next;
        }
      });
    }
  }
}

bool EvenSwaps::follow(std::uint32_t s, Port port, const Entry& entry, Path& path) const {
  path.size = 0;
  bool went_down = !goes_up(s, net_.channel[net_.slot(s, entry.row[s])].next);
  while (s != entry.at) {
    if (path.size == kMostHops) return false;
    const std::uint32_t slot = net_.slot(s, port);
    const std::uint32_t next = net_.channel[slot].next;
    if (next == kNobody || (went_down && goes_up(s, next))) return false;
    went_down = !goes_up(s, next);
    path.slots[path.size++] = slot;
    s = next;
    port = entry.row[s];
  }
  return true;
}

void EvenSwaps::set_old(std::uint32_t source, const Entry& entry, Flows& flows) const {
  const std::uint32_t s = net_.sources()[source].at;
  flows.entry = &entry;
  flows.units = entry.at == s ? 0 : net_.sent(source, entry.to->kind);
  if (flows.units == 0) return;
  if (!follow(s, entry.row[s], entry, flows.old_path)) flows.units = 0;
  flows.windows.clear();
  contention_.add_windows(net_.sources()[source], entry.to->number, flows.windows);
}

std::int64_t EvenSwaps::change_of(const Flows& flows) const {
  std::int64_t change = 0;
  for (std::size_t i = 0; i < flows.differ; ++i) {
    const std::uint32_t from = flows.old_path.slots[i];
    const std::uint32_t to = flows.new_path.slots[i];
    change += gain(together_[place(from, *flows.entry->to)] - 1U);
    change -= gain(together_[place(to, *flows.entry->to)]);
    change -=
        static_cast<std::int64_t>(contention_.saving(net_.channel[from].number, flows.windows));
    change += static_cast<std::int64_t>(contention_.price(net_.channel[to].number, flows.windows));
  }
  return change;
}

std::int64_t EvenSwaps::take(const Flows& flows, const Path& path) {
  std::int64_t change = 0;
  for (std::size_t i = 0; i < flows.differ; ++i) {
    EvenChannel& channel = net_.channel[path.slots[i]];
    std::uint16_t& there = together_[place(path.slots[i], *flows.entry->to)];
    channel.load -= flows.units;
    --there;
    change += gain(there);
    change -= static_cast<std::int64_t>(contention_.saving(channel.number, flows.windows));
    contention_.take(channel.number, flows.windows);
  }
  return change;
}

std::int64_t EvenSwaps::add(const Flows& flows, const Path& path) {
  std::int64_t change = 0;
  for (std::size_t i = 0; i < flows.differ; ++i) {
    EvenChannel& channel = net_.channel[path.slots[i]];
    std::uint16_t& there = together_[place(path.slots[i], *flows.entry->to)];
    change += static_cast<std::int64_t>(contention_.price(channel.number, flows.windows));
    contention_.add(channel.number, flows.windows);
    change -= gain(there);
    channel.load += flows.units;
    ++there;
  }
  return change;
}

// Squares: rather two links a little above their limits than one far above.
double EvenSwaps::overload_change(const Flows& a, const Flows& b) {
  const auto has_room = [&](const Path& path, std::size_t links, std::uint64_t more) {
    return std::all_of(path.slots.begin(), path.slots.begin() + static_cast<std::ptrdiff_t>(links),
                       [&](std::uint32_t slot) {
                         return net_.channel[slot].load + more <= net_.channel[slot].limit;
                       });
  };
  const std::uint64_t both = a.units + b.units;
  if (has_room(a.old_path, a.differ, 0) && has_room(b.old_path, b.differ, 0) &&
      has_room(a.new_path, a.differ, both) && has_room(b.new_path, b.differ, both)) {
    return 0;
  }
  changes_.clear();
  const auto note = [&](const Flows& flows, const Path& path, std::int64_t sign) {
    for (std::size_t i = 0; i < flows.differ; ++i) {
      const std::int64_t units = sign * static_cast<std::int64_t>(flows.units);
      const auto known = std::ranges::find(changes_, path.slots[i], &LoadChange::slot);
      if (known == changes_.end()) {
        changes_.push_back({path.slots[i], units});
      } else {
        known->units += units;
      }
    }
  };
  for (const Flows* flows : {&a, &b}) {
    note(*flows, flows->old_path, -1);
    note(*flows, flows->new_path, 1);
  }
  double sum = 0;
  for (const auto& [slot, units] : changes_) {
    const EvenChannel& channel = net_.channel[slot];
    const auto above = static_cast<std::int64_t>(channel.load - channel.limit);
    const auto square = [&](std::int64_t over) {
      const auto part = static_cast<double>(std::max<std::int64_t>(over, 0)) /
                        static_cast<double>(net_.capacity(slot));
      return part * part;
    };
    if (units != 0) sum += square(above + units) - square(above);
  }
  return sum;
}

bool EvenSwaps::set_new(std::uint32_t s, Port port, Flows& flows) const {
  if (!follow(s, port, *flows.entry, flows.new_path)) return false;
  if (flows.new_path.size != flows.old_path.size) return false;
  flows.differ = flows.old_path.size;
  while (flows.differ > 0 &&
         flows.old_path.slots[flows.differ - 1] == flows.new_path.slots[flows.differ - 1]) {
    --flows.differ;
  }
  return true;
}

bool EvenSwaps::overlap(const Flows& a, const Flows& b) {
  return std::ranges::any_of(a.windows, [&](const ShiftContention::Window& x) {
    return std::ranges::any_of(b.windows, [&](const ShiftContention::Window& y) {
      return x.first < y.first + y.count && y.first < x.first + x.count;
    });
  });
}

void EvenSwaps::try_swap(std::uint32_t s, Flows& a, Flows& b) {
  Port& port_a = a.entry->row[s];
  Port& port_b = b.entry->row[s];
  if (!set_new(s, port_b, a) || !set_new(s, port_a, b)) return;
  const double overload = overload_change(a, b);
  if (overload > 0) return;
  // In other shifts neither is in the other's way.
  if (overload == 0 && !overlap(a, b) && change_of(a) + change_of(b) >= 0) return;
  std::int64_t change = take(a, a.old_path) + take(b, b.old_path);
  change += add(a, a.new_path) + add(b, b.new_path);
  if (overload < 0 || change < 0) {
    std::swap(port_a, port_b);
    a.old_path = a.new_path;
    b.old_path = b.new_path;
    return;
  }
  take(a, a.new_path);
  take(b, b.new_path);
  add(a, a.old_path);
  add(b, b.old_path);
}

void EvenSwaps::swap_entries_of(std::uint32_t source) {
  const std::uint32_t s = net_.sources()[source].at;
  flows_.resize(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) set_old(source, entries_[i], flows_[i]);
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    if (flows_[i].units == 0) continue;
    for (std::size_t j = i + 1; j < flows_.size(); ++j) {
      if (flows_[j].units == 0 || entries_[j].row[s] == entries_[i].row[s]) continue;
      try_swap(s, flows_[i], flows_[j]);
    }
  }
}

void EvenSwaps::run() {
  for (std::uint32_t source = 0; source < net_.sources().size(); ++source) {
    if (passable_[net_.sources()[source].at] == 0) swap_entries_of(source);
  }
}

}  // namespace fatwood
