// SPDX-License-Identifier: BSD-3-Clause
#include "routing/shortest/lane_tree.hpp"

#include <algorithm>
#include <limits>
#include <ranges>

#include "core/invariant.hpp"

namespace fatwood {

namespace {

// Times that the switches around fixed paths are routed again. After that, all paths are fixed.
constexpr unsigned kMostAgain = 16;

}  // namespace

LaneTree::LaneTree(const LinkGraph& links, const EscapeTree& escape)
    : links_(links),
      escape_(escape),
      next_(links.switches, kNone<Link>),
      hops_(links.switches, kUnsettled),
      sum_(links.switches),
      is_fixed_(links.switches) {}

void LaneTree::grow(const Task& task, Layer& lane) {
  fixed_.clear();
  std::ranges::fill(is_fixed_, 0);
  begin(task);
  for (unsigned again = 1; !lay(task, lane); ++again) {
    lane.undo();
    const std::size_t fixed = fixed_.size();
    if (again == kMostAgain) {
      late_.clear();
      for (const NearerLinks::Entry& entry : task.nearer.entries) late_.push_back(entry.at);
    }
    fix_escape_paths(task);
    invariant(fixed_.size() > fixed, "no path over the escape tree is left to fix");
    begin(task);
  }
  // Fixed paths are settled before what is nearer.
  if (!fixed_.empty()) {
    std::ranges::stable_sort(order_, {}, [&](std::uint32_t s) { return hops_[s]; });
  }
}

// Settles the destination and the fixed paths.
void LaneTree::begin(const Task& task) {
  std::ranges::fill(hops_, kUnsettled);
  std::ranges::fill(next_, kNone<Link>);
  hops_[task.destination] = 0;
  sum_[task.destination] = 0;
  farthest_ = 0;
  order_.assign(1, task.destination);
  for (const std::uint32_t s : fixed_) settle(task, s, escape_next_[s]);
}

void LaneTree::settle(const Task& task, std::uint32_t s, Link link) {
  const std::uint32_t beyond = links_.to[link];
  next_[s] = link;
  hops_[s] = hops_[beyond] + 1;
  sum_[s] = sum_[beyond] + task.weights[link];
  farthest_ = std::max(farthest_, hops_[s]);
  order_.push_back(s);
}

// Settles all switches, one hop more at a time. False if some have no link.
bool LaneTree::lay(const Task& task, Layer& lane) {
  late_.clear();
  auto entry = task.nearer.entries.begin();
  const auto end = task.nearer.entries.end();
  for (std::uint32_t hops = 1; entry != end || !late_.empty(); ++hops) {
    if (entry == end && hops > farthest_ + 1) return false;
    const std::size_t later = late_.size();
    for (; entry != end && task.least[entry->at] == hops; ++entry) {
      if (hops_[entry->at] != kUnsettled) continue;  // fixed
      if (!take_nearer(task, lane, *entry, hops)) late_.push_back(entry->at);
    }
    const auto found =
        std::remove_if(late_.begin(), late_.begin() + static_cast<std::ptrdiff_t>(later),
                       [&](std::uint32_t s) { return take(task, lane, s, hops, links_.of(s)); });
    late_.erase(found, late_.begin() + static_cast<std::ptrdiff_t>(later));
  }
  return true;
}

bool LaneTree::take_nearer(const Task& task, Layer& lane, const NearerLinks::Entry& entry,
                           std::uint32_t hops) {
  if (entry.in_a_row) {
    return take(task, lane, entry.at, hops,
                IdRange<Link>{Link{entry.first}, Link{entry.first + entry.count}});
  }
  return take(task, lane, entry.at, hops,
              std::span(task.nearer.scattered).subspan(entry.first, entry.count));
}

// Takes the lightest link to a switch one hop nearer that the lane accepts; the lowest on a tie.
template <class Links>
bool LaneTree::take(const Task& task, Layer& lane, std::uint32_t s, std::uint32_t hops,
                    const Links& links) {
  constexpr Choice kNothing{std::numeric_limits<std::uint64_t>::max(), kNone<Link>};
  const auto choice = [&](Link link) {
    return Choice{sum_[links_.to[link]] + task.weights[link], link};
  };
  const auto try_link = [&](Link link) {
    const Link after = next_[links_.to[link]];
    if (after != kNone<Link> && !lane.add(link, after)) return false;
    settle(task, s, link);
    return true;
  };
  Choice best = kNothing;
  for (const Link link : links) {
    if (hops_[links_.to[link]] + 1 == hops) best = std::min(best, choice(link));
  }
  if (best == kNothing) return false;
  if (try_link(best.link)) return true;
  // Refused: try the others, lightest first.
  choices_.clear();
  for (const Link link : links) {
    if (hops_[links_.to[link]] + 1 == hops && link != best.link) choices_.push_back(choice(link));
  }
  std::ranges::make_heap(choices_, std::ranges::greater());
  while (!choices_.empty()) {
    std::ranges::pop_heap(choices_, std::ranges::greater());
    if (try_link(choices_.back().link)) return true;
    choices_.pop_back();
  }
  return false;
}

// Fixes the escape paths of all switches that have no link.
void LaneTree::fix_escape_paths(const Task& task) {
  if (fixed_.empty()) {
    ++impasses_;
    escape_next_ = escape_.towards(task.destination);
  }
  std::vector<std::uint32_t> path;
  for (const std::uint32_t late : late_) {
    path.clear();
    for (std::uint32_t s = late; s != task.destination && is_fixed_[s] == 0;
         s = links_.to[escape_next_[s]]) {
      is_fixed_[s] = 1;
      path.push_back(s);
    }
    fixed_.insert(fixed_.end(), path.rbegin(), path.rend());
  }
}

LaneTree::Detours LaneTree::detours(const Task& task,
                                    std::span<const std::uint64_t> sources) const {
  Detours detours{0, 0};
  for (const std::uint32_t s : order_) {
    const std::uint32_t extra = hops_[s] - task.least[s];
    detours.first += extra * sources[s];
    detours.second += extra;
  }
  return detours;
}

}  // namespace fatwood
