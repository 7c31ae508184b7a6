// SPDX-License-Identifier: BSD-3-Clause
#include "plan/model/cable_table.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "plan/model/device_words.hpp"
#include "plan/model/port_text.hpp"

namespace fatwood {

const CableTable& default_cables() {
  constexpr double kCopperMm = 9.43;  // DGX H100 data-centre design, table 18
  constexpr double kCopperKg = 0.045;
  static const std::vector<double> optics{3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 70, 100};
  static const std::vector<double> fibres{3, 5, 7, 10, 15, 20, 25, 30, 40, 50};
  static const std::vector<double> far{150, 200, 300, 500, 1000, 2000};
  static const CableTable table{
      {"DAC", 40, false, 5, {0.5, 1, 2, 3, 5}, kCopperMm, kCopperKg},
      {"AOC", 40, false, 100, optics},
      {"DAC", 56, false, 5, {0.5, 1, 2, 3, 5}, kCopperMm, kCopperKg},
      {"AOC", 56, false, 100, optics},
      {"DAC", 100, false, 5, {0.5, 1, 2, 3, 5}, kCopperMm, kCopperKg},
      {"DAC splitter", 100, true, 2, {1, 1.5, 2}, kCopperMm, kCopperKg},
      {"AOC", 100, false, 100, optics},
      {"AOC splitter", 100, true, 100, optics},
      {"DAC", 200, false, 2, {0.5, 1, 1.5, 2}, kCopperMm, kCopperKg},
      {"DAC splitter", 200, true, 3, {1, 1.5, 2, 2.5, 3}, kCopperMm, kCopperKg},
      {"LACC splitter", 200, true, 5, {3, 4, 5}, kCopperMm, kCopperKg},
      {"AOC", 200, false, 100, optics},
      {"MMF splitter", 200, true, 50, fibres},
      {"SMF splitter", 200, true, 100, optics},
      {"DAC", 400, false, 2, {0.5, 1, 1.5, 2}, kCopperMm, kCopperKg},
      {"DAC splitter", 400, true, 3, {1, 1.5, 2, 2.5, 3}, kCopperMm, kCopperKg},
      {"LACC", 400, false, 5, {3, 4, 5}, kCopperMm, kCopperKg},
      {"MMF", 400, false, 50, fibres},
      {"MMF splitter", 400, true, 50, fibres},
      {"SMF", 400, false, 100, optics},
      {"SMF", 400, false, 2000, far},
      {"LACC", 800, false, 3, {1, 2, 3}, kCopperMm, kCopperKg},
      {"SMF", 800, false, 100, optics},
      {"SMF", 800, false, 2000, far},
  };
  return table;
}

std::optional<ChosenCable> choose_cable(const CableTable& table, std::uint32_t speed,
                                        CableShape shape, double needed_m) {
  const bool splitter = shape == CableShape::kSplitter;
  for (const CableKind& kind : table) {
    if ((kind.speed != 0 && kind.speed != speed) || kind.splitter != splitter) continue;
    if (kind.reach_m < needed_m) continue;
    const double sold = sold_length(kind, needed_m);
    if (sold == 0 || sold > kind.reach_m) continue;
    return ChosenCable{&kind, sold};
  }
  return std::nullopt;
}

double sold_length(const CableKind& kind, double needed_m) {
  // A little less than a length sold is that length: sums of metres have no exact values.
  const auto sold = std::ranges::lower_bound(kind.lengths, needed_m - 1e-9);
  return sold == kind.lengths.end() ? 0 : *sold;
}

const CableKind* kind_of(const CableTable& table, const PlanCable& cable) {
  const std::string type = lower_case(cable.type);
  const auto speed = static_cast<std::uint32_t>(sold_speed(cable.rate));
  const CableKind* best = nullptr;
  for (const CableKind& kind : table) {
    if (lower_case(kind.type) != type) continue;
    if (kind.speed != 0 && speed != 0 && kind.speed != speed) continue;
    if (best == nullptr || kind.reach_m > best->reach_m) best = &kind;
  }
  return best;
}

std::vector<std::vector<std::uint32_t>> cages_of(const Plan& plan) {
  using Cage = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<Cage, std::vector<std::uint32_t>> cages;
  for (std::uint32_t k = 0; k < plan.cables.size(); ++k) {
    for (const PlanEnd* end : {&plan.cables[k].a, &plan.cables[k].b}) {
      if (plan.device(*end).is_host()) continue;
      const auto text = parse_port_text(end->text);
      if (!text || !text->card.empty()) continue;
      const bool nvos = text->style == PortText::Style::kCage;
      if (!nvos && text->numbers.size() < 3) continue;
      cages[{end->device, end->chip, text->numbers[0], nvos ? 0 : text->numbers[1]}].push_back(k);
    }
  }
  std::vector<std::vector<std::uint32_t>> result;
  for (auto& [cage, cables] : cages) {
    if (cables.size() > 1) result.push_back(std::move(cables));
  }
  return result;
}

bool is_fibre(std::string_view type) {
  const std::string text = lower_case(type);
  return text.find("mmf") != std::string::npos || text.find("smf") != std::string::npos;
}

bool is_splitter(std::string_view type) {
  return lower_case(type).find("splitter") != std::string::npos;
}

}  // namespace fatwood
