// SPDX-License-Identifier: BSD-3-Clause
#include "topology/plan/cages.hpp"

#include <map>
#include <tuple>

#include "topology/plan/device_words.hpp"
#include "topology/plan/port_text.hpp"

namespace fatwood {

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

}  // namespace fatwood
