// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rates/event_queue.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace fatwood {

void EventQueue::push(const RunEvent& event) {
  ++size_;
  const double bucket = place(event.time);
  if (!(bucket < static_cast<double>(head_.size()))) {
    later_.push_back(event);
  } else if (bucket < static_cast<double>(current_) + 1) {
    open_.push_back(event);  // belongs to the open bucket, or to an earlier one, which is empty
    std::push_heap(open_.begin(), open_.end(), std::greater<>());
  } else {
    list(event, static_cast<std::uint32_t>(bucket));
  }
}

void EventQueue::pop() {
  std::pop_heap(open_.begin(), open_.end(), std::greater<>());
  open_.pop_back();
  --size_;
}

void EventQueue::list(const RunEvent& event, std::uint32_t bucket) {
  std::uint32_t at = free_;
  if (at == kEnd) {
    at = static_cast<std::uint32_t>(listed_.size());
    listed_.emplace_back();
  } else {
    free_ = listed_[at].next;
  }
  listed_[at] = {event, head_[bucket]};
  head_[bucket] = at;
}

void EventQueue::open_next() {
  while (open_.empty()) {
    while (current_ < head_.size() && head_[current_] == kEnd) ++current_;
    if (current_ == head_.size()) {
      divide();
      continue;
    }
    std::uint32_t last = kEnd;
    for (std::uint32_t at = head_[current_]; at != kEnd; at = listed_[at].next) {
      open_.push_back(listed_[at].event);
      last = at;
    }
    listed_[last].next = free_;
    free_ = head_[current_];
    head_[current_] = kEnd;
  }
  std::make_heap(open_.begin(), open_.end(), std::greater<>());
}

// REQUIRES that all events are in later_.
void EventQueue::divide() {
  double least = later_.front().time;
  double sum = 0;
  for (const RunEvent& event : later_) {
    least = std::min(least, event.time);
    sum += event.time;
  }
  const auto count = static_cast<double>(later_.size());
  base_ = least;
  per_second_ = count / std::max(sum / count - least, 0.0);
  current_ = 0;
  head_.clear();
  if (!(per_second_ < std::numeric_limits<double>::infinity())) {  // all at the same time
    open_.swap(later_);
    return;
  }
  head_.assign(later_.size(), kEnd);
  std::size_t kept = 0;
  for (const RunEvent& event : later_) {
    const double bucket = place(event.time);
    if (bucket < count) {
      list(event, static_cast<std::uint32_t>(bucket));
    } else {
      later_[kept++] = event;
    }
  }
  later_.resize(kept);
}

}  // namespace fatwood
