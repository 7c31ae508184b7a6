// SPDX-License-Identifier: BSD-3-Clause
#include "plan/task/grow_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/sort_unique.hpp"
#include "core/union_find.hpp"
#include "plan/model/plan_fabric.hpp"
#include "routing/engine.hpp"
#include "routing/repair/carried_tables.hpp"
#include "tasks/change/repair_tables.hpp"
#include "tasks/change/transition.hpp"

namespace fatwood {

namespace {

// Without devices that have no cable: a fabric has none of them yet.
Plan cabled(const Plan& plan) {
  constexpr std::uint32_t kGone = 0xffffffffU;
  std::vector<std::uint32_t> number(plan.devices.size(), kGone);
  for (const PlanCable& cable : plan.cables) number[cable.a.device] = number[cable.b.device] = 0;
  Plan result;
  for (std::size_t d = 0; d < number.size(); ++d) {
    if (number[d] == kGone) continue;
    number[d] = static_cast<std::uint32_t>(result.devices.size());
    result.devices.push_back(plan.devices[d]);
  }
  result.cables = plan.cables;
  for (PlanCable& cable : result.cables) {
    cable.a.device = number[cable.a.device];
    cable.b.device = number[cable.b.device];
  }
  return result;
}

// A state of the fabric with the tables in its switches.
struct State {
  std::unique_ptr<Model> model;
  Routing routing;
  Lids lids;
};

// The component of each end port by the id of its node and its port.
using PortParts = std::map<std::string, std::uint32_t>;

PortParts parts_of(const Model& model) {
  const Fabric& fabric = model.fabric();
  PortParts parts;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const Switch leaf = fabric.leaf(t);
    if (leaf == kNone<Switch>) continue;
    const Channel c = fabric.terminal_channel(t);
    parts.emplace(fmt::format("{}[{}]", fabric.id(fabric.owner(c)), index(fabric.port(c))),
                  model.components().component[leaf]);
  }
  return parts;
}

std::size_t networks(const PortParts& parts) {
  std::set<std::uint32_t> all;
  for (const auto& [port, part] : parts) all.insert(part);
  return all.size();
}

// "" if all ports that were in one component are; otherwise two that are not.
std::string separated(const PortParts& before, const Model& now) {
  const PortParts parts = parts_of(now);
  std::map<std::uint32_t, std::pair<std::string, std::uint32_t>> first;  // by component before
  for (const auto& [port, part] : before) {
    const auto at = parts.find(port);
    if (at == parts.end()) continue;
    const auto [known, added] = first.try_emplace(part, port, at->second);
    if (added || known->second.second == at->second) continue;
    std::string why = fmt::format("{} and {} are in separate networks", known->second.first, port);
    if (const std::size_t was = networks(before), are = networks(parts); are > was) {
      why += fmt::format(" ({} planes instead of {}; {} planes would keep them together)", are, was,
                         was);
    }
    return why;
  }
  return "";
}

// The number of cables of each device.
std::vector<std::size_t> cables_by_device(const Plan& plan) {
  std::vector<std::size_t> count(plan.devices.size());
  for (const PlanCable& cable : plan.cables) {
    ++count[cable.a.device];
    ++count[cable.b.device];
  }
  return count;
}

// By device: the components of switches that a host is connected to, in order.
using PartsByHost = std::vector<std::vector<std::uint32_t>>;

PartsByHost parts_by_host(const Plan& plan) {
  UnionFind sets(plan.devices.size());
  for (const PlanCable& cable : plan.cables) {
    if (!plan.to_host(cable)) sets.join(cable.a.device, cable.b.device);
  }
  PartsByHost parts(plan.devices.size());
  for (const PlanCable& cable : plan.cables) {
    for (const auto& [here, far] : {std::pair{&cable.a, &cable.b}, {&cable.b, &cable.a}}) {
      if (plan.device(*here).is_host()) parts[here->device].push_back(sets.find(far->device));
    }
  }
  for (auto& list : parts) sort_unique(list);
  return parts;
}

bool share(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<std::uint32_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return !both.empty();
}

// "" if any two hosts that were connected still are, on one plane or another; otherwise two that
// are not. Hosts without a cable are left out.
std::string pair_separated(const Plan& plan, const PartsByHost& before, const PartsByHost& now) {
  using Kind = std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>;
  std::map<Kind, std::size_t> kinds;  // the first device of each
  for (std::size_t d = 0; d < before.size(); ++d) {
    if (!before[d].empty() && !now[d].empty()) kinds.try_emplace({before[d], now[d]}, d);
  }
  for (const auto& [a, host] : kinds) {
    for (const auto& [b, other] : kinds) {
      if (!share(a.first, b.first) || share(a.second, b.second)) continue;
      return fmt::format("{} and {} have no plane in common", plan.devices[host].name,
                         plan.devices[other].name);
    }
  }
  return "";
}

class GrowthCheck {
 public:
  GrowthCheck(GrowResult& result, const GrowOptions& options)
      : result_(result), options_(options), engine_(find_engine(options.route.engine)) {
    const Plan before = result.growth.state(0, false);
    hosts_before_ = parts_by_host(before);
    const std::vector<std::size_t> was = cables_by_device(before);
    const std::vector<std::size_t> now =
        cables_by_device(result.growth.state(result.growth.steps.size(), false));
    for (std::uint32_t d = 0; d < was.size(); ++d) {
      if (before.devices[d].is_host() && was[d] > 1 && now[d] > 0) stay_on_.push_back(d);
    }
  }

