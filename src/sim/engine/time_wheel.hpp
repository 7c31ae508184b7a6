// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The calendar of the simulator: events by time, constant time each.
//
// Problem: hundreds of millions of events, nearly all due within a few packet times, a few (the
// next message of an idle source) far away.
//
// Method: two wheels.
// - The near wheel has one slot per tick for the next `near_ticks` ticks. Its events are in
//   256-byte chunks from one pool, and a bit map of the slots in use allows skipping empty ticks.
// - The far wheel has slots as wide as the whole near wheel. A slot is unpacked into the near wheel
//   when its time comes. Events beyond the far wheel wait in its last slot and are filed again.
//
// Order: slots come in order of time. Events of one tick have no defined order; the engine's phases
// make it irrelevant. Cost: O(1) per event; memory: that of the pending events.

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/engine/huge_vector.hpp"

namespace fatwood::sim {

using Time = std::int64_t;  // in ticks
inline constexpr Time kNever = INT64_MAX;

class TimeWheel {
 public:
  using Event = std::uint64_t;

  // near_ticks is rounded up to a power of two, at least 64.
  explicit TimeWheel(Time near_ticks) {
    std::uint64_t size = 64;
    while (size < static_cast<std::uint64_t>(near_ticks) && size < kMostNear) size *= 2;
    mask_ = size - 1;
    shift_ = std::countr_zero(size);
    slot_.assign(size, kNil);
    used_.assign(size / 64, 0);
    far_.resize(kFar);
  }

  Time now() const { return now_; }
  bool empty() const { return near_count_ == 0 && far_count_ == 0; }
  std::uint64_t pending() const { return near_count_ + far_count_; }

  // REQUIRES at > now().
  void push(Time at, Event event) {
    assert(at > now_);
    file(at, event);
  }

  // Advances to the next tick that has events and is not after `limit`. If there is none: false,
  // with now() at limit.
  bool advance(Time limit) {
    while (now_ < limit) {
      const Time epoch = (now_ >> shift_) + 1;
      const Time epoch_end = epoch << shift_;  // first tick of the next epoch
      const Time found = near_count_ > 0 ? next_used(now_ + 1, epoch_end) : kNever;
      if (found != kNever) {
        now_ = found <= limit ? found : limit;
        return found <= limit;
      }
      if (near_count_ == 0 && far_count_ == 0) break;
      if (epoch_end > limit) break;
      now_ = epoch_end;
      unpack(epoch);
      if ((used_[0] & 1) != 0) return true;
    }
    now_ = limit > now_ ? limit : now_;
    return false;
  }

  // A lower bound of the time of the first pending event; kNever if there is none.
  Time next() const {
    if (empty()) return kNever;
    const Time epoch_end = ((now_ >> shift_) + 1) << shift_;
    const Time found = near_count_ > 0 ? next_used(now_ + 1, epoch_end) : kNever;
    return found != kNever ? found : epoch_end;
  }

  // Moves the events of now() to the end of `events`.
  void take(std::vector<Event>& events) {
    const std::uint64_t at = static_cast<std::uint64_t>(now_) & mask_;
    std::uint32_t c = slot_[at];
    slot_[at] = kNil;
    used_[at / 64] &= ~(std::uint64_t{1} << (at % 64));
    while (c != kNil) {
      const Chunk& chunk = chunks_[c];
      events.insert(events.end(), chunk.event.begin(), chunk.event.begin() + chunk.count);
      near_count_ -= chunk.count;
      const std::uint32_t next = chunk.next;
      chunks_[c].next = free_;
      free_ = c;
      c = next;
    }
  }

  // Calls visit for every pending event, with its time. For checks.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::uint64_t i = 0; i <= mask_; ++i) {
      const std::uint64_t at = (static_cast<std::uint64_t>(now_) + i) & mask_;
      for (std::uint32_t c = slot_[at]; c != kNil; c = chunks_[c].next) {
        for (std::uint32_t e = 0; e < chunks_[c].count; ++e) {
          visit(now_ + static_cast<Time>(i), chunks_[c].event[e]);
        }
      }
    }
    for (const auto& slot : far_) {
      for (const auto& [at, event] : slot) visit(at, event);
    }
  }

 private:
  static constexpr std::uint32_t kNil = 0xffffffffU;
  static constexpr std::uint64_t kMostNear = 1U << 16;
  static constexpr Time kFar = 256;
  static constexpr std::uint32_t kOfChunk = 31;  // four cache lines
  struct alignas(64) Chunk {
    std::uint32_t next;
    std::uint32_t count;
    std::array<Event, kOfChunk> event;
  };

  void file(Time at, Event event) {
    if (at - now_ <= static_cast<Time>(mask_)) {
      push_near(at, event);
    } else {
      push_far(at, event);
    }
  }
  void push_near(Time at, Event event) {
    const std::uint64_t i = static_cast<std::uint64_t>(at) & mask_;
    std::uint32_t c = slot_[i];
    if (c == kNil || chunks_[c].count == kOfChunk) {
      const std::uint32_t fresh = new_chunk();
      chunks_[fresh].next = c;
      chunks_[fresh].count = 0;
      slot_[i] = c = fresh;
      used_[i / 64] |= std::uint64_t{1} << (i % 64);
    }
    Chunk& chunk = chunks_[c];
    chunk.event[chunk.count++] = event;
    ++near_count_;
  }
  std::uint32_t new_chunk() {
    if (free_ == kNil) {
      chunks_.emplace_back();
      return static_cast<std::uint32_t>(chunks_.size() - 1);
    }
    const std::uint32_t c = free_;
    free_ = chunks_[c].next;
    return c;
  }
  void push_far(Time at, Event event) {
    const Time epoch = now_ >> shift_;
    const Time ahead = (at >> shift_) - epoch;  // at least 1
    const Time slot = (epoch + (ahead < kFar ? ahead : kFar - 1)) % kFar;
    far_[static_cast<std::size_t>(slot)].emplace_back(at, event);
    ++far_count_;
  }
  void unpack(Time epoch) {
    auto& slot = far_[static_cast<std::size_t>(epoch % kFar)];
    if (slot.empty()) return;
    unpacking_.swap(slot);
    far_count_ -= unpacking_.size();
    for (const auto& [at, event] : unpacking_) file(at, event);
    unpacking_.clear();
  }
  // First tick in [from, end) whose slot is in use. REQUIRES: both in one epoch.
  Time next_used(Time from, Time end) const {
    if (from >= end) return kNever;
    const Time base = from - static_cast<Time>(static_cast<std::uint64_t>(from) & mask_);
    const std::uint64_t first = static_cast<std::uint64_t>(from) & mask_;
    std::uint64_t word = used_[first / 64] >> (first % 64) << (first % 64);
    for (std::uint64_t w = first / 64;;) {
      if (word != 0) return base + static_cast<Time>(w * 64) + std::countr_zero(word);
      if (++w == used_.size()) return kNever;
      word = used_[w];
    }
  }

  Time now_ = -1;  // before the first tick, which is 0
  std::uint64_t mask_ = 0;
  int shift_ = 0;
  std::uint64_t near_count_ = 0, far_count_ = 0;
  std::vector<std::uint32_t> slot_;
  std::vector<std::uint64_t> used_;
  HugeVector<Chunk> chunks_;
  std::uint32_t free_ = kNil;
  std::vector<std::vector<std::pair<Time, Event>>> far_;
  std::vector<std::pair<Time, Event>> unpacking_;
};

}  // namespace fatwood::sim
