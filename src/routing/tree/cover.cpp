// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/cover.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "routing/tree/bytes.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kChunk = 64;

}  // namespace

TreeCover::TreeCover(const TreeClimb& climb, const Table<Switch, std::uint32_t>& weight)
    : view(climb),
      climb_(climb),
      counted_(climb.size()),
      need_(climb.size()),
      nobody_(climb.size(), kNotBelow),
      marked_(climb.size()) {
  for (const Switch s : ids<Switch>(climb.size())) counted_[s] = weight[s] > 0 ? 0xff : 0;
  find_likes();
}

// Classes of peaks that are alike for all switches with counted terminals.
void TreeCover::find_likes() {
  std::map<std::string, Like> known;
  std::string row(climb_.size(), 0);
  for (const PeakClass peaks : ids<PeakClass>(climb_.num_classes())) {
    std::transform(counted_.begin(), counted_.end(), climb_.hops_to(peaks), row.begin(),
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

// The hops that the view needs of switches with counted terminals.
void TreeCover::find_needs() {
  view.look(destination_);
  if (needed_at_ == destination_) return;
  needed_at_ = destination_;
  std::transform(counted_.begin(), counted_.end(), view.climbing.begin(), need_.begin(),
                 std::bit_and<>());
}

// Whether all switches with counted terminals reach the peak in the fewest hops.
bool TreeCover::meets_all(Peak peak) {
  const std::uint8_t depth = view.descent[climb_.peaks()[peak]];
  Met& met = met_[like_[climb_.class_of(peak)]];
  if (met.destination != destination_ || met.depth != depth) {
    met = {destination_, depth, all_met(climb_.hops_to(peak), depth, need_.data(), climb_.size())};
  }
  return met.all;
}

const std::vector<Switch>& TreeCover::find_uncovered() {
  find_needs();
  uncovered_.clear();
  Peak peak = kNone<Peak>;
  for (const Switch top : tops_) {
    if (climb_.is_peak(top)) peak = climb_.peak(top);
  }
  if (peak != kNone<Peak> && meets_all(peak)) return uncovered_;
  for (const Switch top : tops_) {
    if (!climb_.is_peak(top)) mark_below(top);
  }
  const std::size_t n = climb_.size();
  // Without a peak: a row that covers nobody.
  const bool none = peak == kNone<Peak>;
  const std::uint8_t* const hops = none ? nobody_.data() : climb_.hops_to(peak);
  const std::uint8_t depth = none ? std::uint8_t{0} : view.descent[climb_.peaks()[peak]];
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
  for (const Below& entry : climb_.below(top)) {
    if (entry.hops + view.descent[top] == view.climbing[entry.at]) marked_[entry.at] = now_;
  }
}

void TreeCover::cover(Switch top, Switch s) {
  if (!climb_.is_peak(top)) {
    mark_below(top);
    std::erase_if(uncovered_, [&](Switch other) { return other == s || marked_[other] == now_; });
  } else {
    const std::uint8_t* const hops = climb_.hops_to(climb_.peak(top));
    std::erase_if(uncovered_, [&](Switch other) {
      return other == s || hops[index(other)] + view.descent[top] == view.climbing[other];
    });
  }
}

}  // namespace fatwood
