// SPDX-License-Identifier: BSD-3-Clause
#include "report/jobs/order_report.hpp"

#include <fmt/format.h>

#include "report/json.hpp"

namespace fatwood {

std::string order_text(const AdapterNames& names, const NodeOrder& order) {
  std::string text = fmt::format("{:>7} {:>12} {:>12}\n", "stage", "given", "best");
  constexpr std::size_t kShown = 40;
  const std::size_t stages = order.given.degree.size();
  for (std::size_t i = 0; i < stages && i < kShown; ++i) {
    text += fmt::format("{:>7} {:>12} {:>12}\n", i + 1, order.given.degree[i].to_string(),
                        order.best.degree[i].to_string());
  }
  if (stages > kShown) text += fmt::format("and {} more (--json has all)\n", stages - kShown);
  text += fmt::format("{:>7} {:>12} {:>12}\n", "largest", largest(order.given).to_string(),
                      largest(order.best).to_string());
  text += fmt::format("{:>7} {:>12.4f} {:>12.4f}\n\n", "mean", mean(order.given), mean(order.best));
  if (!order.better()) return text + "no better order was found\n";
  return text + fmt::format("a better order, {}:\n", order.best.found_by) +
         order_hosts(names, order);
}

std::string order_json(const AdapterNames& names, const NodeOrder& order) {
  Json json;
  json["better"] = order.better();
  add_fraction(json["given"], "largest", largest(order.given));
  json["given"]["mean"] = mean(order.given);
  add_fraction(json["best"], "largest", largest(order.best));
  json["best"]["mean"] = mean(order.best);
  json["best"]["found_by"] = order.best.found_by;
  json["best"]["order"] = Json::array();
  for (const Adapter t : order.best.adapters) json["best"]["order"].push_back(names.name(t));
  json["stages"] = Json::array();
  for (std::size_t i = 0; i < order.given.degree.size(); ++i) {
    Json stage;
    add_fraction(stage, "given", order.given.degree[i]);
    add_fraction(stage, "best", order.best.degree[i]);
    json["stages"].push_back(std::move(stage));
  }
  return document(std::move(json));
}

std::string order_hosts(const AdapterNames& names, const NodeOrder& order) {
  std::string text;
  for (const Adapter t : order.best.adapters) text += names.name(t) + '\n';
  return text;
}

}  // namespace fatwood
