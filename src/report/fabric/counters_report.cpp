// SPDX-License-Identifier: BSD-3-Clause
#include "report/fabric/counters_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "core/text/parse_bytes.hpp"
#include "topology/labels.hpp"

namespace fatwood {

namespace {

double gbps_of(const CounterResult& result, const LinkCounts& link) {
  return static_cast<double>(link.bytes) * 8 / *result.seconds / 1e9;
}

double share_of(const CounterResult& result, const LinkCounts& link) {
  return result.total_bytes == 0
             ? 0
             : static_cast<double>(link.bytes) / static_cast<double>(result.total_bytes);
}

std::span<const std::size_t> first_of(const std::vector<std::size_t>& order, std::size_t most) {
  return std::span(order).first(std::min(most, order.size()));
}

std::string cable_text(const Model& model, const LinkCounts& link) {
  const Labels& labels = model.labels();
  return fmt::format("{} > {}", labels.port(link.link),
                     labels.port(model.fabric().peer(link.link)));
}

std::string hottest_text(const Model& model, const CounterResult& result, std::size_t most) {
  if (result.hottest.empty()) return "hottest      no link has sent anything\n";
  std::string text = fmt::format("hottest      {:>10} {:>8} {:>10}\n",
                                 result.seconds ? "Gb/s" : "sent", "share", "predicted");
  for (const std::size_t i : first_of(result.hottest, most)) {
    const LinkCounts& link = result.links[i];
    const std::string amount = result.seconds ? fmt::format("{:.4g}", gbps_of(result, link))
                                              : amount_text(static_cast<double>(link.bytes));
    const std::string predicted =
        result.predicted.empty() ? "-" : fmt::format("{:.3f}%", 100 * result.predicted[i]);
    text += fmt::format("             {:>10} {:>7.3f}% {:>10}  {}\n", amount,
                        100 * share_of(result, link), predicted, cable_text(model, link));
  }
  return text;
}

}  // namespace

std::string counters_text(const Model& model, const CounterResult& result, std::size_t most) {
  std::string text = fmt::format("links        {}, {} sent{}\n", result.links.size(),
                                 amount_text(static_cast<double>(result.total_bytes)),
                                 result.seconds ? fmt::format(" in {:g} s", *result.seconds) : "");
  if (result.not_earlier > 0) {
    text += fmt::format("left out     {} without counters in the earlier run\n",
                        counted(result.not_earlier, "link"));
  }
  if (!result.missing_earlier.empty()) {
    text += fmt::format("not counted  {}: not in the earlier run\n",
                        fmt::join(result.missing_earlier, ", "));
  }
  text += hottest_text(model, result, most);
  text += result.most_congested.empty() ? "congested    no link had to wait\n"
                                        : "congested         ticks of waiting\n";
  for (const std::size_t i : first_of(result.most_congested, most)) {
    text += fmt::format("             {:>21}  {}\n", result.links[i].waits,
                        cable_text(model, result.links[i]));
  }
  text += result.most_errors.empty() ? "errors       none\n" : "errors\n";
  for (const std::size_t i : first_of(result.most_errors, most)) {
    const LinkCounts& link = result.links[i];
    text += fmt::format("             {:>21}  {} (mostly {})\n", link.errors,
                        cable_text(model, link), link.worst_error);
  }
  return text;
}

Json counters_object(const Model& model, const CounterResult& result, std::size_t most) {
  const Labels& labels = model.labels();
  const auto ends = [&](const LinkCounts& link) {
    return Json{{"link", labels.port(link.link)},
                {"to", labels.port(model.fabric().peer(link.link))}};
  };
  Json json{{"links", result.links.size()}, {"bytes", result.total_bytes},
            {"seconds", result.seconds},    {"not_earlier", result.not_earlier},
            {"hottest", Json::array()},     {"congested", Json::array()},
            {"errors", Json::array()}};
  for (const std::size_t i : first_of(result.hottest, most)) {
    Json one = ends(result.links[i]);
    one["bytes"] = result.links[i].bytes;
    one["gbps"] = result.seconds ? Json(gbps_of(result, result.links[i])) : Json();
    one["share"] = share_of(result, result.links[i]);
    one["predicted_share"] = result.predicted.empty() ? Json() : Json(result.predicted[i]);
    json["hottest"].push_back(std::move(one));
  }
  for (const std::size_t i : first_of(result.most_congested, most)) {
    Json one = ends(result.links[i]);
    one["waits"] = result.links[i].waits;
    one["bytes"] = result.links[i].bytes;
    json["congested"].push_back(std::move(one));
  }
  for (const std::size_t i : first_of(result.most_errors, most)) {
    Json one = ends(result.links[i]);
    one["errors"] = result.links[i].errors;
    one["kind"] = result.links[i].worst_error;
    json["errors"].push_back(std::move(one));
  }
  return json;
}

}  // namespace fatwood
