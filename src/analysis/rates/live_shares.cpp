// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rates/live_shares.hpp"

#include <cassert>

namespace fatwood {

LiveShares::LiveShares(std::vector<double> capacity) : links_(capacity.size()) {
  for (std::size_t l = 0; l < capacity.size(); ++l) links_[l].capacity = capacity[l];
}

std::uint32_t LiveShares::take_entries(std::uint32_t size) {
  if (free_entries_.size() <= size) free_entries_.resize(size + std::size_t{1});
  std::vector<std::uint32_t>& free = free_entries_[size];
  if (!free.empty()) {
    const std::uint32_t first = free.back();
    free.pop_back();
    return first;
  }
  entries_.resize(entries_.size() + size);
  return static_cast<std::uint32_t>(entries_.size()) - size;
}

LiveShares::Slot LiveShares::add(std::span<const LinkUse> uses, double weight, double cap) {
  Slot slot = static_cast<Slot>(slots_.size());
  if (free_slots_.empty()) {
    slots_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  State state;
  state.size = static_cast<std::uint32_t>(uses.size());
  state.first = take_entries(state.size);
  state.weight = weight;
  state.used = true;
  state.limit = cap / weight;
  for (const LinkUse& use : uses) {
    const double capacity = links_[use.link].capacity;
    if (capacity < state.limit * (use.amount * weight)) {
      state.limit = capacity / (use.amount * weight);
      state.limited_by = use.link;
    }
  }
  assert(state.limit < kNoCap);
  std::uint32_t e = state.first;
  for (const LinkUse& use : uses) {
    Link& link = links_[use.link];
    entries_[e] = {use.link, use.amount, slot, link.head, kEnd};
    if (link.head != kEnd) entries_[link.head].prev = e;
    link.head = e++;
    link.demand += use.amount * weight * state.limit;
    ++link.users;
  }
  slots_[slot] = state;
  added_.push_back(slot);
  return slot;
}

void LiveShares::touch(LinkNumber link) {
  if (links_[link].touched) return;
  links_[link].touched = true;
  touched_.push_back(link);
}

void LiveShares::remove(Slot slot) {
  State& state = slots_[slot];
  assert(state.used);
  for (std::uint32_t e = state.first; e < state.first + state.size; ++e) {
    const Entry& entry = entries_[e];
    Link& link = links_[entry.link];
    if (matters(link)) touch(entry.link);  // its other users may get more, or less
    (entry.prev == kEnd ? link.head : entries_[entry.prev].next) = entry.next;
    if (entry.next != kEnd) entries_[entry.next].prev = entry.prev;
    link.demand -= entry.amount * state.weight * state.limit;
    if (--link.users == 0) link.demand = 0;
  }
  free_entries_[state.size].push_back(state.first);
  free_slots_.push_back(slot);
  state.used = false;
}

void LiveShares::gather(Slot slot) {
  if (slots_[slot].gathered || !slots_[slot].used) return;
  slots_[slot].gathered = true;
  part_.push_back(slot);
}

// Everything that links which matter join to what is in part_ already, as a problem for solver_.
// What has no such link gets its own limit at once: no problem has to be solved for it.
void LiveShares::gather_part() {
  solver_.begin();
  std::size_t kept = 0;
  for (std::size_t at = 0; at < part_.size(); ++at) {
    const Slot slot = part_[at];
    const State& state = slots_[slot];
    bool joined = false;
    for (std::uint32_t e = state.first; e < state.first + state.size; ++e) {
      Link& link = links_[entries_[e].link];
      if (!matters(link)) continue;
      joined = true;
      if (link.number == kEnd) {
        link.number = solver_.add_link(link.capacity, entries_[e].link);
        part_links_.push_back(entries_[e].link);
        for (std::uint32_t u = link.head; u != kEnd; u = entries_[u].next) gather(entries_[u].slot);
      }
      solver_.add_use(link.number, entries_[e].amount * state.weight, state.limit);
    }
    if (joined) {
      solver_.end_variable(state.limit);
      part_[kept++] = slot;
    } else {
      set_rate(slot, state.limit * state.weight, kNoLink);
    }
  }
  solved_ += part_.size();
  part_.resize(kept);
}

// `by`: the link that holds it back; kNoLink: its own limit does.
void LiveShares::set_rate(Slot slot, double rate, LinkNumber by) {
  State& state = slots_[slot];
  state.fixed_by = by == kNoLink ? state.limited_by : by;
  if (state.rate != rate) changed_.push_back(slot);
  state.rate = rate;
  state.gathered = false;
}

void LiveShares::solve_part() {
  const Shares& shares = solver_.solve_added();
  for (std::size_t i = 0; i < part_.size(); ++i) {
    set_rate(part_[i], shares.rate[i] * slots_[part_[i]].weight, shares.fixed_by[i]);
  }
  for (const LinkNumber link : part_links_) links_[link].number = kEnd;
}

std::span<const LiveShares::Slot> LiveShares::settle() {
  changed_.clear();
  part_.clear();
  part_links_.clear();
  for (const Slot slot : added_) {
    if (!slots_[slot].used) continue;
    slots_[slot].rate = -1;  // counts as changed
    gather(slot);
  }
  for (const LinkNumber link : touched_) {
    links_[link].touched = false;
    for (std::uint32_t u = links_[link].head; u != kEnd; u = entries_[u].next) {
      gather(entries_[u].slot);
    }
  }
  added_.clear();
  touched_.clear();
  gather_part();
  if (!part_.empty()) solve_part();
  return changed_;
}

double LiveShares::load(LinkNumber link) const {
  double sum = 0;
  each_user(link, [&](Slot slot, double amount) { sum += amount * slots_[slot].rate; });
  return sum;
}

}  // namespace fatwood
