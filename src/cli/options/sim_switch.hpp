// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The options of `fatwood sim` with which switches change their tables while packets are in flight.

#include <string>

#include "cli/verb.hpp"
#include "sim/engine/routes.hpp"

namespace fatwood::cli {

struct SwitchOptions {
  std::string to;                // file of tables; "": tables do not change
  std::int64_t at = 0;           // cycle in which the first switch is written
  std::string order = "number";  // number, random, rounds, or a file of switches
  std::int64_t gap = 100;        // cycles from switch to switch
  std::int64_t drain = 1000;     // cycles between two rounds
};

// Returns --switch-to, which the others need.
Option* add_switch_options(Verb& verb, SwitchOptions& options);

// REQUIRES routes by these tables. InputError if the new tables have another size or lack a pair,
// or if the order names no switch. PromiseError if rounds are requested and there are none.
void change_tables(const OpenFabric& fabric, const Routing& old, const SwitchOptions& options,
                   const Session& session, const sim::Network& network, sim::Routes& routes);

}  // namespace fatwood::cli
