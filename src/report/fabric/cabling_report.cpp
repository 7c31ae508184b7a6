// SPDX-License-Identifier: BSD-3-Clause
#include "report/fabric/cabling_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "topology/labels.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kShownFaults = 40;

constexpr std::array<std::string_view, 6> kMethods{"not_found", "guid",       "name",
                                                   "hosts",     "neighbours", "assignment"};

// Nodes that have a planned cable.
std::vector<Node> cabled_nodes(const CablingCheck& check) {
  std::set<Node> nodes;
  for (const auto& [a, b] : check.planned.cables) {
    nodes.insert({check.planned.fabric.owner(a), check.planned.fabric.owner(b)});
  }
  return {nodes.begin(), nodes.end()};
}

std::map<std::string, std::size_t> methods_of(const CablingCheck& check) {
  std::map<std::string, std::size_t> methods;
  for (const std::string_view method : kMethods) methods[std::string(method)] = 0;
  for (const Node p : cabled_nodes(check)) {
    ++methods[std::string(kMethods[static_cast<std::size_t>(check.cabling.match.by[p])])];
  }
  return methods;
}

// The part of a node's cables that are as planned, of those that can be seen.
Table<Node, double> certainties(const CablingCheck& check) {
  const Fabric& fabric = check.planned.fabric;
  Table<Node, double> right(fabric.num_nodes()), seen(fabric.num_nodes());
  for (std::size_t k = 0; k < check.plan.cables.size(); ++k) {
    if (check.cabling.state[k] == CableState::kUnknown) continue;
    for (const Channel c : {check.planned.cables[k].first, check.planned.cables[k].second}) {
      seen[fabric.owner(c)] += 1;
      right[fabric.owner(c)] += check.cabling.state[k] == CableState::kRight ? 1 : 0;
    }
  }
  for (const Node p : ids<Node>(fabric.num_nodes())) {
    if (seen[p] > 0) right[p] /= seen[p];
  }
  return right;
}

Json end_json(const Plan& plan, const PlanEnd& end) {
  const PlanDevice& device = plan.device(end);
  return {
      {"device", device.name}, {"port", end.text}, {"rack", device.rack}, {"unit", device.unit}};
}

Json progress_json(const CablingProgress& row) {
  return {{"name", row.name},   {"planned", row.planned}, {"right", row.right},
          {"wrong", row.wrong}, {"missing", row.missing}, {"unknown", row.unknown}};
}
Json progress_list(const std::vector<CablingProgress>& rows) {
  return Json::list(rows, [&](const CablingProgress& row) { return progress_json(row); });
}

Json move_json(const CablingView& view, const CablingMove& move) {
  return {{"stays", found_port(view, move.stays)},
          {"from", found_port(view, move.from)},
          {"to", move.is_removal()           ? Json()
                 : move.to == kNone<Channel> ? Json(destination_words(view, move))
                                             : Json(found_port(view, move.to))}};
}

Json cabling_fault_json(const CablingView& view, const CablingFault& fault) {
  const Plan& plan = view.check.plan;
  const FaultWords words = words_of(view, fault);
  Json ends = Json::array(), found = Json::array(), devices = Json::array(), moves = Json::array();
  for (const std::uint32_t k : fault.cables) {
    ends.push_back(
        Json::array({end_json(plan, plan.cables[k].a), end_json(plan, plan.cables[k].b)}));
  }
  for (const Channel c : fault.found) {
    found.push_back(
        Json::array({found_port(view, c), found_port(view, view.found.fabric().peer(c))}));
  }
  for (const std::uint32_t d : fault.devices) devices.push_back(plan.devices[d].name);
  for (const Node node : fault.nodes) devices.push_back(view.found.labels()(node));
  for (const CablingMove& move : fault.moves) moves.push_back(move_json(view, move));
  return {{"kind", kind_word(fault.kind)},
          {"what", words.what},
          {"do", words.todo},
          {"ends", ends},
          {"found", found},
          {"devices", devices},
          {"detail", fault.detail},
          {"moves", moves},
          {"cost_gbps", fault.cost_gbps}};
}

// Devices that were matched by more than their name, and those that could be others.
Json devices_json(const CablingView& view) {
  const CablingCheck& check = view.check;
  const NodeMatch& match = check.cabling.match;
  const Table<Node, double> certainty = certainties(check);
  Json list = Json::array();
  for (const Node p : cabled_nodes(check)) {
    const auto others = match.alternatives.find(p);
    const bool by_name = match.by[p] == MatchedBy::kGuid || match.by[p] == MatchedBy::kName;
    if (match.found_of[p] == kNone<Node> || (by_name && others == match.alternatives.end()))
      continue;
    Json interchangeable = Json::array();
    if (others != match.alternatives.end()) {
      for (const Node u : others->second) interchangeable.push_back(view.found.labels()(u));
    }
    list.push_back({{"device", display_name(check.planned.fabric, p)},
                    {"found", view.found.labels()(match.found_of[p])},
                    {"by", kMethods[static_cast<std::size_t>(match.by[p])]},
                    {"certainty", certainty[p]},
                    {"interchangeable", interchangeable}});
  }
  return list;
}

