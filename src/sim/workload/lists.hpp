// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Traffic that is written down: each end-point has its own list of messages.
//
// kAtTime: a trace; a message may start at its time. kAfterSent: a collective as [Zahavi10] runs
// it; the next message starts when the last one is on the wire. kBarrier: a collective in step; the
// next stage starts when every message of the last has arrived.

#include <iosfwd>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/workload/workload.hpp"
#include "traffic/traffic.hpp"

namespace fatwood::sim {

enum class Pace : std::uint8_t { kAtTime, kAfterSent, kBarrier };

struct ListedMessage {
  Time created = 0;  // kAtTime only
  std::uint64_t flits = 1;
  std::uint32_t dest = 0;   // end-point
  std::uint32_t stage = 0;  // ascending in a list
  std::uint8_t service_level = 0;
};

// By end-point.
using MessageLists = std::vector<std::vector<ListedMessage>>;

class Lists : public Workload {
 public:
  // REQUIRES: no message to oneself, times and stages ascending, flits > 0.
  Lists(const Network& network, MessageLists lists, Pace pace);

  Time next_at(Endpoint e) const override;
  MessageSpec take(Endpoint e, Time now) override;
  void sent(Endpoint e, Time now) override;
  std::span<const Endpoint> delivered(Endpoint source, Endpoint dest, Time now) override;
  bool wants_sent() const override { return true; }
  bool is_local() const override { return pace_ != Pace::kBarrier; }

  std::uint64_t flits() const { return flits_; }  // of all messages
  std::uint64_t messages() const { return messages_; }
  // When the end-point's last message was on the wire; 0 when it has none.
  Time finished(Endpoint e) const { return finished_[index(e)]; }
  std::uint64_t flits_of(Endpoint e) const;

 private:
  MessageLists lists_;
  Pace pace_;
  std::vector<std::size_t> at_;     // next message
  std::vector<std::uint8_t> busy_;  // the last message is not on the wire yet; bytes, for threads
  std::vector<Time> finished_;
  std::vector<std::uint64_t> in_stage_;  // messages of each stage that have not arrived
  std::vector<Endpoint> all_;            // with a list
  std::uint32_t stage_ = 0;
  std::uint64_t flits_ = 0, messages_ = 0;
};

struct StageOptions {
  std::uint64_t message_flits = 1;  // a flow of amount 1
  std::size_t stages = 0;           // at most so many, evenly spread over the schedule; 0: all
  std::uint8_t service_level = 0;
};
// Each host's messages, stage by stage; one with several ports sends a share by each. InputError
// when they are too many to be stored.
MessageLists stage_lists(const Network& network, const Schedule& schedule,
                         const StageOptions& options);

// Traffic to drive a cycle of channel dependencies into deadlock: each pair of end-points (those
// that make the cycle) sends messages of 1 to 30 packets with gaps as long, at random. Steady
// streams may dodge a deadlock forever, taking turns; bursts meet it. Times are in order.
MessageLists burst_lists(const Network& network, const Model& model,
                         std::span<const std::pair<Endpoint, Endpoint>> pairs, std::size_t messages,
                         std::uint64_t seed);

// A message trace: lines "time source destination bytes", '#' starts a comment. Time in
// nanoseconds (decimals allowed), ascending or not; an end-point is a host as HostNames finds
// it (of several ports the one that is named, else the first), or "switch:NAME". Bytes as 4096, 4k
// or 2M (powers of 1024), rounded up to flits. InputError with file and line.
MessageLists parse_trace(std::istream& in, const std::string& file,
                         const fatwood::Model& fabric_model, const Network& network,
                         const Model& model);

}  // namespace fatwood::sim
