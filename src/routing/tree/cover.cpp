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

TreeCover::TreeCover(const TreeClimb& climb, std::span<const std::uint32_t> weight)
    : view(climb),
      climb_(climb),
      counted_(climb.size()),
      need_(climb.size()),
      nobody_(climb.size(), kNotBelow),
      marked_(climb.size()) {
  for (std::size_t s = 0; s < climb.size(); ++s) counted_[s] = weight[s] > 0 ? 0xff : 0;
  find_likes();
}

// Classes of peaks that are alike for all switches with counted terminals.
void TreeCover::find_likes() {
  const std::size_t n = climb_.size();
  std::map<std::string, std::uint32_t> known;
  std::string row(n, 0);
  for (std::size_t c = 0; c * n < climb_.hops.size(); ++c) {
    for (std::size_t s = 0; s < n; ++s) {
      row[s] = static_cast<char>(climb_.hops[c * n + s] & counted_[s]);
    }
    like_.push_back(known.try_emplace(row, static_cast<std::uint32_t>(known.size())).first->second);
  }
  met_.resize(known.size());
}

void TreeCover::begin(std::uint32_t destination) {
  destination_ = destination;
  tops_.clear();
  ++now_;
}

// What the view asks of switches with counted terminals.
void TreeCover::find_needs() {
  view.look(destination_);
  if (needed_at_ == destination_) return;
  needed_at_ = destination_;
  std::transform(counted_.begin(), counted_.end(), view.climbing.begin(), need_.begin(),
                 std::bit_and<>());
}

// Whether all switches with counted terminals reach the peak in the fewest hops.
bool TreeCover::meets_all(std::uint32_t peak) {
  const std::uint8_t depth = view.descent[climb_.peaks[peak]];
  Met& met = met_[like_[climb_.hop_row[peak]]];
  if (met.destination != destination_ || met.depth != depth) {
    met = {destination_, depth, all_met(climb_.hops_to(peak), depth, need_.data(), climb_.size())};
  }
  return met.all;
}

const std::vector<std::uint32_t>& TreeCover::find_uncovered() {
  find_needs();
  uncovered_.clear();
  std::uint32_t peak = kNobody;
  for (const std::uint32_t top : tops_) {
    if (climb_.peak[top] != kNobody) peak = climb_.peak[top];
  }
  if (peak != kNobody && meets_all(peak)) return uncovered_;
  for (const std::uint32_t top : tops_) {
    if (climb_.peak[top] == kNobody) mark_below(top);
  }
  const std::size_t n = climb_.size();
  // Without a peak: a row that covers nobody.
  const std::uint8_t* hops = peak == kNobody ? nobody_.data() : climb_.hops_to(peak);
  const std::uint8_t depth = peak == kNobody ? std::uint8_t{0} : view.descent[climb_.peaks[peak]];
  for (std::size_t begin = 0; begin < n; begin += kChunk) {
    const std::size_t end = std::min(n, begin + kChunk);
    if (all_met(hops + begin, depth, need_.data() + begin, end - begin)) continue;
    for (std::size_t s = begin; s < end; ++s) {
      if (need_[s] == 0 || marked_[s] == now_ || hops[s] + depth == need_[s]) continue;
      uncovered_.push_back(static_cast<std::uint32_t>(s));
    }
  }
  return uncovered_;
}

void TreeCover::mark_below(std::uint32_t top) {
  for (const Below& entry : climb_.below_of(top)) {
    if (entry.hops + view.descent[top] == view.climbing[entry.at]) marked_[entry.at] = now_;
  }
}

void TreeCover::cover(std::uint32_t top) {
  if (climb_.peak[top] == kNobody) {
    mark_below(top);
    std::erase_if(uncovered_, [&](std::uint32_t s) { return marked_[s] == now_; });
  } else {
    const std::uint8_t* const hops = climb_.hops_to(climb_.peak[top]);
    std::erase_if(uncovered_,
                  [&](std::uint32_t s) { return hops[s] + view.descent[top] == view.climbing[s]; });
  }
}

}  // namespace fatwood
