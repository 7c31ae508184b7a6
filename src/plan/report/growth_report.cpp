// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <map>

#include "plan/report/plan_report.hpp"
#include "report/cells.hpp"
#include "report/change/repair_report.hpp"
#include "report/json.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostSteps = 40;

std::string_view action_word(GrowthAction::Kind kind) {
  return kind == GrowthAction::Kind::kUnplug ? "unplug"
         : kind == GrowthAction::Kind::kMove ? "move"
                                             : "plug";
}

// The cable of an action as it was, and as it will be; nullptr: not plugged.
const PlanCable* cable_before(const Growth& growth, const GrowthAction& action) {
  return action.kind == GrowthAction::Kind::kPlug ? nullptr : &growth.removed[action.from];
}
const PlanCable* cable_after(const Growth& growth, const GrowthAction& action) {
  return action.kind == GrowthAction::Kind::kUnplug ? nullptr : &growth.plan.cables[action.to];
}

// Of a moved cable: the end that stays, the end as it was, the end as it will be.
struct MovedEnds {
  const PlanEnd *stays, *was, *now;
};
MovedEnds ends_of(const PlanCable& before, const PlanCable& now) {
  for (const auto& [stays, was] : {std::pair{&before.a, &before.b}, {&before.b, &before.a}}) {
    if (stays->socket() == now.a.socket()) return {stays, was, &now.b};
    if (stays->socket() == now.b.socket()) return {stays, was, &now.a};
  }
  return {&now.a, &before.b, &now.b};
}

std::map<std::string, std::size_t> by_role(const Plan& plan,
                                           const std::vector<std::uint32_t>& devices) {
  std::map<std::string, std::size_t> count;
  for (const std::uint32_t d : devices) {
    const PlanDevice& device = plan.devices[d];
    const std::string kind = device.is_host() ? "host" : "switch";
    ++count[device.role.empty() ? kind : device.role];
  }
  return count;
}

std::string roles_words(const Plan& plan, const std::vector<std::uint32_t>& devices) {
  std::string text;
  for (const auto& [role, count] : by_role(plan, devices)) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, role);
  }
  return text.empty() ? "none" : text;
}

std::string change_words(const TableChange& change, bool hosts_off) {
  if (!change.fault.empty()) return fmt::format("{}: NOT SAFE: {}", change.when, change.fault);
  return fmt::format("{}: {}: {} entries change, {}, {}", change.when,
                     change.safe() ? "safe" : "NOT SAFE", change.entries,
                     safety_name(change.transition),
                     !change.connected ? "HOSTS CUT OFF: " + change.cut_off
                     : hosts_off       ? "all other hosts connected"
                                       : "all hosts connected");
}

Json change_json(const TableChange& change) {
  return {{"when", change.when},
          {"safe", change.safe()},
          {"transition", change.fault.empty() ? Json(safety_name(change.transition)) : Json()},
          {"entries_changed", change.entries},
          {"deadlock_free", change.deadlock_free},
          {"connected", change.connected},
          {"cut_off", text_or_null(change.cut_off)},
          {"fault", text_or_null(change.fault)}};
}

Json names_json(const Plan& plan, const std::vector<std::uint32_t>& devices) {
  return Json::list(devices, [&](const std::uint32_t d) { return plan.devices[d].name; });
}

Json action_json(const Growth& growth, const GrowthAction& action) {
  const auto ends = [&](const PlanCable* cable) {
    return cable == nullptr
               ? Json()
               : Json::array({end_text(growth.plan, cable->a), end_text(growth.plan, cable->b)});
  };
  return {{"do", action_word(action.kind)},
          {"was", ends(cable_before(growth, action))},
          {"now", ends(cable_after(growth, action))}};
}

std::string verdict_line(const GrowResult& result) {
  if (!result.safe()) {
    for (std::size_t s = 0; s < result.steps.size(); ++s) {
      for (const TableChange& change : result.steps[s].changes) {
        if (change.cut_off.empty()) continue;
        return fmt::format("NOT SAFE: step {} cuts hosts off: {}\n", s + 1, change.cut_off);
      }
    }
    return "NOT SAFE: see the steps below\n";
  }
  const std::size_t off = result.hosts_off().size();
  const std::string who =
      off == 0 ? "all hosts connected"
               : fmt::format("all hosts connected but {}, off while {} only cable is moved", off,
                             off == 1 ? "its" : "their");
  return fmt::format("SAFE: every step keeps {}, and tables can be changed without deadlock\n",
                     who);
}

}  // namespace

