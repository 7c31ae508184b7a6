// SPDX-License-Identifier: BSD-3-Clause
#include "plan/sizing/bill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "plan/model/cable_table.hpp"
#include "plan/model/device_words.hpp"

namespace fatwood {

namespace {

using TypeAndLength = std::pair<std::string, double>;
using LengthAndType = std::pair<double, std::string>;

// The level of a link: the roles of its ends, hosts as one.
std::pair<std::string_view, std::string_view> level_of_link(const Plan& plan,
                                                            const PlanCable& cable) {
  const auto role = [&](const PlanEnd& end) {
    const PlanDevice& device = plan.device(end);
    return device.is_host() ? std::string_view("host") : std::string_view(device.role);
  };
  return std::minmax(role(cable.a), role(cable.b));
}

// The port of the box that a link of a splitter shares with others: "1/5" of "1/5/2". Without such
// a text it is a port of its own.
std::string split_port(const PlanEnd& end) {
  const std::size_t last = end.text.rfind('/');
  const bool parts = last != std::string::npos && end.text.find('/') != last;
  return fmt::format("{} {} {}", end.device, end.chip, parts ? end.text.substr(0, last) : end.text);
}

std::map<TypeAndLength, std::uint64_t> counted_cables(const Plan& plan, const Sharing& sharing) {
  std::map<TypeAndLength, std::uint64_t> cables;
  std::map<std::string, LengthAndType> splitters;
  std::map<std::pair<std::string_view, std::string_view>, std::map<LengthAndType, std::uint64_t>>
      links;  // by level
  for (const PlanCable& cable : plan.cables) {
    const LengthAndType link{cable.length_m, cable.type};
    if (!plan.to_host(cable) || !(sharing.splitters || is_splitter(cable.type))) {
      ++links[level_of_link(plan, cable)][link];
      continue;
    }
    const PlanEnd& end = plan.device(cable.a).is_host() ? cable.b : cable.a;
    LengthAndType& longest = splitters[split_port(end)];
    longest = std::max(longest, link);
  }
  for (const auto& [port, longest] : splitters) ++cables[{longest.second, longest.first}];
  for (const auto& [level, counts] : links) {
    std::uint64_t room = 0;  // links that longer cables still take
    for (auto at = counts.rbegin(); at != counts.rend(); ++at) {
      const std::uint64_t open = at->second - std::min(at->second, room);
      const std::uint64_t bought = (open + sharing.links_per_cable - 1) / sharing.links_per_cable;
      room += bought * sharing.links_per_cable;
      room -= at->second;
      if (bought > 0) cables[{at->first.second, at->first.first}] += bought;
    }
  }
  return cables;
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

std::vector<BillLine> bill_with_ends(const Plan& plan, const Sharing& sharing,
                                     const PriceList& prices) {
  std::vector<BillLine> bill = bill_of(plan, sharing);
  std::map<std::string, std::uint64_t> transceivers;
  for (const BillLine& line : bill) {
    if (line.kind != BillLine::Kind::kCable) continue;
    const auto each = prices.transceivers.find(lower_case(line.item));
    if (each == prices.transceivers.end() || each->second == 0) continue;
    transceivers[line.item + " transceiver"] += line.count * each->second;
  }
  for (const auto& [item, count] : transceivers) {
    bill.push_back({BillLine::Kind::kTransceiver, item, 0, count});
  }
  if (!prices.each.contains("adapter") && !prices.watts.contains("adapter")) return bill;
  std::set<std::pair<std::uint32_t, std::uint32_t>> adapters;
  for (const PlanCable& cable : plan.cables) {
    for (const PlanEnd& end : {cable.a, cable.b}) {
      if (plan.device(end).is_host()) adapters.emplace(end.device, end.chip);
    }
  }
  if (!adapters.empty()) bill.push_back({BillLine::Kind::kAdapter, "adapter", 0, adapters.size()});
  return bill;
}

namespace {

// What a line without an entry of its own is called.
std::string_view kind_of_item(BillLine::Kind kind) {
  constexpr std::string_view kNames[] = {"switch", "", "cable", "transceiver", "adapter"};
  return kNames[static_cast<std::size_t>(kind)];
}

double watts_of(const PriceList& prices, const BillLine& line) {
  for (const std::string& item : {line.name(), line.item, std::string(kind_of_item(line.kind))}) {
    const auto at = prices.watts.find(lower_case(item));
    if (at != prices.watts.end()) return at->second * static_cast<double>(line.count);
  }
  return 0;
}

}  // namespace

std::optional<double> price_of(const PriceList& prices, const BillLine& line) {
  if (const auto price = find_price(prices, line.name())) return price;
  const auto item = find_price(prices, line.item);
  if (line.kind != BillLine::Kind::kCable) {
    return item || line.kind == BillLine::Kind::kCard
               ? item
               : find_price(prices, std::string(kind_of_item(line.kind)));
  }
  const auto metre = find_price(prices, line.item + " per m");
  if (item || metre) return item.value_or(0) + metre.value_or(0) * line.length_m;
  return find_price(prices, "cable");
}

Cost cost_of(const PriceList& prices, const std::vector<BillLine>& bill) {
  Cost cost;
  if (!prices.watts.empty()) cost.watts = 0;
  for (const BillLine& line : bill) {
    if (cost.watts) *cost.watts += watts_of(prices, line);
    const auto price = price_of(prices, line);
    if (!price) {
      cost.unpriced.push_back(line.name());
      continue;
    }
    double& sum = line.kind == BillLine::Kind::kCable         ? cost.cables
                  : line.kind == BillLine::Kind::kTransceiver ? cost.transceivers
                  : line.kind == BillLine::Kind::kAdapter     ? cost.adapters
                                                              : cost.switches;
    sum += *price * static_cast<double>(line.count);
  }
  return cost;
}

}  // namespace fatwood
