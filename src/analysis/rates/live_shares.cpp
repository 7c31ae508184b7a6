// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rates/live_shares.hpp"

#include <algorithm>
#include <cassert>

namespace fatwood {
namespace {

std::uint64_t bit(std::uint32_t i) { return i < 64 ? std::uint64_t{1} << i : 0; }

}  // namespace

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
  state.plain = weight == 1 && state.size <= 64;
  for (const LinkUse& use : uses) {
    if (use.amount != 1 || links_[use.link].capacity != state.limit) state.plain = false;
  }
  if (!state.plain) ++not_plain_;
  slots_[slot] = state;
  std::uint32_t e = state.first;
  for (const LinkUse& use : uses) {
    Link& link = links_[use.link];
    const bool mattered = matters(link);
    entries_[e] = use;
    add_user(link, {slot, e});
    link.demand += use.amount * weight * state.limit;
    if (mattered) {
      slots_[slot].narrow |= bit(e - state.first);
    } else if (matters(link)) {
      flip_narrow(link);
    }
    ++e;
  }
  added_.push_back(slot);
  return slot;
}

void LiveShares::add_user(Link& link, User user) {
  if (link.size < kFew && link.many == kEnd) {
    link.few[link.size++] = user;
    return;
  }
  if (link.many == kEnd) {
    if (free_many_.empty()) {
      free_many_.push_back(static_cast<std::uint32_t>(many_.size()));
      many_.emplace_back();
    }
    link.many = free_many_.back();
    free_many_.pop_back();
    many_[link.many].assign(link.few.begin(), link.few.end());
  }
  many_[link.many].push_back(user);
  ++link.size;
}

void LiveShares::remove_user(Link& link, std::uint32_t entry) {
  User* const first = link.many == kEnd ? link.few.data() : many_[link.many].data();
  User* at = first;
  while (at->entry != entry) ++at;
  for (const User* const last = first + --link.size; at != last; ++at) *at = at[1];
  if (link.many == kEnd) return;
  many_[link.many].pop_back();
  if (link.size > kFew / 2) return;
  std::copy_n(first, link.size, link.few.begin());
  free_many_.push_back(link.many);
  link.many = kEnd;
}

// The link matters from now on, or no longer.
void LiveShares::flip_narrow(const Link& link) {
  for (const User& user : users(link)) {
    State& state = slots_[user.slot];
    state.narrow ^= bit(user.entry - state.first);
  }
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
    const LinkUse& entry = entries_[e];
    Link& link = links_[entry.link];
    const bool mattered = matters(link);
    if (mattered) touch(entry.link);  // its other users may get more, or less
    remove_user(link, e);
    link.demand -= entry.amount * state.weight * state.limit;
    if (link.size == 0) link.demand = 0;
    if (mattered && !matters(link)) flip_narrow(link);
  }
  if (!state.plain) --not_plain_;
  free_entries_[state.size].push_back(state.first);
  free_slots_.push_back(slot);
  state.used = false;
}

void LiveShares::gather(Slot slot) {
  if (slots_[slot].gathered || !slots_[slot].used) return;
  slots_[slot].gathered = true;
  part_.push_back(slot);
}

// The one that came last first.
void LiveShares::gather_users(const Link& link) {
  const std::span<const User> list = users(link);
  for (std::size_t u = list.size(); u-- > 0;) gather(list[u].slot);
}

// Everything that links which matter join to what is in part_ already, as a problem for solver_.
// What has no such link gets its own limit at once: no problem has to be solved for it.
void LiveShares::gather_part() {
  solver_.begin();
  std::size_t kept = 0;
  for (std::size_t at = 0; at < part_.size(); ++at) {
    const Slot slot = part_[at];
    const State& state = slots_[slot];
    each_narrow(state, [&](std::uint32_t e) {
      Link& link = links_[entries_[e].link];
      if (link.number == kEnd) {
        link.number = solver_.add_link(link.capacity, entries_[e].link);
        part_links_.push_back(entries_[e].link);
        gather_users(link);
      }
      solver_.add_use(link.number, entries_[e].amount * state.weight, state.limit);
    });
    if (solver_.has_uses()) {
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
    gather_users(links_[link]);
  }
  added_.clear();
  touched_.clear();
  if (not_plain_ == 0) {
    gather_plain();
    if (filling_.size() <= ShareSolver::kShort) {
      fill_plain(short_);
    } else {
      fill_plain(heap_);
    }
  } else {
    gather_part();
    if (!part_.empty()) {
      const Shares& shares = solver_.solve_added();
      for (std::size_t i = 0; i < part_.size(); ++i) {
        set_rate(part_[i], shares.rate[i] * slots_[part_[i]].weight, shares.fixed_by[i]);
      }
    }
  }
  for (const LinkNumber link : part_links_) links_[link].number = kEnd;
  return changed_;
}

// As gather_part(), without a copy for the solver: its links become filling_.
void LiveShares::gather_plain() {
  filling_.clear();
  for (std::size_t at = 0; at < part_.size(); ++at) {
    const State& state = slots_[part_[at]];
    if (state.narrow == 0) set_rate(part_[at], state.limit, kNoLink);
    each_narrow(state, [&](std::uint32_t e) {
      Link& link = links_[entries_[e].link];
      if (link.number != kEnd) return;
      link.number = static_cast<std::uint32_t>(filling_.size());
      filling_.push_back({link.capacity, link.size, entries_[e].link});
      part_links_.push_back(entries_[e].link);
      gather_users(link);
    });
  }
  solved_ += part_.size();
}

// As ShareSolver::fill(). A variable that has its rate is no longer gathered.
template <class Queue>
void LiveShares::fill_plain(Queue& queue) {
  queue.clear();
  for (std::uint32_t n = 0; n < filling_.size(); ++n) {
    queue.push(double_bits(filling_[n].left / filling_[n].open), n);
  }
  while (!queue.empty()) {
    const auto [key, n] = queue.pop();
    const Filling& filling = filling_[n];
    if (filling.open == 0) continue;
    const std::uint64_t now = double_bits(std::max(filling.left, 0.0) / filling.open);
    if (now > key) {
      queue.push(now, n);
      continue;
    }
    for (const User& user : users(links_[filling.link])) {
      if (slots_[user.slot].gathered)
        fix_plain(user.slot, std::bit_cast<double>(key), filling.link);
    }
  }
}

void LiveShares::fix_plain(Slot slot, double level, LinkNumber by) {
  each_narrow(slots_[slot], [&](std::uint32_t e) {
    Filling& filling = filling_[links_[entries_[e].link].number];
    filling.left -= level;
    --filling.open;
  });
  set_rate(slot, level, by);
}

}  // namespace fatwood
