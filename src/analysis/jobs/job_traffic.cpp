// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/jobs/job_traffic.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace fatwood {
namespace {

// Ports of one kind in one component. With one port per adapter, kinds ignore components
// (flow_sources.hpp), so both count.
struct KindCounts {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> count;  // component, kind

  void add(const JobSetting& setting, const JobPort& port) {
    ++count[{setting.model.components().component[Switch{port.leaf}], port.kind}];
  }
  // What all of them send to an address of a port.
  std::uint64_t units(const JobSetting& setting, const JobPort& to) const {
    const std::uint32_t component = setting.model.components().component[Switch{to.leaf}];
    std::uint64_t units = 0;
    for (const auto& [where, ports] : count) {
      if (where.first == component) units += ports * setting.sources.units(where.second, to.kind);
    }
    return units;
  }
};

}  // namespace

std::string_view name_of(JobTraffic traffic) {
  constexpr std::array<std::string_view, 4> kNames{"at_once", "direct", "phases", "ring"};
  return kNames[static_cast<std::size_t>(traffic)];
}

JobFlows::JobFlows(const JobSetting& setting, const JobWindow& window) : setting_(setting) {
  place(window);
  find_senders();
  find_own_all_to_all();
  find_own_slots();
}

void JobFlows::place(const JobWindow& window) {
  const Fabric& fabric = setting_.model.fabric();
  size_ = static_cast<std::uint32_t>(window.size());
  for (const std::uint32_t member : window.members) {
    rails_ = std::max(rails_, static_cast<std::uint32_t>(setting_.order.adapters[member].size()));
  }
  for (std::uint32_t rail = 0; rail < rails_; ++rail) {
    for (std::uint32_t i = 0; i < size_; ++i) {
      const std::vector<Adapter>& adapters = setting_.order.adapters[window.members[i]];
      first_.push_back(static_cast<std::uint32_t>(ports_.size()));
      std::uint32_t same = first_.back();
      if (rail >= adapters.size()) same = first_[rail % adapters.size() * size_ + i];
      for (const Terminal t :
           setting_.model.adapters().terminals(adapters[rail % adapters.size()])) {
        if (fabric.leaf(t) == kNone<Switch>) continue;
        same_.push_back(same++);
        ports_.push_back({i, rail, t, index(fabric.leaf(t)), setting_.sources.kind(t)});
      }
    }
  }
  first_.push_back(static_cast<std::uint32_t>(ports_.size()));
  const std::vector<std::uint32_t> phases = job_phases(size_);
  slots_ = 1 + static_cast<std::uint32_t>(phases.size());
  sender_.resize(std::size_t{size_} * kJobSlots);
  for (std::uint32_t i = 0; i < size_; ++i) {
    sender_[std::size_t{ring_partner(size_, i)} * kJobSlots] = i;
    for (std::uint32_t slot = 1; slot < slots_; ++slot) {
      sender_[std::size_t{phase_partner(size_, phases[slot - 1], i)} * kJobSlots + slot] = i;
    }
  }
}

void JobFlows::find_senders() {
  senders_.resize(rails_ + 1);
  const auto put = [](std::vector<JobSenders>& list, const JobPort& port) {
    list.push_back({port.leaf, port.kind, 1});
  };
  for (const JobPort& port : ports_) {
    put(senders_[port.rail], port);
    if (rails_ > 1) put(senders_.back(), port);
  }
  for (std::vector<JobSenders>& list : senders_) {
    std::ranges::sort(list, {}, [](const JobSenders& s) { return std::pair(s.leaf, s.kind); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0 && list[kept - 1].leaf == list[i].leaf && list[kept - 1].kind == list[i].kind) {
        ++list[kept - 1].ports;
      } else {
        list[kept++] = list[i];
      }
    }
    list.resize(kept);
  }
}

double JobFlows::own_load(std::span<const std::uint64_t> sent,
                          std::span<const std::uint64_t> got) const {
  const Fabric& fabric = setting_.model.fabric();
  // A port that several rails use carries the traffic of all.
  std::vector<std::uint64_t> out(ports_.size());
  std::vector<std::uint64_t> in(ports_.size());
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    out[same_[i]] += sent[i];
    in[same_[i]] += got[i];
  }
  double most = 0;
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    const Channel up = fabric.terminal_channel(ports_[i].terminal);
    most = std::max({most, setting_.load(up, static_cast<double>(out[i])),
                     setting_.load(fabric.peer(up), static_cast<double>(in[i]))});
  }
  return most;
}

void JobFlows::find_own_all_to_all() {
  std::vector<KindCounts> of_rail(rails_);
  KindCounts of_all;
  for (const JobPort& port : ports_) {
    of_rail[port.rail].add(setting_, port);
    of_all.add(setting_, port);
  }
  // Units are symmetric: a port sends what it gets.
  at_once_.resize(ports_.size());
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    const JobPort& to = ports_[i];
    at_once_[i] = of_rail[to.rail].units(setting_, to);
    for (const JobPort& own : ports(to.member, to.rail)) at_once_[i] -= setting_.units(own, to);
  }
  own_at_once_ = own_load(at_once_, at_once_);
  if (rails_ == 1) return;
  direct_.resize(ports_.size());
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    const JobPort& to = ports_[i];
    direct_[i] = of_all.units(setting_, to);
    for (std::uint32_t rail = 0; rail < rails_; ++rail) {
      for (const JobPort& own : ports(to.member, rail)) direct_[i] -= setting_.units(own, to);
    }
  }
  own_direct_ = own_load(direct_, direct_);
}

void JobFlows::find_own_slots() {
  std::vector<std::uint64_t> sent(ports_.size());
  std::vector<std::uint64_t> got(ports_.size());
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    std::ranges::fill(sent, 0);
    std::ranges::fill(got, 0);
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      const JobPort& to = ports_[i];
      for (const JobPort& from : ports(sender(slot, to.member), to.rail)) {
        const std::uint64_t units = setting_.units(from, to);
        sent[static_cast<std::size_t>(&from - ports_.data())] += units;
        got[i] += units;
      }
    }
    own_slots_[slot] = own_load(sent, got);
  }
}

}  // namespace fatwood
