// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One thread of the engine: it runs some parts, one after the other, and has boxes for packets and
// credits to parts of other threads. A box is written in one window and emptied before the next.
// There are two boxes for each other thread, used in turn, so that threads meet only once per
// window.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/engine/engine_part.hpp"

namespace fatwood::sim {

// The packets and credits that one thread has for another.
struct Mail {
  struct Moved {
    Place to;
    std::uint32_t packet;
  };
  struct Credit {
    Time at;
    std::uint32_t out_lane, flits;
  };
  std::vector<Moved> packets;
  std::vector<Credit> credits;
  std::vector<std::uint32_t> taken_back;  // early credits, by output lane
};

class EngineThread {
 public:
  // Thread number `thread` of `threads` has the `parts` parts that start at number thread * parts.
  EngineThread(EngineState& state, unsigned thread, unsigned threads, unsigned parts,
               Observer& observer);

  // Runs all parts until after tick `until`. What they send to each other is due later than that.
  void run(Time until);
  // Takes what `other` put into its box for this thread in a window of this parity.
  void receive(EngineThread& other, unsigned parity);
  // Boxes of this parity are written from now on.
  void write_to(unsigned parity) { parity_ = parity; }
  // A lower bound of the time of the next event: planned here, or put into a box by the last run.
  Time next_event() const;
  Time now() const { return parts_.front()->now(); }

  std::span<const std::unique_ptr<EnginePart>> parts() const { return parts_; }
  std::uint64_t packets_sent() const { return packets_sent_; }
  std::uint64_t credits_sent() const { return credits_sent_; }

  // From one part to another. They are due no sooner than the lookahead (partition.hpp) from now.
  // So is an early credit that is taken back.
  void send_packet(unsigned part, Place to, std::uint32_t p, Time ready);
  void send_credit(unsigned part, Time at, std::uint32_t out_lane, std::uint32_t flits);
  void take_credit_back(unsigned part, std::uint32_t out_lane);

 private:
  EnginePart* own_part(unsigned part) {
    return part - first_ < parts_.size() ? parts_[part - first_].get() : nullptr;
  }

  const EngineState& state_;
  const unsigned thread_, first_;
  PartCells cells_;
  std::vector<std::unique_ptr<EnginePart>> parts_;
  std::array<std::vector<Mail>, 2> boxes_;  // by parity of the window, and thread
  unsigned parity_ = 0;
  Time sent_first_ = kNever;  // earliest due time of what was put into boxes in this window
  std::uint64_t packets_sent_ = 0, credits_sent_ = 0;
};

}  // namespace fatwood::sim
