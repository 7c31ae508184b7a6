// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engine/engine_thread.hpp"

#include <algorithm>

namespace fatwood::sim {

EngineThread::EngineThread(EngineState& state, unsigned thread, unsigned threads, unsigned parts,
                           Observer& observer)
    : state_(state), thread_(thread), first_(thread * parts) {
  for (auto& boxes : boxes_) boxes.resize(threads);
  for (unsigned part = first_; part < first_ + parts; ++part) {
    parts_.push_back(std::make_unique<EnginePart>(state, part, *this, cells_, observer));
  }
}

void EngineThread::run(Time until) {
  sent_first_ = kNever;
  for (const auto& part : parts_) part->run(until);
}

void EngineThread::receive(EngineThread& other, unsigned parity) {
  Mail& mail = other.boxes_[parity][thread_];
  const auto part_of = [&](std::uint32_t port) -> EnginePart& {
    return *own_part(state_.part_of[port]);
  };
  for (const Mail::Moved& moved : mail.packets) {
    part_of(state_.net.switch_first[moved.to.owner()]).arrive(moved.to, moved.packet);
  }
  for (const Mail::Credit& credit : mail.credits) {
    part_of(credit.out_lane >> state_.shift)
        .expect_credit(credit.at, credit.out_lane, credit.flits);
  }
  for (const std::uint32_t out_lane : mail.taken_back) {
    part_of(out_lane >> state_.shift).lose_credit(out_lane);
  }
  mail.packets.clear();
  mail.credits.clear();
  mail.taken_back.clear();
}

Time EngineThread::next_event() const {
  Time next = sent_first_;
  for (const auto& part : parts_) next = std::min(next, part->wheel().next());
  return next;
}

void EngineThread::send_packet(unsigned part, Place to, std::uint32_t p, Time ready) {
  if (EnginePart* const own = own_part(part)) {
    own->arrive(to, p);
    return;
  }
  boxes_[parity_][part / parts_.size()].packets.push_back({to, p});
  sent_first_ = std::min(sent_first_, ready);
  ++packets_sent_;
}

void EngineThread::send_credit(unsigned part, Time at, std::uint32_t out_lane,
                               std::uint32_t flits) {
  if (EnginePart* const own = own_part(part)) {
    own->expect_credit(at, out_lane, flits);
    return;
  }
  boxes_[parity_][part / parts_.size()].credits.push_back({at, out_lane, flits});
  sent_first_ = std::min(sent_first_, at);
  ++credits_sent_;
}

void EngineThread::take_credit_back(unsigned part, std::uint32_t out_lane) {
  if (EnginePart* const own = own_part(part)) {
    own->lose_credit(out_lane);
    return;
  }
  boxes_[parity_][part / parts_.size()].taken_back.push_back(out_lane);
}

}  // namespace fatwood::sim
