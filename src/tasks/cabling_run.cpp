// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/cabling_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "plan/model/device_words.hpp"

namespace fatwood {

namespace {

void add_fault(CablingCheck& check, CablingFaultKind kind, std::uint32_t cable,
               std::string detail) {
  CablingFault& fault = check.cabling.faults.emplace_back();
  fault.kind = kind;
  fault.cables = {cable};
  fault.found = {check.cabling.found[cable]};
  fault.detail = std::move(detail);
}

// --- parts and lengths ---
enum class Medium : std::uint8_t { kUnknown, kCopper, kOptics };

Medium medium_of(std::string_view type) {
  const std::string text = lower_case(type);
  const auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  constexpr std::array<std::string_view, 4> kCopper{"dac", "acc", "copper", "passive"};
  constexpr std::array<std::string_view, 8> kOptics{"aoc", "mmf", "smf",   "optic",
                                                    "fib", " nm", "vcsel", "laser"};
  if (std::ranges::any_of(kCopper, has)) return Medium::kCopper;
  return std::ranges::any_of(kOptics, has) ? Medium::kOptics : Medium::kUnknown;
}

bool is_part_number(std::string_view type) {
  constexpr std::size_t kLeastPart = 6;
  return type.size() >= kLeastPart && type.find(' ') == std::string_view::npos &&
         medium_of(type) == Medium::kUnknown &&
         std::ranges::any_of(type, [](char c) { return c >= '0' && c <= '9'; });
}

bool same_part(std::string_view planned, std::string_view found) {
  const std::string a = lower_case(planned), b = lower_case(found);
  return a.starts_with(b) || b.starts_with(a);
}

// What is wrong with the part; nothing where it is right or not known.
std::optional<std::string> wrong_part(const PlanCable& cable, const CableFacts& facts) {
  if (is_part_number(cable.type)) {
    if (facts.part.empty() || same_part(cable.type, facts.part)) return std::nullopt;
    return fmt::format("{} instead of {}", facts.part, cable.type);
  }
  const Medium planned = medium_of(cable.type), found = medium_of(facts.type);
  if (planned == Medium::kUnknown || found == Medium::kUnknown || planned == found) {
    return std::nullopt;
  }
  return fmt::format("{}{}{} instead of {}", facts.part, facts.part.empty() ? "" : ", ", facts.type,
                     cable.type);
}

std::optional<std::string> wrong_length(const PlanCable& cable, const CableFacts& facts) {
  if (cable.length_m <= 0 || facts.length_m <= 0) return std::nullopt;
  if (facts.length_m == cable.length_m || facts.length_m == std::ceil(cable.length_m)) {
    return std::nullopt;
  }
  return fmt::format("{:g} m instead of {:g} m", facts.length_m, cable.length_m);
}

using Question = std::optional<std::string> (*)(const PlanCable&, const CableFacts&);

void find_wrong_parts(CablingCheck& check, const Fabric& found, const RunData& run) {
  for (std::uint32_t k = 0; k < check.plan.cables.size(); ++k) {
    const Channel c = check.cabling.found[k];
    if (c == kNone<Channel>) continue;
    for (const auto& [kind, question] :
         {std::pair<CablingFaultKind, Question>{CablingFaultKind::kWrongPart, wrong_part},
          {CablingFaultKind::kWrongLength, wrong_length}}) {
      std::optional<std::string> wrong = question(check.plan.cables[k], run.cables[c]);
      if (!wrong) wrong = question(check.plan.cables[k], run.cables[found.peer(c)]);
      if (wrong) add_fault(check, kind, k, *wrong);
    }
  }
}

// --- flapping ---
// How often a port went down; nothing where the run does not say.
std::optional<std::uint64_t> downs(const RunData& run, Channel c) {
  for (const std::string_view name : {"LinkDownedCounter", "LinkDowned", "link_down_counter"}) {
    const auto column = run.counters.column(name);
    if (!column) continue;
    const std::uint64_t count = run.counters.at(c, *column);
    if (count != kNoCount) return count;
  }
  return std::nullopt;
}

void find_flapping(CablingCheck& check, const Fabric& found, const RunData& run,
                   const EarlierRun& earlier) {
  std::unordered_map<std::uint64_t, Node> before;
  const Fabric& old = earlier.model.fabric();
  for (const Node node : ids<Node>(old.num_nodes())) before.emplace(old.guid(node), node);
  const auto more = [&](Channel c) -> std::uint64_t {
    const auto node = before.find(found.guid(found.owner(c)));
    if (node == before.end()) return 0;
    const Channel then = old.find_channel(node->second, index(found.port(c)));
    if (then == kNone<Channel>) return 0;
    const auto now_count = downs(run, c);
    const auto old_count = downs(earlier.run, then);
    if (!now_count || !old_count) return 0;
    return *now_count >= *old_count ? *now_count - *old_count : *now_count;
  };
  for (std::uint32_t k = 0; k < check.plan.cables.size(); ++k) {
    const Channel c = check.cabling.found[k];
    if (c == kNone<Channel>) continue;
    const std::uint64_t times = std::max(more(c), more(found.peer(c)));
    if (times == 0) continue;
    add_fault(check, CablingFaultKind::kFlapping, k,
              fmt::format("down {} since the earlier run",
                          times == 1 ? "once" : fmt::format("{} times", times)));
  }
}

}  // namespace

void add_run_faults(CablingCheck& check, const Model& found, const RunData& run,
                    const EarlierRun* earlier) {
  if (!run.cables.empty()) find_wrong_parts(check, found.fabric(), run);
  if (earlier != nullptr) find_flapping(check, found.fabric(), run, *earlier);
}

}  // namespace fatwood
