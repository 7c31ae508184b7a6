// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A queue of events for flow_run.hpp, ordered by time, then program, then operation.
//
// Method: a calendar. The times up to a horizon are divided into buckets of equal width; events
// beyond it wait in one list. A bucket becomes a heap when it is reached. When all buckets are
// empty, the waiting events are divided again: their mean time is the next horizon, with as many
// buckets as there are events.
// Cost: O(1) per event while times are spread evenly; a logarithm if many events share a bucket.

#include <cstdint>
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

class EventQueue {
 public:
  bool empty() const { return size_ == 0; }
  // REQUIRES a time that is not before that of the last event removed, but for rounding.
  void push(const RunEvent& event);
  // REQUIRES !empty().
  const RunEvent& top() {
    if (open_.empty()) open_next();
    return open_.front();
  }
  // REQUIRES top() since the last pop().
  void pop();

 private:
  static constexpr std::uint32_t kEnd = 0xffffffffU;

  struct Listed {
    RunEvent event;
    std::uint32_t next;
  };

  // The bucket of a time; large if it is beyond the horizon.
  double place(double time) const { return (time - base_) * per_second_; }
  void list(const RunEvent& event, std::uint32_t bucket);
  void open_next();
  void divide();

  std::size_t size_ = 0;
  std::vector<RunEvent> open_;  // a heap: the current bucket
  std::uint32_t current_ = 0;   // bucket
  double base_ = 0;
  double per_second_ = 0;            // buckets
  std::vector<std::uint32_t> head_;  // of each bucket's list
  std::vector<Listed> listed_;
  std::uint32_t free_ = kEnd;
  std::vector<RunEvent> later_;  // beyond the horizon
};

}  // namespace fatwood
