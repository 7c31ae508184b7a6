// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// --host-order FILE: the order of hosts that jobs are placed by (app/host_order.hpp).

#include <string>

#include "app/host_order.hpp"
#include "cli/verb.hpp"

namespace fatwood::cli {

Option* add_host_order(Verb& verb, std::string& file);
// find_host_order() with its note to stderr.
GivenOrder host_order(const OpenFabric& fabric, const std::string& file);

}  // namespace fatwood::cli
