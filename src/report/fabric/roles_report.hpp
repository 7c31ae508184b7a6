// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The part of `fatwood show` on the roles of hosts (topology/hosts/roles.hpp), with reasons.

#include <string>

#include "report/json.hpp"
#include "topology/hosts/roles.hpp"

namespace fatwood {

// Lines with line ends; empty if all hosts are compute hosts.
std::string roles_text(const Fabric& fabric, const Hosts& hosts, const Roles& roles);

// Names and leaves are empty for compute hosts, which are all others.
Json roles_json(const Fabric& fabric, const Hosts& hosts, const Roles& roles);

}  // namespace fatwood
