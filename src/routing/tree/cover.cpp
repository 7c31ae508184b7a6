// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/cover.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "routing/tree/bytes.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kChunk = 64;

}  // namespace

TreeCover::TreeCover(const UpDownOrder& up_down, const Table<Switch, std::uint32_t>& weight)
    : view(up_down),
      up_down_(up_down),
      counted_(up_down.size()),
      need_(up_down.size()),
      nobody_(up_down.size(), kNotBelow),
      marked_(up_down.size()) {
  for (const Switch s : ids<Switch>(up_down.size())) counted_[s] = weight[s] > 0 ? 0xff : 0;
  find_likes();
}

// Finds classes of roots that are equal for all switches with counted terminals.
void TreeCover::find_likes() {
  std::map<std::string, Like> known;
  std::string row(up_down_.size(), 0);
  for (const RootClass roots : ids<RootClass>(up_down_.num_classes())) {
    std::transform(counted_.begin(), counted_.end(), up_down_.hops_to(roots), row.begin(),
                   std::bit_and<>());
    like_.push_back(known.try_emplace(row, static_cast<Like>(known.size())).first->second);
  }
  met_.resize(known.size());
}

void TreeCover::begin(Switch destination) {
  destination_ = destination;
  tops_.clear();
  ++now_;
}

// The fewest hops of switches with counted terminals, from the view.
void TreeCover::find_needs() {
  view.look(destination_);
  if (needed_at_ == destination_) return;
  needed_at_ = destination_;
  std::transform(counted_.begin(), counted_.end(), view.up_hops.begin(), need_.begin(),
                 std::bit_and<>());
}

// Whether all switches with counted terminals reach the root in the fewest hops.
bool TreeCover::meets_all(Root root) {
  const std::uint8_t depth = view.down_hops[up_down_.roots()[root]];
  Met& met = met_[like_[up_down_.class_of(root)]];
  if (met.destination != destination_ || met.depth != depth) {
    met = {destination_, depth,
           all_met(up_down_.hops_to(root), depth, need_.data(), up_down_.size())};
  }
  return met.all;
}

const std::vector<Switch>& TreeCover::find_uncovered() {
  find_needs();
  uncovered_.clear();
  Root root = kNone<Root>;
  for (const Switch top : tops_) {
    if (up_down_.is_root(top)) root = up_down_.root(top);
  }
  if (root != kNone<Root> && meets_all(root)) return uncovered_;
  for (const Switch top : tops_) {
    if (!up_down_.is_root(top)) mark_below(top);
  }
  const std::size_t n = up_down_.size();
  // Without a root: a row that covers no switch.
  const bool none = root == kNone<Root>;
  const std::uint8_t* const hops = none ? nobody_.data() : up_down_.hops_to(root);
  const std::uint8_t depth = none ? std::uint8_t{0} : view.down_hops[up_down_.roots()[root]];
  for (std::size_t begin = 0; begin < n; begin += kChunk) {
    const std::size_t end = std::min(n, begin + kChunk);
    if (all_met(hops + begin, depth, need_.data() + begin, end - begin)) continue;
    for (std::size_t i = begin; i < end; ++i) {
      const auto s = static_cast<Switch>(i);
      if (need_[s] == 0 || marked_[s] == now_ || hops[i] + depth == need_[s]) continue;
      uncovered_.push_back(s);
    }
  }
  return uncovered_;
}

void TreeCover::mark_below(Switch top) {
  for (const Below& entry : up_down_.below(top)) {
    if (entry.hops + view.down_hops[top] == view.up_hops[entry.at]) marked_[entry.at] = now_;
  }
}

void TreeCover::cover(Switch top, Switch s) {
  if (!up_down_.is_root(top)) {
    mark_below(top);
    std::erase_if(uncovered_, [&](Switch other) { return other == s || marked_[other] == now_; });
  } else {
    const std::uint8_t* const hops = up_down_.hops_to(up_down_.root(top));
    std::erase_if(uncovered_, [&](Switch other) {
      return other == s || hops[index(other)] + view.down_hops[top] == view.up_hops[other];
    });
  }
}

}  // namespace fatwood
