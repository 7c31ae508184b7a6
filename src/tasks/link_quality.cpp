// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/link_quality.hpp"

#include <algorithm>
#include <tuple>

#include "tasks/counter_difference.hpp"
#include "tasks/counters.hpp"

namespace fatwood {

namespace {

constexpr double kNear = 100;               // times below the limit: a warning
constexpr std::uint64_t kFlapsOfAges = 10;  // since nobody knows when
constexpr std::size_t kCablesOfDevice = 3;  // more are no coincidence

class Judge {
 public:
  Judge(const Model& model, const RunData& run, const QualityOptions& options)
      : fabric_(model.fabric()),
        run_(run),
        limits_(options.limits),
        flaps_(run, options.earlier,
               {"LinkDownedCounterExtended", "LinkDownedCounter", "link_down_counter"}),
        most_flaps_(options.limits.flaps.value_or(options.earlier == nullptr ? kFlapsOfAges : 0)) {}

  bool counts_flaps() const { return flaps_.known(); }

  // No evidence: nothing is wrong with the cable.
  BadCable judge(Channel c) const {
    BadCable cable{.port = c};
    for (const Channel end : {c, fabric_.peer(c)}) {
      see_signal(end, cable.evidence);
      see_module(end, cable.evidence);
      see_flaps(end, cable.evidence);
    }
    see_correction(c, cable.evidence);
    std::ranges::stable_sort(cable.evidence, {}, [](const QualityEvidence& e) {
      return std::tuple(!e.bad, e.sign, e.limit == 0 ? 0 : -e.value / e.limit);
    });
    if (cable.evidence.empty()) return cable;
    cable.port = cable.evidence.front().port;
    cable.bad = cable.evidence.front().bad;
    suspect(cable);
    return cable;
  }

 private:
  void see_signal(Channel end, std::vector<QualityEvidence>& evidence) const {
    if (run_.signals.empty()) return;
    const SignalQuality& signal = run_.signals[end];
    const double ber = signal.symbol_ber.value_or(0);
    if (ber > limits_.symbol_ber / kNear && signal.symbol_errors != 0) {
      evidence.push_back(
          {QualitySign::kBitErrors, end, ber, limits_.symbol_ber, ber > limits_.symbol_ber});
    }
    const double raw = signal.raw_ber.value_or(0);
    if (raw > limits_.raw_ber) {
      evidence.push_back({QualitySign::kRawErrors, end, raw, limits_.raw_ber, false});
    }
  }

  void see_module(Channel end, std::vector<QualityEvidence>& evidence) const {
    if (run_.cables.empty() || !run_.cables[end].celsius) return;
    const CableFacts& facts = run_.cables[end];
    const double limit = facts.limit_celsius.value_or(limits_.module_celsius);
    if (*facts.celsius > limit) {
      evidence.push_back(
          {QualitySign::kHotModule, end, *facts.celsius, limit, facts.limit_celsius.has_value()});
    }
  }

  void see_flaps(Channel end, std::vector<QualityEvidence>& evidence) const {
    const std::uint64_t flaps = run_.counters.empty() ? 0 : flaps_.of(end);
    if (flaps <= most_flaps_) return;
    evidence.push_back({QualitySign::kFlaps, end, static_cast<double>(flaps),
                        static_cast<double>(most_flaps_), false});
  }

  void see_correction(Channel c, std::vector<QualityEvidence>& evidence) const {
    if (run_.signals.empty()) return;
    const std::string &here = run_.signals[c].fec, &there = run_.signals[fabric_.peer(c)].fec;
    if (here.empty() || there.empty() || here == there) return;
    evidence.push_back({QualitySign::kFecDiffers, c, 0, 0, false});
  }

  void suspect(BadCable& cable) const {
    const auto has = [&](QualitySign sign, Channel port) {
      return std::ranges::any_of(cable.evidence, [&](const QualityEvidence& e) {
        return e.sign == sign && e.port == port;
      });
    };
    const Channel here = cable.port, there = fabric_.peer(here);
    const auto errors = [&](Channel end) {
      return has(QualitySign::kBitErrors, end) || has(QualitySign::kRawErrors, end);
    };
    const auto hot = [&](Channel end) { return has(QualitySign::kHotModule, end); };
    if (hot(here) || hot(there)) {
      const bool own_limit = run_.cables[hot(here) ? here : there].limit_celsius.has_value();
      cable.suspect = Suspect::kModule;
      cable.sure = own_limit ? Sureness::kSure : Sureness::kLikely;
      if (!hot(here)) cable.port = there;
    } else if (errors(here) && errors(there)) {
      cable.sure = Sureness::kLikely;
    } else if (cable.evidence.front().sign == QualitySign::kFecDiffers) {
      cable.suspect = Suspect::kSetting;
      cable.sure = Sureness::kSure;
    } else {
      cable.suspect = Suspect::kEitherEnd;
    }
  }