std::string percent_of(std::size_t part, std::size_t all) {
  return all == 0
             ? "-"
             : fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

std::string progress_table(std::string_view title, const std::vector<CablingProgress>& rows) {
  if (rows.empty()) return "";
  std::size_t width = title.size();
  for (const CablingProgress& row : rows) width = std::max(width, row.name.size());
  std::string text = fmt::format("\n{:<{}}  {:>8}  {:>8}  {:>6}  {:>8}  {:>8}\n", title, width,
                                 "planned", "right", "wrong", "missing", "unknown");
  for (const CablingProgress& row : rows) {
    text += fmt::format("{:<{}}  {:>8}  {:>8}  {:>6}  {:>8}  {:>8}\n", row.name, width, row.planned,
                        row.right, row.wrong, row.missing, row.unknown);
  }
  return text;
}

std::string verdict(const CablingCheck& check) {
  if (check.wrong()) return "WRONG";
  return check.complete() ? "AS PLANNED" : "INCOMPLETE, but nothing is wrong";
}

std::string matched_line(const CablingCheck& check) {
  std::string text;
  for (const auto& [method, count] : methods_of(check)) {
    if (count == 0 || method == "not_found") continue;
    text += fmt::format("{}{} by {}", text.empty() ? "" : ", ", count, method);
  }
  const std::size_t ambiguous = check.cabling.match.alternatives.size();
  if (ambiguous > 0) text += fmt::format("; {} could be others (--json lists them)", ambiguous);
  return text;
}

}  // namespace

std::string cabling_text(const CablingView& view) {
  const CablingCheck& check = view.check;
  std::string text = fmt::format(
      "{}: {} of {} planned cables are right ({}), {} wrong, {} missing, {} at devices that do not "
      "answer\n",
      verdict(check), check.all.right, check.all.planned,
      percent_of(check.all.right, check.all.planned), check.all.wrong, check.all.missing,
      check.all.unknown);
  text += fmt::format("Devices matched: {}\n", matched_line(check));
  if (check.cabling.hosts_not_planned > 0) {
    text += fmt::format("Hosts: the plan has none; {} found, not checked\n",
                        counted(check.cabling.hosts_not_planned, "adapter"));
  }
  const std::vector<CablingFault>& faults = check.cabling.faults;
  if (!faults.empty())
    text +=
        fmt::format("\n{}, {}\n", counted(faults.size(), "fault"), counted(check.moves, "move"));
  for (std::size_t i = 0; i < faults.size() && i < kShownFaults; ++i) {
    const FaultWords words = words_of(view, faults[i]);
    text += fmt::format("  {:<16} {}\n", kind_word(faults[i].kind), words.what);
    text += fmt::format(
        "  {:<16} {}{}\n", "", words.todo,
        faults[i].cost_gbps > 0 ? fmt::format(" ({:.0f} Gb/s)", faults[i].cost_gbps) : "");
  }
  if (faults.size() > kShownFaults) {
    text +=
        fmt::format("  and {} more (--json and --csv have all)\n", faults.size() - kShownFaults);
  }
  if (check.complete()) return text;
  return text + progress_table("level", check.levels) + progress_table("unit", check.units) +
         progress_table("rack", check.racks);
}

void add_cabling(Json& json, const CablingView& view) {
  const CablingCheck& check = view.check;
  json["complete"] = check.complete();
  json["wrong"] = check.wrong();
  json["matched_by"] = Json(methods_of(check));
  json["hosts_not_planned"] = check.cabling.hosts_not_planned;
  json["devices"] = devices_json(view);
  Json progress = progress_json(check.all);
  progress["racks"] = progress_list(check.racks);
  progress["units"] = progress_list(check.units);
  progress["levels"] = progress_list(check.levels);
  json["progress"] = std::move(progress);
  json["faults"] = Json::array();
  json["moves"] = Json::array();
  for (const CablingFault& fault : check.cabling.faults) {
    json["faults"].push_back(cabling_fault_json(view, fault));
  }
  for (const CablingMove& move : check.cabling.ordered_moves(view.found.fabric())) {
    json["moves"].push_back(move_json(view, move));
  }
  json["moves_needed"] = check.moves;
}

}  // namespace fatwood
