// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rates/rank_shares.hpp"

#include <algorithm>
#include <bit>

namespace fatwood {
namespace {

constexpr std::size_t kSortedLevels = 24;  // more are in a heap

unsigned lowest(unsigned bits) { return static_cast<unsigned>(std::countr_zero(bits)); }

}  // namespace

RankShares::RankShares(double capacity, std::size_t ranks, std::size_t links)
    : capacity_(capacity),
      level_of_(ranks + 1),
      flows_(ranks),
      progress_(ranks),
      links_(links),
      part_(ranks),
      changed_(ranks),
      filling_(links),
      levels_(kSortedLevels) {
  for (std::size_t n = 1; n <= ranks; ++n) level_of_[n] = capacity / static_cast<double>(n);
}

void RankShares::add_to_many(LinkState& link, Rank rank) {
  if (!link.many) {
    if (free_many_.empty()) {
      free_many_.push_back(static_cast<std::uint16_t>(many_.size()));
      many_.emplace_back();
    }
    many_[free_many_.back()].assign(link.few.begin(), link.few.end());
    link.few[0] = free_many_.back();
    link.many = true;
    free_many_.pop_back();
  }
  many_[link.few[0]].push_back(rank);
  ++link.size;
}

void RankShares::remove_from_many(LinkState& link, Rank rank) {
  const std::uint16_t at = link.few[0];
  std::vector<Rank>& list = many_[at];
  list.erase(std::find(list.begin(), list.end(), rank));
  if (--link.size > kFew / 2) return;
  std::copy_n(list.begin(), link.size, link.few.begin());
  link.many = false;
  free_many_.push_back(at);
}

// The link matters for this flow from now on, or no longer.
[[gnu::always_inline]] inline void RankShares::flip_narrow(Rank rank, Link link) {
  Flow& flow = flows_[rank];
  unsigned i = 0;
  while (flow.link[i] != link) ++i;
  flow.narrow = static_cast<std::uint8_t>(flow.narrow ^ (1U << i));
}

void RankShares::add(Rank rank, std::span<const Link> path, double bytes, double now) {
  Flow& flow = flows_[rank];
  flow.rate = 0;
  progress_[rank].left = bytes;
  progress_[rank].since = now;
  unsigned narrow = 0;
  unsigned i = 0;
  for (const Link l : path) {
    if (l == kNone) break;
    LinkState& link = links_[l];
    flow.link[i] = l;
    if (link.size == 1) flip_narrow(link.few[0], l);
    if (link.size >= 1) narrow |= 1U << i;
    if (!link.many && link.size < kFew) {
      link.few[link.size++] = rank;
    } else {
      add_to_many(link, rank);
    }
    ++i;
  }
  flow.size = static_cast<std::uint8_t>(i);
  flow.narrow = static_cast<std::uint8_t>(narrow);
  added_.push_back(rank);
}

void RankShares::remove(Rank rank) {
  const Flow& flow = flows_[rank];
  for (unsigned i = 0; i < flow.size; ++i) {
    LinkState& link = links_[flow.link[i]];
    if (link.size >= 2 && !link.touched) {  // its other flows may get more, or less
      link.touched = true;
      touched_.push_back(flow.link[i]);
    }
    if (link.many) {
      remove_from_many(link, rank);
    } else {
      Rank* at = link.few.data();
      while (*at != rank) ++at;
      for (const Rank* const last = link.few.data() + --link.size; at != last; ++at) *at = at[1];
    }
    if (link.size == 1) flip_narrow(link.few[0], flow.link[i]);
  }
}

[[gnu::always_inline]] inline void RankShares::gather(Rank rank) {
  if (flows_[rank].open) return;
  flows_[rank].open = true;
  part_[num_part_++] = rank;
}

// The one that came last first.
[[gnu::always_inline]] inline void RankShares::gather_users(const LinkState& link) {
  const Rank* const list = users(link);
  for (std::size_t u = link.size; u-- > 0;) gather(list[u]);
}

[[gnu::always_inline]] inline void RankShares::set_rate(Flow& flow, Rank rank, double rate,
                                                        Link by) {
  flow.held_by = by;
  flow.open = false;
  if (flow.rate == rate) return;
  Progress& progress = progress_[rank];
  progress.left = std::max(0.0, progress.left - flow.rate * (now_ - progress.since));
  progress.since = now_;
  flow.rate = rate;
  changed_[num_changed_++] = rank;
}

// Everything that links which matter connect to what is in part_ already; its links become
// filling_.
void RankShares::gather_part() {
  num_filling_ = 0;
  for (std::size_t at = 0; at < num_part_; ++at) {
    Flow& flow = flows_[part_[at]];
    if (flow.narrow == 0) {
      set_rate(flow, part_[at], capacity_, kNone);
      continue;
    }
    for (unsigned bits = flow.narrow; bits != 0; bits &= bits - 1) {
      const unsigned i = lowest(bits);
      LinkState& link = links_[flow.link[i]];
      if (link.local != kNone) continue;
      link.local = static_cast<std::uint16_t>(num_filling_);
      filling_[num_filling_++] = {capacity_, link.size, flow.link[i]};
      gather_users(link);
    }
  }
  solved_ += num_part_;
}

[[gnu::always_inline]] inline void RankShares::fix_users(const Filling& full, double level) {
  const LinkState& link = links_[full.link];
  const Rank* const list = users(link);
  for (std::size_t u = 0; u < link.size; ++u) {
    Flow& flow = flows_[list[u]];
    if (!flow.open) continue;
    for (unsigned bits = flow.narrow; bits != 0; bits &= bits - 1) {
      Filling& filling = filling_[links_[flow.link[lowest(bits)]].local];
      filling.left -= level;
      --filling.open;
    }
    set_rate(flow, list[u], level, full.link);
  }
}

// The order of ShortQueue: the smallest key, and of equal ones the one that was put in last.
void RankShares::fill() {
  Level* const levels = levels_.data();
  for (std::uint32_t n = 0; n < num_filling_; ++n) {
    const double key = level_of_[filling_[n].open];
    std::uint32_t at = n;
    for (; at > 0 && levels[at - 1].key >= key; --at) levels[at] = levels[at - 1];
    levels[at] = {key, n};
  }
  for (std::size_t next = 0; next < num_filling_; ++next) {
    const Level level = levels[next];
    const Filling& filling = filling_[level.at];
    if (filling.open == 0) continue;
    const double now = std::max(filling.left, 0.0) / filling.open;
    if (now <= level.key) {
      fix_users(filling, level.key);
      continue;
    }
    std::size_t at = next;
    for (; at + 1 < num_filling_ && levels[at + 1].key < now; ++at) levels[at] = levels[at + 1];
    levels[at] = {now, level.at};
    --next;
  }
}

void RankShares::fill_many() {
  heap_.clear();
  for (std::uint32_t n = 0; n < num_filling_; ++n) {
    heap_.push(double_bits(level_of_[filling_[n].open]), n);
  }
  while (!heap_.empty()) {
    const auto [key, n] = heap_.pop();
    const Filling& filling = filling_[n];
    if (filling.open == 0) continue;
    const std::uint64_t now = double_bits(std::max(filling.left, 0.0) / filling.open);
    if (now > key) {
      heap_.push(now, n);
    } else {
      fix_users(filling, std::bit_cast<double>(key));
    }
  }
}

std::span<const RankShares::Rank> RankShares::settle(double now) {
  now_ = now;
  num_part_ = 0;
  num_changed_ = 0;
  for (const Rank rank : added_) gather(rank);
  for (const Link link : touched_) {
    links_[link].touched = false;
    gather_users(links_[link]);
  }
  added_.clear();
  touched_.clear();
  gather_part();
  if (num_filling_ <= kSortedLevels) {
    fill();
  } else {
    fill_many();
  }
  for (std::size_t n = 0; n < num_filling_; ++n) links_[filling_[n].link].local = kNone;
  return {changed_.data(), num_changed_};
}

}  // namespace fatwood
