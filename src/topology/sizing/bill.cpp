// SPDX-License-Identifier: BSD-3-Clause
#include "topology/sizing/bill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "topology/plan/device_words.hpp"

namespace fatwood {

namespace {

using LengthOfType = std::pair<std::string, double>;

// Links by cable: a splitter has those of one leaf port, its length is that of the longest.
std::map<LengthOfType, std::uint64_t> counted_cables(const Plan& plan, const Sharing& sharing) {
  std::map<LengthOfType, std::uint64_t> links;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, double> splitters;
  for (const PlanCable& cable : plan.cables) {
    if (sharing.split == 1 || !plan.to_host(cable)) {
      ++links[{cable.type, cable.length_m}];
      continue;
    }
    const PlanEnd& end = plan.device(cable.a).is_host() ? cable.b : cable.a;
    double& length = splitters[{end.device, (end.port - 1) / sharing.split, cable.type}];
    length = std::max(length, cable.length_m);
  }
  for (auto& [key, count] : links) {
    count = (count + sharing.links_per_cable - 1) / sharing.links_per_cable;
  }
  for (const auto& [key, length] : splitters) ++links[{std::get<2>(key), length}];
  return links;
}

std::optional<double> find_price(const PriceList& prices, const std::string& item) {
  const auto at = prices.each.find(lower_case(item));
  return at == prices.each.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace

std::string BillLine::name() const {
  return kind == Kind::kCable ? fmt::format("{} {:g} m", item.empty() ? "cable" : item, length_m)
                              : item;
}

std::vector<BillLine> bill_of(const Plan& plan, const Sharing& sharing) {
  std::map<std::string, std::uint64_t> switches;
  std::uint64_t cards = 0;
  for (const PlanDevice& device : plan.devices) {
    if (device.is_host()) continue;
    ++switches[device.model.empty() ? "switch" : device.model];
    cards += static_cast<std::uint64_t>(std::ranges::count_if(
        device.chips, [](const PlanChip& chip) { return chip.name.starts_with('L'); }));
  }
  std::vector<BillLine> bill;
  for (const auto& [model, count] : switches) {
    bill.push_back({BillLine::Kind::kSwitch, model, 0, count});
  }
  if (cards > 0) bill.push_back({BillLine::Kind::kCard, "director card", 0, cards});
  for (const auto& [key, count] : counted_cables(plan, sharing)) {
    bill.push_back({BillLine::Kind::kCable, key.first, key.second, count});
  }
  return bill;
}

std::optional<double> price_of(const PriceList& prices, const BillLine& line) {
  if (const auto price = find_price(prices, line.name())) return price;
  const auto item = find_price(prices, line.item);
  if (line.kind != BillLine::Kind::kCable) {
    return item || line.kind == BillLine::Kind::kCard ? item : find_price(prices, "switch");
  }
  const auto metre = find_price(prices, line.item + " per m");
  if (item || metre) return item.value_or(0) + metre.value_or(0) * line.length_m;
  return find_price(prices, "cable");
}

Cost cost_of(const PriceList& prices, const std::vector<BillLine>& bill) {
  Cost cost;
  for (const BillLine& line : bill) {
    const auto price = price_of(prices, line);
    if (!price) {
      cost.unpriced.push_back(line.name());
      continue;
    }
    (line.kind == BillLine::Kind::kCable ? cost.cables : cost.switches) +=
        *price * static_cast<double>(line.count);
  }
  return cost;
}

}  // namespace fatwood