  void run() {
    const Growth& growth = result_.growth;
    State state = first_state();
    before_ = parts_of(*state.model);
    for (std::size_t s = 0; s < growth.steps.size(); ++s) {
      CheckedStep& step = result_.steps.emplace_back();
      if (!growth.steps[s].unplug.empty()) {
        step.changes.push_back(change(state, growth.state(s, true), Work::kUnplug));
      }
      if (!growth.steps[s].plug.empty()) {
        step.changes.push_back(change(state, growth.state(s + 1, false), Work::kPlug));
      }
    }
    result_.last = route_again(state);
  }

 private:
  State first_state() const {
    State state;
    state.model =
        std::make_unique<Model>(planned_fabric(cabled(result_.growth.state(0, false))).fabric);
    state.routing = route(engine_, *state.model, {.threads = options_.route.threads});
    state.lids = assign_lids(state.model->fabric(), 0);
    return state;
  }

  // Repairs the tables for another state of the fabric. PromiseError where that can't be.
  State repaired(const State& from, const Plan& plan, RepairedTables& repair) const {
    State to;
    to.model = std::make_unique<Model>(planned_fabric(cabled(plan)).fabric);
    CarriedTables carried =
        carry_tables(from.model->fabric(), from.routing.tables, from.lids, to.model->fabric());
    Routing old;
    old.engine = from.routing.engine;
    old.tables = std::move(carried.tables);
    to.lids = completed(std::move(carried.lids));
    repair = repair_tables(*to.model, old, to.lids, {.threads = options_.route.threads});
    to.routing = std::move(repair.routing);
    return to;
  }

  enum class Work : std::uint8_t { kUnplug, kPlug };

  TableChange change(State& state, const Plan& plan, Work work) {
    return attempt(
        work == Work::kUnplug ? "before unplugging" : "after plugging", [&](TableChange& made) {
          RepairedTables repair;
          State next = repaired(state, plan, repair);
          fill(made, work == Work::kUnplug ? written_before(state, next) : repair.transition,
               repair.deadlock_free, *next.model);
          if (made.cut_off.empty()) made.cut_off = cut_off(plan, repair);
          made.connected = made.cut_off.empty();
          state = std::move(next);
        });
  }

  // Which host has no cable, or no other host that it had; or "".
  std::string cut_off(const Plan& plan, const RepairedTables& repair) const {
    const std::vector<std::size_t> cables = cables_by_device(plan);
    for (const std::uint32_t d : stay_on_) {
      if (cables[d] == 0) return fmt::format("{} has no cable", plan.devices[d].name);
    }
    const std::string pair = pair_separated(plan, hosts_before_, parts_by_host(plan));
    if (!pair.empty()) return pair;
    const std::uint64_t lost = repair.reach.lost().terminal_terminal;
    return lost == 0 ? "" : fmt::format("{} pairs of end ports have no route", lost);
  }

  // The tables of the next state, written while the cables of this one are still there.
  Transition written_before(const State& state, const State& next) const {
    CarriedTables back =
        carry_tables(next.model->fabric(), next.routing.tables, next.lids, state.model->fabric());
    Routing now;
    now.engine = state.routing.engine;
    now.tables = std::move(back.tables);
    return transition(*state.model, state.routing, now, options_.route.threads);
  }

  TableChange route_again(const State& state) {
    return attempt("at the end", [&](TableChange& made) {
      const Routing now = route(engine_, *state.model, {.threads = options_.route.threads});
      fill(made, transition(*state.model, state.routing, now, options_.route.threads), true,
           *state.model);
    });
  }

  // What can't be routed is a fault of this change.
  template <class Make>
  static TableChange attempt(std::string_view when, const Make& make) {
    TableChange made;
    made.when = when;
    try {
      make(made);
    } catch (const PromiseError& error) {
      made.fault = error.what();
    }
    return made;
  }

  void fill(TableChange& made, const Transition& moved, bool deadlock_free, const Model& model) {
    made.transition = moved.safety;
    made.entries = moved.entries;
    made.deadlock_free = deadlock_free;
    made.cut_off = separated(before_, model);
    made.connected = made.cut_off.empty();
  }

  GrowResult& result_;
  const GrowOptions& options_;
  const Engine& engine_;
  PortParts before_;
  PartsByHost hosts_before_;
  std::vector<std::uint32_t> stay_on_;  // hosts that have another cable while one is moved
};

}  // namespace

bool GrowResult::safe() const {
  return last.safe() && std::ranges::all_of(steps, [](const CheckedStep& step) {
           return std::ranges::all_of(step.changes, &TableChange::safe);
         });
}

std::vector<std::uint32_t> GrowResult::hosts_off() const {
  std::set<std::uint32_t> hosts;
  for (const GrowthStep& step : growth.steps) {
    hosts.insert(step.hosts_off.begin(), step.hosts_off.end());
  }
  return {hosts.begin(), hosts.end()};
}

GrowResult grow_plan(const Plan& old, const Plan& wanted, const GrowOptions& options) {
  GrowResult result;
  result.growth = grow(old, wanted, options.growth);
  if (options.verify) GrowthCheck(result, options).run();
  return result;
}

}  // namespace fatwood
