// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A queue of events for flow_run.hpp, ordered by time, then program, then operation.
//
// Method: a calendar. The times up to a horizon are divided into buckets of equal width; events
// beyond it wait in one list. A bucket becomes a heap when it is reached. When all buckets are
// empty, the waiting events are divided again: their mean time is the next horizon, with as many
// buckets as there are events.
// Cost: O(1) per event while times are spread evenly; a logarithm if many events share a bucket.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "traffic/jobs/program.hpp"

namespace fatwood {

struct RunEvent {
  static constexpr std::uint32_t kNoSlot = 0xffffffffU;

  double time;
  std::uint32_t program;
  Op op;
  std::uint32_t slot;   // of a transfer with bytes left; else kNoSlot
  std::uint32_t stamp;  // of its rate
  friend bool operator>(const RunEvent& a, const RunEvent& b) {
    return std::tie(a.time, a.program, a.op) > std::tie(b.time, b.program, b.op);
  }
};

// An Event has a `time` and an operator>.
template <class Event = RunEvent>
class EventQueue {
 public:
  bool empty() const { return size_ == 0; }
  // REQUIRES a time that is not before that of the last event removed, but for rounding.
  void push(const Event& event) {
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
  // REQUIRES !empty().
  const Event& top() {
    if (open_.empty()) open_next();
    return open_.front();
  }
  // Some of the next events; the first is the next one.
  std::span<const Event> soon() const { return open_; }
  // REQUIRES top() since the last pop().
  void pop() {
    std::pop_heap(open_.begin(), open_.end(), std::greater<>());
    open_.pop_back();
    --size_;
  }

 private:
  static constexpr std::uint32_t kEnd = 0xffffffffU;

  struct Listed {
    Event event;
    std::uint32_t next;
  };

  // The bucket of a time; large if it is beyond the horizon.
  double place(double time) const { return (time - base_) * per_second_; }
  void list(const Event& event, std::uint32_t bucket) {
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
  void open_next() {
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
  void divide() {
    double least = later_.front().time;
    double sum = 0;
    for (const Event& event : later_) {
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
    for (const Event& event : later_) {
      const double bucket = place(event.time);
      if (bucket < count) {
        list(event, static_cast<std::uint32_t>(bucket));
      } else {
        later_[kept++] = event;
      }
    }
    later_.resize(kept);
  }

  std::size_t size_ = 0;
  std::vector<Event> open_;    // a heap: the current bucket
  std::uint32_t current_ = 0;  // bucket
  double base_ = 0;
  double per_second_ = 0;            // buckets
  std::vector<std::uint32_t> head_;  // of each bucket's list
  std::vector<Listed> listed_;
  std::uint32_t free_ = kEnd;
  std::vector<Event> later_;  // beyond the horizon
};

}  // namespace fatwood
