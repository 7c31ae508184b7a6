// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Listed traffic: each endpoint has its own list of messages.
//
// - kAtTime: a trace; a message may start at its time.
// - kAfterSent: a collective as in [Zahavi10]; the next message starts when the previous one is on
//   the wire.
// - kBarrier: a synchronous collective; the next stage starts when every message of the previous
//   one has arrived.

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
  std::uint32_t dest = 0;   // endpoint
  std::uint32_t stage = 0;  // ascending in a list
  std::uint8_t service_level = 0;
};

// By endpoint.
using MessageLists = std::vector<std::vector<ListedMessage>>;

class Lists : public Workload {
 public:
  // REQUIRES no message to the sender itself, ascending times and stages, flits > 0.
  Lists(const Network& network, MessageLists lists, Pace pace);

  Time next_at(Endpoint e) const override;
  MessageSpec take(Endpoint e, Time now) override;
  void sent(Endpoint e, Time now) override;
  std::span<const Endpoint> delivered(Endpoint source, Endpoint dest, Time now) override;
  bool wants_sent() const override { return true; }
  bool is_local() const override { return pace_ != Pace::kBarrier; }

  std::uint64_t flits() const { return flits_; }  // of all messages
  std::uint64_t messages() const { return messages_; }
  // When the last message of the endpoint was on the wire; 0 if it has none.
  Time finished(Endpoint e) const { return finished_[index(e)]; }
  std::uint64_t flits_of(Endpoint e) const;

 private:
  MessageLists lists_;
  Pace pace_;
  std::vector<std::size_t> at_;     // next message
  std::vector<std::uint8_t> busy_;  // the last message is not on the wire yet; bytes, for threads
  std::vector<Time> finished_;
  std::vector<std::uint64_t> in_stage_;  // by stage: messages that have not arrived
  std::vector<Endpoint> all_;            // endpoints with a list
  std::uint32_t stage_ = 0;
  std::uint64_t flits_ = 0, messages_ = 0;
};

struct StageOptions {
  std::uint64_t message_flits = 1;  // a flow of amount 1
  std::size_t stages = 0;           // at most this many, evenly spread over the schedule; 0: all
  std::uint8_t service_level = 0;
};
// The messages of each host, stage by stage; a host with several ports sends a share by each.
// InputError if there are too many.
MessageLists stage_lists(const Network& network, const Schedule& schedule,
                         const StageOptions& options);

// Traffic that drives a cycle of channel dependencies into deadlock: each of the pairs of endpoints
// that cause the cycle sends random messages of 1 to 30 packets, with gaps of the same length.
// Steady streams may take turns and avoid a deadlock forever; bursts do not. Times ascend.
MessageLists burst_lists(const Network& network, const Model& model,
                         std::span<const std::pair<Endpoint, Endpoint>> pairs, std::size_t messages,
                         std::uint64_t seed);

// A message trace: lines "time source destination bytes"; '#' starts a comment. Time is in
// nanoseconds (decimals allowed), in any order. An endpoint is a host as AdapterNames finds it
// (with several ports: the named one, otherwise the first), or "switch:NAME". Bytes are 4096, 4k or
// 2M (powers of 1024), rounded up to flits. InputError with file and line.
MessageLists parse_trace(std::istream& in, const std::string& file,
                         const fatwood::Model& fabric_model, const Network& network,
                         const Model& model);

}  // namespace fatwood::sim
