// SPDX-License-Identifier: BSD-3-Clause
#include "report/load/pairs_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/load/among_report.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

std::string_view crossing_name(CutDirection crossing) {
  return crossing == CutDirection::kOut ? "out" : "in";
}

Json gbps(const ChannelSpeeds& speeds, const Fraction& rate) {
  if (speeds.usual_gigabits() == 0) return nullptr;
  return rate.value() * speeds.usual_gigabits();
}

// "66.8", or the share of a port where no speed is known.
std::string rate_text(const ChannelSpeeds& speeds, const Fraction& rate) {
  if (speeds.usual_gigabits() == 0) return fmt::format("{:.3f}", rate.value());
  return fmt::format("{:.4g}", rate.value() * speeds.usual_gigabits());
}

}  // namespace

std::string pairs_text(const Model& model, const PairFigures& figures, std::size_t most) {
  const Fabric& fabric = model.fabric();
  const ChannelSpeeds& speeds = model.speeds();
  const Evenness& evenness = figures.evenness;
  std::string text = "\n" + among_line(figures.who);
  if (!evenness.loads.empty()) {
    const CutLoad& worst = evenness.loads[evenness.worst];
    text += fmt::format(
        "cuts         {}; most loaded link over the best possible: {:.3f} on average, above 1.02 "
        "in {}\n             worst {:.3f}: {}, {}\n",
        evenness.loads.size(), evenness.mean, evenness.above(1.02), worst.evenness(),
        cut_name(fabric, evenness.cuts[worst.share.cut]), crossing_name(worst.share.crossing));
  }
  const BottleneckRates& rates = figures.rates;
  if (rates.pairs == 0) return text;
  const bool known = speeds.usual_gigabits() != 0;
  const std::string ports =
      rates.port == 1 ? ""
                      : fmt::format(", all ports of an adapter {}", rate_text(speeds, rates.port));
  text += fmt::format("{} worst pair {}, 1% {}, 10% {}, median {}{}\n",
                      known ? "Gb/s a host " : "of a port   ", rate_text(speeds, rates.worst),
                      rate_text(speeds, rates.p1), rate_text(speeds, rates.p10),
                      rate_text(speeds, rates.median),
                      known ? fmt::format(" (port {:g}{})", speeds.usual_gigabits(), ports) : "");
  if (rates.unreachable > 0) {
    text += fmt::format("             {} pairs have no route\n", rates.unreachable);
  }
  for (std::size_t i = 0; i < figures.bottlenecks.size() && i < most; ++i) {
    const Bottleneck& one = figures.bottlenecks[i];
    if (i == 0) text += "limited by\n";
    text += fmt::format("{:>12} {:>10} pairs  ", rate_text(speeds, one.rate), one.pairs);
    if (one.cut == Bottleneck::kNoCut) {
      text += fmt::format("{}\n", port_name(fabric, one.links.front()));
      continue;
    }
    const CutLoad& cut = evenness.loads[one.cut];
    text +=
        fmt::format("{}, {}: {} of {} links{}\n", cut_name(fabric, evenness.cuts[cut.share.cut]),
                    crossing_name(cut.share.crossing), one.links.size(),
                    evenness.cuts[cut.share.cut].links.size(),
                    one.best_possible > 0
                        ? fmt::format(", at most {} possible", rate_text(speeds, one.best_possible))
                        : "");
  }
  return text;
}

void add_pairs(Json& json, const Model& model, const PairFigures& figures, std::size_t most) {
  const Fabric& fabric = model.fabric();
  const ChannelSpeeds& speeds = model.speeds();
  const Evenness& evenness = figures.evenness;
  json["among"] = among_json(figures.who);
  json["cuts"] = {{"number", evenness.loads.size()},
                  {"above_1_02", evenness.above(1.02)},
                  {"worst", nullptr},
                  {"mean", evenness.mean}};
  if (!evenness.loads.empty()) {
    const CutLoad& worst = evenness.loads[evenness.worst];
    json["cuts"]["worst"] = {{"name", cut_name(fabric, evenness.cuts[worst.share.cut])},
                             {"crossing", crossing_name(worst.share.crossing)},
                             {"evenness", worst.evenness()}};
  }
  const BottleneckRates& rates = figures.rates;
  json["rates"] = {{"worst_gbps", gbps(speeds, rates.worst)},
                   {"p1_gbps", gbps(speeds, rates.p1)},
                   {"p10_gbps", gbps(speeds, rates.p10)},
                   {"median_gbps", gbps(speeds, rates.median)},
                   {"port_gbps", gbps(speeds, 1)},
                   {"adapter_gbps", gbps(speeds, rates.port)},
                   {"hosts", rates.adapters},
                   {"pairs", rates.pairs},
                   {"unreachable", rates.unreachable}};
  json["bottlenecks"] = Json::array();
  for (std::size_t i = 0; i < figures.bottlenecks.size() && i < most; ++i) {
    const Bottleneck& one = figures.bottlenecks[i];
    Json channels = Json::list(one.links, [&](const Channel c) { return port_name(fabric, c); });
    Json entry{{"name", nullptr},
               {"crossing", nullptr},
               {"channels", std::move(channels)},
               {"pairs", one.pairs},
               {"gbps", gbps(speeds, one.rate)},
               {"best_possible_gbps", nullptr}};
    if (one.cut != Bottleneck::kNoCut) {
      const CutLoad& cut = evenness.loads[one.cut];
      entry["name"] = cut_name(fabric, evenness.cuts[cut.share.cut]);
      entry["crossing"] = crossing_name(cut.share.crossing);
      if (one.best_possible > 0) entry["best_possible_gbps"] = gbps(speeds, one.best_possible);
    }
    json["bottlenecks"].push_back(std::move(entry));
  }
}

}  // namespace fatwood