  const Fabric& fabric_;
  const RunData& run_;
  const QualityLimits& limits_;
  CounterDifference flaps_;
  std::uint64_t most_flaps_;
};

// Devices with several bad cables are the suspects for those that nothing else explains.
void suspect_devices(const Fabric& fabric, std::vector<BadCable>& cables) {
  Table<Node, std::size_t> bad(fabric.num_nodes());
  const auto unexplained = [&](const BadCable& cable) {
    // A host that restarts takes its links down.
    const bool restart =
        cable.evidence.front().sign == QualitySign::kFlaps && !fabric.between_switches(cable.port);
    return !restart && (cable.suspect == Suspect::kCable || cable.suspect == Suspect::kEitherEnd);
  };
  for (const BadCable& cable : cables) {
    if (!unexplained(cable)) continue;
    ++bad[fabric.owner(cable.port)];
    ++bad[fabric.neighbour(cable.port)];
  }
  for (BadCable& cable : cables) {
    if (!unexplained(cable)) continue;
    const Node here = fabric.owner(cable.port), there = fabric.neighbour(cable.port);
    const Node worst = bad[there] > bad[here] ? there : here;
    if (bad[worst] < kCablesOfDevice) continue;
    cable.suspect = Suspect::kDevice;
    cable.sure = Sureness::kLikely;
    cable.device = worst;
  }
}

void add_bytes(const Fabric& fabric, const RunData& run, const RunData* earlier,
               std::vector<BadCable>& cables) {
  if (!has_counters(run) || (earlier != nullptr && !has_counters(*earlier))) return;
  const CounterDifference sent(run, earlier, {"PortXmitDataExtended", "PortXmitData"});
  for (BadCable& cable : cables) {
    constexpr std::uint64_t kWord = 4;
    cable.bytes = kWord * (sent.of(cable.port) + sent.of(fabric.peer(cable.port)));
  }
}

void add_shares(const Model& model, const QualityOptions& options, std::vector<BadCable>& cables) {
  if (options.paths == nullptr || cables.empty()) return;
  const Fabric& fabric = model.fabric();
  const Table<Channel, double> bytes = all_to_all_bytes(model, *options.paths, options.threads);
  double total = 0, of_hosts = 0;
  for (const double amount : bytes) total += amount;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    of_hosts += bytes[fabric.terminal_channel(t)];
  }
  if (of_hosts == 0) return;
  const double usual = of_hosts / static_cast<double>(fabric.num_terminals());
  for (BadCable& cable : cables) {
    const double out = bytes[cable.port], in = bytes[fabric.peer(cable.port)];
    cable.share = (out + in) / total;
    cable.hosts = std::max(out, in) / usual;
  }
}

}  // namespace

bool has_quality(const RunData& run) {
  return !run.celsius.empty() || std::ranges::any_of(run.signals, &SignalQuality::has_ber) ||
         std::ranges::any_of(run.cables, [](const CableFacts& facts) { return !!facts.celsius; });
}

QualityResult judge_quality(const Model& model, const RunData& run, const QualityOptions& options) {
  const Fabric& fabric = model.fabric();
  const Judge judge(model, run, options);
  QualityResult result;
  result.limits = options.limits;
  result.flaps = judge.counts_flaps();
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c)) continue;
    if (!run.signals.empty() && run.signals[c].has_ber()) ++result.signals;
    if (!run.cables.empty() && run.cables[c].celsius) ++result.modules;
    if (fabric.peer(c) < c) continue;
    BadCable cable = judge.judge(c);
    if (!cable.evidence.empty()) result.cables.push_back(std::move(cable));
  }
  suspect_devices(fabric, result.cables);
  add_bytes(fabric, run, options.earlier, result.cables);
  add_shares(model, options, result.cables);
  std::ranges::stable_sort(result.cables, {}, [](const BadCable& cable) {
    const auto bytes = static_cast<double>(cable.bytes.value_or(0));
    return std::tuple(!cable.bad, -bytes, -cable.share.value_or(0), cable.port);
  });
  for (const Node node : ids<Node>(run.celsius.empty() ? 0 : fabric.num_nodes())) {
    const std::optional<double> celsius = run.celsius[node];
    if (celsius && *celsius > options.limits.device_celsius) {
      result.devices.push_back({node, *celsius});
    }
  }
  std::ranges::stable_sort(result.devices, std::ranges::greater(), &HotDevice::celsius);
  return result;
}

}  // namespace fatwood
