// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/rates/bottleneck.hpp"
#include "core/error.hpp"
#include "tasks/counter_difference.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

constexpr std::uint64_t kBytesOfWord = 4;

constexpr std::array<std::string_view, 9> kErrorCounters = {
    "SymbolErrorCounter",          "LinkErrorRecoveryCounter",
    "LinkDownedCounter",           "PortRcvErrors",
    "PortRcvRemotePhysicalErrors", "PortXmitDiscards",
    "LocalLinkIntegrityErrors",    "ExcessiveBufferOverrunErrors",
    "PortRcvSwitchRelayErrors"};

// Numbers of links, the largest first; those with 0 are left out.
template <class Value>
std::vector<std::size_t> ranked(const std::vector<LinkCounts>& links, const Value& value) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (value(links[i]) > 0) order.push_back(i);
  }
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t i) { return value(links[i]); });
  return order;
}

// Of the bytes of these links, by what all-to-all traffic puts on them.
std::vector<double> predicted_shares(const Table<Channel, double>& bytes,
                                     const std::vector<LinkCounts>& links) {
  std::vector<double> share;
  double total = 0;
  for (const LinkCounts& one : links) {
    share.push_back(bytes[one.link]);
    total += share.back();
  }
  for (double& one : share) one = total == 0 ? 0 : one / total;
  return share;
}

}  // namespace

bool has_counters(const RunData& run) {
  return !run.counters.empty() &&
         CounterDifference(run, nullptr, {"PortXmitDataExtended", "PortXmitData"}).known();
}

Table<Channel, double> all_to_all_bytes(const Model& model, const PathSource& paths, int threads) {
  const BottleneckRates rates = bottleneck_rates(model, paths, ports_of_all(model), threads);
  const ChannelSpeeds speeds(model.fabric());
  Table<Channel, double> bytes;
  for (const Channel c : ids<Channel>(model.fabric().num_channels())) {
    bytes.push_back(static_cast<double>(rates.loads.units[c]) *
                    static_cast<double>(speeds.speed(c)));
  }
  return bytes;
}

CounterResult count_links(const Model& model, const RunData& run, const CounterOptions& options) {
  const CounterDifference extended(run, options.earlier, {"PortXmitDataExtended"});
  const CounterDifference plain(run, options.earlier, {"PortXmitData"});
  const CounterDifference& sent = extended.known() ? extended : plain;
  if (!has_counters(run)) throw InputError(fmt::format("this run {}", kNoCounters));
  if (!sent.known()) throw InputError(fmt::format("the earlier run {}", kNoCounters));
  const CounterDifference waits(run, options.earlier, {"PortXmitWaitExtended", "PortXmitWait"});
  std::vector<CounterDifference> errors;
  for (const std::string_view name : kErrorCounters) {
    errors.emplace_back(run, options.earlier, std::initializer_list<std::string_view>{name});
  }
  CounterResult result;
  result.seconds = options.seconds;
  if (waits.only_later()) result.missing_earlier.emplace_back("PortXmitWait");
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (errors[i].only_later()) result.missing_earlier.push_back(kErrorCounters[i]);
  }
  const Fabric& fabric = model.fabric();
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || run.counters.row[c] == PortCounters::kNoRow) continue;
    if (options.earlier != nullptr && options.earlier->counters.row[c] == PortCounters::kNoRow) {
      ++result.not_earlier;
      continue;
    }
    LinkCounts link{.link = c, .bytes = kBytesOfWord * sent.of(c), .waits = waits.of(c)};
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < errors.size(); ++i) {
      const std::uint64_t count = errors[i].of(c);
      link.errors += count;
      if (count <= most) continue;
      most = count;
      link.worst_error = kErrorCounters[i];
    }
    result.total_bytes += link.bytes;
    result.links.push_back(link);
  }
  result.hottest = ranked(result.links, [](const LinkCounts& link) { return link.bytes; });
  result.most_congested = ranked(result.links, [](const LinkCounts& link) { return link.waits; });
  result.most_errors = ranked(result.links, [](const LinkCounts& link) { return link.errors; });
  if (options.paths != nullptr) {
    result.predicted =
        predicted_shares(all_to_all_bytes(model, *options.paths, options.threads), result.links);
  }
  return result;
}

}  // namespace fatwood
