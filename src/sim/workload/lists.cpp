// SPDX-License-Identifier: BSD-3-Clause
#include "sim/workload/lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"

namespace fatwood::sim {

Lists::Lists(const Network& network, MessageLists lists, Pace pace)
    : lists_(std::move(lists)), pace_(pace) {
  lists_.resize(network.endpoints());
  at_.assign(lists_.size(), 0);
  busy_.assign(lists_.size(), 0);
  finished_.assign(lists_.size(), 0);
  for (std::uint32_t e = 0; e < lists_.size(); ++e) {
    if (!lists_[e].empty()) all_.push_back(static_cast<Endpoint>(e));
    for (const ListedMessage& m : lists_[e]) {
      if (m.stage >= in_stage_.size()) in_stage_.resize(m.stage + 1, 0);
      ++in_stage_[m.stage];
      flits_ += m.flits;
      ++messages_;
    }
  }
  while (stage_ < in_stage_.size() && in_stage_[stage_] == 0) ++stage_;
}

Time Lists::next_at(Endpoint e) const {
  const auto& list = lists_[index(e)];
  const std::size_t at = at_[index(e)];
  if (at == list.size()) return kNever;
  switch (pace_) {
    case Pace::kAtTime:
      return list[at].created;
    case Pace::kAfterSent:
      return busy_[index(e)] != 0 ? kNever : 0;
    default:
      return busy_[index(e)] != 0 || list[at].stage > stage_ ? kNever : 0;
  }
}

MessageSpec Lists::take(Endpoint e, Time now) {
  const ListedMessage& m = lists_[index(e)][at_[index(e)]++];
  busy_[index(e)] = 1;
  return {pace_ == Pace::kAtTime ? m.created : now, static_cast<Endpoint>(m.dest), m.flits,
          m.service_level};
}

void Lists::sent(Endpoint e, Time now) {
  busy_[index(e)] = 0;
  if (at_[index(e)] == lists_[index(e)].size()) finished_[index(e)] = now;
}

std::span<const Endpoint> Lists::delivered(Endpoint, Endpoint, Time) {
  if (pace_ != Pace::kBarrier || --in_stage_[stage_] != 0) return {};
  while (stage_ < in_stage_.size() && in_stage_[stage_] == 0) ++stage_;
  return all_;
}

std::uint64_t Lists::flits_of(Endpoint e) const {
  std::uint64_t flits = 0;
  for (const ListedMessage& m : lists_[index(e)]) flits += m.flits;
  return flits;
}

MessageLists stage_lists(const Network& network, const Schedule& schedule,
                         const StageOptions& options) {
  constexpr std::size_t kMost = 100'000'000;
  const std::size_t count =
      options.stages == 0 ? schedule.stages : std::min(options.stages, schedule.stages);
  MessageLists lists(network.endpoints());
  std::size_t messages = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Traffic traffic = schedule.stage(i * schedule.stages / count);
    messages += traffic.flows.size();
    if (messages > kMost) {
      throw InputError(fmt::format("{} has more than {} messages: simulate fewer of its {} stages",
                                   schedule.name, kMost, schedule.stages));
    }
    for (const Flow& flow : traffic.flows) {
      const auto pairs = network.adapters.port_pairs(flow.source, flow.destination);
      const double flits = static_cast<double>(options.message_flits) *
                           traffic.amount(flow).value() / static_cast<double>(pairs.size());
      for (const auto& [from, to] : pairs) {
        lists[index(from)].push_back(
            {0, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(flits))),
             index(to), static_cast<std::uint32_t>(i), options.service_level});
      }
    }
  }
  return lists;
}

MessageLists burst_lists(const Network& network, const Model& model,
                         std::span<const std::pair<Endpoint, Endpoint>> pairs, std::size_t messages,
                         std::uint64_t seed) {
  constexpr std::uint32_t kMostPackets = 30;
  MessageLists lists(network.endpoints());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Random random(seed, i);
    auto& list = lists[index(pairs[i].first)];
    Time at = 0;
    for (std::size_t m = 0; m < messages; ++m) {
      const Time flits = Time{model.packet_flits} * (1 + random.below(kMostPackets));
      at += Time{model.packet_flits} * network.cycle * random.below(2 * kMostPackets);
      list.push_back({at, static_cast<std::uint64_t>(flits), index(pairs[i].second), 0, 0});
      at += flits * network.cycle;
    }
  }
  for (auto& list : lists) std::ranges::stable_sort(list, {}, &ListedMessage::created);
  return lists;
}

}  // namespace fatwood::sim
