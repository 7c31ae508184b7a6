// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The traffic of one job of the measure (job_efficiency.hpp), by ports: who sends how much to whom,
// and what the hosts' own cables need for it.
//
// The adapters of a job of n hosts are those that `fatwood job` takes (traffic/jobs/place_job.hpp):
// as many rails as the host with the most adapters has; a host with fewer uses its own again. All
// traffic but kDirect stays on its rail, as NCCL's PXN sends it. Two adapters divide a flow over
// their ports and addresses as topology/flow_sources.hpp says. Pairs of ports that no cables
// connect send nothing.
//
// Loads are in units of FlowSources, per address, and weighted by the speed of the channel.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "topology/flow_sources.hpp"
#include "topology/hosts/host_order.hpp"
#include "topology/hosts/job_windows.hpp"
#include "topology/model.hpp"

namespace fatwood {

enum class JobTraffic : std::uint8_t {
  kAtOnce,  // all-to-all, each message on the rail on which it arrives
  kDirect,  // all-to-all, from every adapter to every other; only with several rails
  kPhases,  // all-to-all in phases
  kRing,    // all-reduce in host order
};
inline constexpr std::array kJobTraffics{JobTraffic::kAtOnce, JobTraffic::kDirect,
                                         JobTraffic::kPhases, JobTraffic::kRing};
std::string_view name_of(JobTraffic traffic);  // "at_once"

// Slot 0 is the ring, the others are phases.
inline constexpr std::uint32_t kJobSlots = kMostPhases + 1;
template <class T>
using BySlot = std::array<T, kJobSlots>;

struct JobPort {
  std::uint32_t member = 0;
  std::uint32_t rail = 0;
  Terminal terminal{};
  std::uint32_t leaf = 0;  // number of its switch
  std::uint32_t kind = 0;  // of FlowSources
};

// Ports of one kind on one switch.
struct JobSenders {
  std::uint32_t leaf = 0;
  std::uint32_t kind = 0;
  std::uint32_t ports = 0;
};

// What all jobs of a fabric share. The arguments must outlive it.
struct JobSetting {
  const Model& model;
  const HostOrder& order;
  FlowSources sources;

  JobSetting(const Model& fabric_model, const HostOrder& host_order)
      : model(fabric_model), order(host_order), sources(fabric_model) {}

  bool connected(std::uint32_t leaf, std::uint32_t other) const {
    const Components& parts = model.components();
    return parts.component[Switch{leaf}] == parts.component[Switch{other}];
  }
  // What a port sends to an address of another one.
  std::uint64_t units(const JobPort& from, const JobPort& to) const {
    return connected(from.leaf, to.leaf) ? sources.units(from.kind, to.kind) : 0;
  }
  // The load of units on a channel; 1 is one unit on a channel of the usual speed.
  double load(Channel c, double units) const {
    return units * static_cast<double>(model.speeds().weight(c)) /
           static_cast<double>(model.speeds().weight_of_one());
  }
};

class JobFlows {
 public:
  JobFlows(const JobSetting& setting, const JobWindow& window);

  const JobSetting& setting() const { return setting_; }
  std::uint32_t size() const { return size_; }
  std::uint32_t rails() const { return rails_; }
  // By rail, then member. A port occurs once for each rail that uses it.
  std::span<const JobPort> ports() const { return ports_; }
  // The ports of a member on a rail.
  std::span<const JobPort> ports(std::uint32_t member, std::uint32_t rail) const {
    const std::size_t at = std::size_t{rail} * size_ + member;
    return std::span(ports_).subspan(first_[at], first_[at + 1] - first_[at]);
  }
  // All senders of a rail; of all rails.
  std::span<const JobSenders> senders(std::uint32_t rail) const { return senders_[rail]; }
  // REQUIRES several rails.
  std::span<const JobSenders> all_senders() const { return senders_.back(); }

  std::uint32_t slots() const { return slots_; }  // in use
  // The member that sends to this one in a slot.
  std::uint32_t sender(std::uint32_t slot, std::uint32_t member) const {
    return sender_[std::size_t{member} * kJobSlots + slot];
  }

  // The load of the most loaded cable of a host.
  double own_at_once() const { return own_at_once_; }
  double own_direct() const { return own_direct_; }  // 0 with one rail
  const BySlot<double>& own_slots() const { return own_slots_; }
  // By port: the units that it sends, and gets, in all-to-all.
  std::span<const std::uint64_t> at_once() const { return at_once_; }
  std::span<const std::uint64_t> direct() const { return direct_; }  // empty with one rail

 private:
  void place(const JobWindow& window);
  void find_senders();
  void find_own_all_to_all();
  void find_own_slots();
  double own_load(std::span<const std::uint64_t> sent, std::span<const std::uint64_t> got) const;

  const JobSetting& setting_;
  std::uint32_t size_ = 0, rails_ = 0, slots_ = 0;
  std::vector<JobPort> ports_;
  std::vector<std::uint32_t> first_;              // [rail][member], and the end
  std::vector<std::uint32_t> same_;               // by port: the first place of the same terminal
  std::vector<std::vector<JobSenders>> senders_;  // by rail; the last: of all
  std::vector<std::uint32_t> sender_;             // [member][slot]
  std::vector<std::uint64_t> at_once_, direct_;
  double own_at_once_ = 0, own_direct_ = 0;
  BySlot<double> own_slots_{};
};

}  // namespace fatwood
