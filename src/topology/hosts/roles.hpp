// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the role of each host: compute, storage or service, with the reason.
//
// Jobs run on compute hosts. A login host behind two cables or a slow storage rack is slow whatever
// the routes. Figures that include such hosts hide what compute hosts get.
//
// Most hosts are compute hosts. So a host gets another role only if it differs from most, and a
// difference counts only if fewer than one host in five have it. The first step that applies
// decides:
//  1. Given: the user lists compute hosts or I/O hosts (ModelHints).
//  2. Rails. If most terminals belong to units (rails.hpp), the members of units are compute hosts.
//     A leaf that serves members without being a rail is a storage leaf: its other hosts, and the
//     members' adapters on it, have the role storage. Hosts on other leaves without rails differ,
//     and so do guests.
//  3. Cabling. These differ: routers, hosts above the leaves, hosts on leaves of side parts
//     (side_parts.hpp), and hosts on leaves with at most half of the usual cables up.
//  4. Ports. These differ: hosts of a leaf where no host has the usual speed, and hosts with more
//     or faster ports than usual.
//  5. Names: hosts with a word like "login" or "oss" in their name differ.
// Damage can look like 3 and 4. So in these steps a host with a name like other compute hosts
// ("node17", "node18") does not differ, unless it is above the leaves, or on a leaf of a side part
// with less than half of the usual hosts.
//
// A host that differs is a storage host if it has more or faster ports than usual, if it is on a
// leaf of its own that is as full as others, if its name says so, or if a host with the same stem
// (name_stem) is a storage host. Otherwise it is a service host.
//
// If no host differs, all are compute hosts. Cost: that of rails and recognition, and O(ports).

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "topology/adapters.hpp"
#include "topology/hosts/rails.hpp"

namespace fatwood {

class Model;

enum class Role : std::uint8_t { kCompute, kStorage, kService };
inline constexpr std::array kRoles{Role::kCompute, Role::kStorage, Role::kService};
std::string_view name_of(Role role);  // "compute"

// The evidence for a role.
enum class RoleSign : std::uint8_t {
  kNone,         // nothing
  kGiven,        // the user's lists
  kRails,        // a member of a unit
  kLikeMost,     // cabled like most hosts
  kStorageLeaf,  // on a leaf that serves members of units without being a rail
  kRouter,
  kAboveLeaves,   // on a switch above the leaves
  kOwnLeaf,       // on a leaf without compute hosts, cabled unlike theirs
  kGuest,         // on leaves of a unit, not cabled like its members
  kOtherSpeed,    // no host of its leaf has the usual speed
  kMorePorts,     // than most hosts
  kFasterPorts,   // than most hosts
  kName,          // a word in its name
  kNameOfOthers,  // called like hosts whose role is known
  kFullLeaf,      // its own leaf has about as many hosts as others
};

struct HostRole {
  Role role = Role::kCompute;
  RoleSign reason = RoleSign::kNone;  // why it is or is not a compute host
  RoleSign kind = RoleSign::kNone;    // why storage or service (by name); kNone: service
};

class Roles {
 public:
  Roles() = default;
  // REQUIRES one role per host and per adapter.
  Roles(Table<Host, HostRole> hosts, Table<Adapter, Role> adapters);

  const HostRole& of(Host host) const { return hosts_[host]; }
  Role of(Adapter adapter) const { return adapters_[adapter]; }
  std::size_t hosts(Role role) const { return host_count_[static_cast<std::size_t>(role)]; }
  std::size_t adapters(Role role) const { return adapter_count_[static_cast<std::size_t>(role)]; }
  // Whether adapters have different roles.
  bool differ() const { return adapters(Role::kCompute) < adapters_.size(); }

 private:
  Table<Host, HostRole> hosts_;
  Table<Adapter, Role> adapters_;
  std::array<std::size_t, kRoles.size()> host_count_{}, adapter_count_{};
};

Roles find_roles(const Model& model);

// The role that a word of a host's name stands for. Words are of letters ("gpu-login02" has "gpu"
// and "login"), and only whole words count: "blogin" says nothing. Words for storage or service
// outrank words for compute ("login-gpu1"); of several words, the last counts.
std::optional<Role> role_in_name(std::string_view name);
// The name with '#' in place of each number: "luna-0129" and "luna-0002" have the same stem.
std::string name_stem(std::string_view name);

}  // namespace fatwood