std::string growth_text(const GrowResult& result, const GrowOptions& options) {
  const Growth& growth = result.growth;
  std::string text;
  if (options.verify) text += verdict_line(result);
  text += fmt::format("added devices    {}\n", roles_words(growth.plan, growth.added_devices));
  if (!growth.removed_devices.empty()) {
    text += fmt::format("devices no longer used  {}\n",
                        roles_words(growth.plan, growth.removed_devices));
  }
  text += fmt::format(
      "cables           {} stay, {} unplugged ({} of them moved by one end), {} "
      "plugged\n",
      growth.kept.size(), growth.removed.size(), growth.moves.size(), growth.added.size());
  for (std::size_t s = 0; s < growth.steps.size() && s < kMostSteps; ++s) {
    std::map<std::string_view, std::size_t> count;
    for (const GrowthAction& action : growth.steps[s].actions) ++count[action_word(action.kind)];
    text += fmt::format("step {:<3}", s + 1);
    for (const auto& [what, n] : count) text += fmt::format("  {} {}", what, n);
    text += "\n";
    for (const std::uint32_t d : growth.steps[s].hosts_off) {
      text += fmt::format("         {} is off: none of its cables is plugged in the meantime\n",
                          growth.plan.devices[d].name);
    }
    if (s >= result.steps.size()) continue;
    for (const TableChange& change : result.steps[s].changes) {
      text +=
          fmt::format("         {}\n", change_words(change, !growth.steps[s].hosts_off.empty()));
    }
  }
  if (growth.steps.size() > kMostSteps) {
    text +=
        fmt::format("... and {} more steps; --json has all\n", growth.steps.size() - kMostSteps);
  }
  if (options.verify) text += fmt::format("routes   {}\n", change_words(result.last, false));
  return text;
}

std::string growth_json(const GrowResult& result, const GrowOptions& options) {
  const Growth& growth = result.growth;
  Json steps = Json::array();
  for (std::size_t s = 0; s < growth.steps.size(); ++s) {
    Json actions = Json::list(growth.steps[s].actions, [&](const GrowthAction& action) {
      return action_json(growth, action);
    });
    Json changes = Json::array();
    if (s < result.steps.size()) {
      for (const TableChange& change : result.steps[s].changes) {
        changes.push_back(change_json(change));
      }
    }
    steps.push_back({{"step", s + 1},
                     {"actions", actions},
                     {"hosts_off", names_json(growth.plan, growth.steps[s].hosts_off)},
                     {"changes", changes}});
  }
  Json json{{"safe", options.verify ? Json(result.safe()) : Json()},
            {"added_devices", names_json(growth.plan, growth.added_devices)},
            {"removed_devices", names_json(growth.plan, growth.removed_devices)},
            {"cables_kept", growth.kept.size()},
            {"cables_unplugged", growth.removed.size()},
            {"cables_moved", growth.moves.size()},
            {"cables_plugged", growth.added.size()},
            {"hosts_off", names_json(growth.plan, result.hosts_off())},
            {"steps", steps},
            {"last", options.verify ? change_json(result.last) : Json()}};
  return document(std::move(json));
}

std::string growth_csv(const GrowResult& result) {
  const Plan& plan = result.growth.plan;
  std::string csv =
      "step,do,device_a,port_a,place_a,device_b,port_b,place_b,was_device,was_port,was_place,"
      "label,cable_type,length_m,old_length_m\n";
  const auto put = [&](std::vector<std::string>& cells, const PlanEnd& end) {
    cells.push_back(plan.device(end).name);
    cells.push_back(end.text);
    cells.push_back(place_text(plan.device(end)));
  };
  for (std::size_t s = 0; s < result.growth.steps.size(); ++s) {
    for (const GrowthAction& action : result.growth.steps[s].actions) {
      std::vector<std::string> cells{fmt::format("{}", s + 1),
                                     std::string(action_word(action.kind))};
      const PlanCable* now = cable_after(result.growth, action);
      const PlanCable* before = cable_before(result.growth, action);
      const PlanCable& cable = now != nullptr ? *now : *before;
      if (now != nullptr && before != nullptr) {
        const MovedEnds ends = ends_of(*before, *now);
        put(cells, *ends.stays);
        put(cells, *ends.now);
        put(cells, *ends.was);
      } else {
        put(cells, cable.a);
        put(cells, cable.b);
        cells.insert(cells.end(), 3, "");
      }
      cells.push_back(cable.label);
      cells.push_back(cable.type);
      cells.push_back(cable.length_m == 0 ? "" : fmt::format("{:g}", cable.length_m));
      const bool old = before != nullptr && before->length_m != 0;
      cells.push_back(old ? fmt::format("{:g}", before->length_m) : "");
      csv += csv_line(cells);
    }
  }
  return csv;
}

}  // namespace fatwood
