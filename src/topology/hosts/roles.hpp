// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Roles of hosts: compute, storage or service, each with the reason.
//
// Jobs run on compute hosts. A login host behind two cables or a slow storage rack inevitably
// limits some pairs. Figures that mix them with compute hosts hide everything else.
//
// Method. Most hosts are compute hosts, so a host has another role only if it differs from them,
// and each sign counts only while it singles out fewer than one host in five.
//  1. Given: the compute hosts and I/O hosts that the user lists (ModelHints).
//  2. Rails. Where most terminals belong to units (rails.hpp), their members are compute hosts. A
//     leaf that serves members without being a rail is a storage leaf: its other hosts, and the
//     members' adapters on it, are storage. Other hosts differ: on leaves of their own, or guests
//     on the leaves of a unit.
//  3. Cabling. Routers, hosts above the leaves, and hosts on leaves that are side parts
//     (side_parts.hpp) or have at most half of the usual cables up differ.
//  4. Link speeds and port counts. The hosts that differ are those of a leaf that has no host with
//     the usual speed, and hosts with more or faster ports than usual.
//  5. Names, the last resort: a word like "login" or "oss" in the name of a host that looks like
//     all others.
// Damage also looks like 3 and 4. So a host with a name like compute hosts ("node17", "node18")
// stays one, unless it is above the leaves, or on a side part's leaf with less than half of the
// usual hosts.
// A host that differs is a storage host if it has more or faster ports than usual, if it is on a
// leaf of its own that is as full as others, if its name says so, or if a host with the same stem
// (role_names.hpp) is one. Otherwise it is a service host.
//
// If nothing distinguishes hosts, all are compute hosts. Cost: that of rails and recognition, and
// O(ports).

#include <array>
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
  RoleSign kind = RoleSign::kNone;    // why storage and not service; kNone: service
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

}  // namespace fatwood
