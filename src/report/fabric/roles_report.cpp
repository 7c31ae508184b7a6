// SPDX-License-Identifier: BSD-3-Clause
#include "report/fabric/roles_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/sort_unique.hpp"
#include "topology/labels.hpp"

namespace fatwood {
namespace {

// Hosts with one role for one reason.
struct RoleGroup {
  HostRole why;
  std::vector<std::string> names;
  std::vector<std::string> leaves;
  std::size_t hosts = 0;
};

std::vector<std::string> leaf_labels(const Fabric& fabric, const Hosts& hosts, const Labels& labels,
                                     const std::vector<Host>& group) {
  std::vector<Switch> leaves;
  for (const Host h : group) {
    for (const Terminal t : terminals_of(fabric, hosts, h)) {
      if (fabric.leaf(t) != kNone<Switch>) leaves.push_back(fabric.leaf(t));
    }
  }
  sort_unique(leaves);
  std::vector<std::string> names;
  for (const Switch s : leaves) names.push_back(labels(s));
  return names;
}

// In order of roles, then reasons.
std::vector<RoleGroup> role_groups(const Fabric& fabric, const Hosts& hosts, const Roles& roles) {
  std::map<std::tuple<Role, RoleSign, RoleSign>, std::vector<Host>> members;
  for (const Host h : ids<Host>(hosts.size())) {
    const HostRole& role = roles.of(h);
    members[{role.role, role.reason, role.kind}].push_back(h);
  }
  const Labels labels(fabric);
  std::vector<RoleGroup> groups;
  for (const auto& [why, group] : members) {
    const auto [role, reason, kind] = why;
    RoleGroup made{{role, reason, kind}, {}, {}, group.size()};
    if (role != Role::kCompute) {
      for (const Host h : group) made.names.push_back(unique_name(fabric, hosts, h));
      made.leaves = leaf_labels(fabric, hosts, labels, group);
    }
    groups.push_back(std::move(made));
  }
  return groups;
}

// The reason for a role.
std::string_view sign_text(RoleSign sign) {
  constexpr std::string_view kTexts[] = {"no cable into a switch",
                                         "as given",
                                         "in a unit with rails",
                                         "no sign of another role",
                                         "on a leaf that serves hosts of units and is no rail",
                                         "routers",
                                         "on a switch above the leaves",
                                         "on a leaf of their own, cabled unlike others",
                                         "on leaves of a unit, not cabled like its hosts",
                                         "on a leaf where no host has the usual speed",
                                         "more ports than most hosts",
                                         "faster ports than most hosts",
                                         "by name",
                                         "called like storage hosts",
                                         "their leaf is as full as others"};
  return kTexts[static_cast<std::size_t>(sign)];
}

std::string group_line(const RoleGroup& group) {
  std::string text = fmt::format("  {:<8} {}: {}", name_of(group.why.role),
                                 counted(group.hosts, "host"), sign_text(group.why.reason));
  if (group.why.kind != RoleSign::kNone && group.why.kind != group.why.reason) {
    text += fmt::format("; {}", sign_text(group.why.kind));
  }
  if (group.names.empty()) return text + "\n";
  text += fmt::format(" ({}", listed(group.names, 6));
  if (!group.leaves.empty()) text += fmt::format(" on {}", listed(group.leaves, 4));
  return text + ")\n";
}

}  // namespace

std::string roles_text(const Fabric& fabric, const Hosts& hosts, const Roles& roles) {
  if (!roles.differ()) return "";
  std::vector<std::string> totals;
  for (const Role role : kRoles) {
    if (roles.adapters(role) == 0) continue;
    totals.push_back(
        fmt::format("{} {} ({})", roles.hosts(role),
                    fmt::format("{} host{}", name_of(role), roles.hosts(role) == 1 ? "" : "s"),
                    counted(roles.adapters(role), "adapter")));
  }
  std::string text = fmt::format("Roles: {}.\n", listed(totals));
  for (const RoleGroup& group : role_groups(fabric, hosts, roles)) text += group_line(group);
  return text;
}

Json roles_json(const Fabric& fabric, const Hosts& hosts, const Roles& roles) {
  Json json;
  for (const Role role : kRoles) {
    json[name_of(role)] = {{"hosts", roles.hosts(role)}, {"adapters", roles.adapters(role)}};
  }
  json["reasons"] = Json::array();
  for (const RoleGroup& group : role_groups(fabric, hosts, roles)) {
    const bool known = group.why.kind != RoleSign::kNone;
    json["reasons"].push_back({{"role", name_of(group.why.role)},
                               {"apart", sign_text(group.why.reason)},
                               {"kind", known ? Json(sign_text(group.why.kind)) : Json()},
                               {"hosts", group.hosts},
                               {"names", group.names},
                               {"leaves", group.leaves}});
  }
  return json;
}

}  // namespace fatwood
