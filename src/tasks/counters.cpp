// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "analysis/rates/bottleneck.hpp"
#include "core/error.hpp"
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

// One counter of two runs, under any of its names.
class Difference {
 public:
  Difference(const RunData& run, const RunData* earlier,
             std::initializer_list<std::string_view> names)
      : run_(run), earlier_(earlier) {
    for (const std::string_view name : names) {
      if (!column_) column_ = run.counters.column(name);
      if (earlier != nullptr && !before_) before_ = earlier->counters.column(name);
    }
  }
  bool known() const { return column_.has_value() && (earlier_ == nullptr || before_); }
  bool only_later() const { return column_.has_value() && earlier_ != nullptr && !before_; }

  std::uint64_t of(Channel c) const {
    if (!known()) return 0;
    const std::uint64_t now = run_.counters.at(c, *column_);
    if (now == kNoCount) return 0;
    if (earlier_ == nullptr) return now;
    const std::uint64_t then = earlier_->counters.at(c, *before_);
    return then == kNoCount || then > now ? now : now - then;
  }

 private:
  const RunData& run_;
  const RunData* earlier_;
  std::optional<std::size_t> column_, before_;
};

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
std::vector<double> predicted_shares(const Model& model, const PathSource& paths,
                                     const std::vector<LinkCounts>& links, int threads) {
  const BottleneckRates rates = bottleneck_rates(model, paths, ports_of_all(model), threads);
  const ChannelSpeeds speeds(model.fabric());
  std::vector<double> share;
  double total = 0;
  for (const LinkCounts& one : links) {
    const double load = static_cast<double>(rates.loads.units[one.link]);
    share.push_back(load * static_cast<double>(speeds.speed(one.link)));
    total += share.back();
  }
  for (double& one : share) one = total == 0 ? 0 : one / total;
  return share;
}

}  // namespace

bool has_counters(const RunData& run) {
  return !run.counters.empty() &&
         Difference(run, nullptr, {"PortXmitDataExtended", "PortXmitData"}).known();
}

CounterResult count_links(const Model& model, const RunData& run, const CounterOptions& options) {
  const Difference extended(run, options.earlier, {"PortXmitDataExtended"});
  const Difference plain(run, options.earlier, {"PortXmitData"});
  const Difference& sent = extended.known() ? extended : plain;
  if (!has_counters(run)) throw InputError(fmt::format("this run {}", kNoCounters));
  if (!sent.known()) throw InputError(fmt::format("the earlier run {}", kNoCounters));
  const Difference waits(run, options.earlier, {"PortXmitWaitExtended", "PortXmitWait"});
  std::vector<Difference> errors;
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
    result.predicted = predicted_shares(model, *options.paths, result.links, options.threads);
  }
  return result;
}

}  // namespace fatwood
