// SPDX-License-Identifier: BSD-3-Clause
#include "verify/further_routes.hpp"

#include "verify/deadlock.hpp"
#include "verify/reachability.hpp"

namespace fatwood {

std::optional<ForwardingTables> take_further_routes(const Model& model,
                                                    const ForwardingTables& repaired,
                                                    const Routing& fresh, int threads) {
  const Fabric& fabric = model.fabric();
  const std::uint64_t lost =
      find_reachability(fabric, fresh, threads).unreachable.terminal_terminal;
  const auto is_as_good = [&](const Routing& routing) {
    const Reachability found = find_reachability(fabric, routing, threads);
    return found.loops == 0 && found.unreachable.terminal_terminal <= lost &&
           find_deadlock(fabric, routing, Sources::kAll, threads).free();
  };
  Routing further;
  further.engine = fresh.engine;
  further.tables = repaired;
  bool any = false;
  for (const Target target : ids<Target>(repaired.num_targets())) {
    const std::span<std::uint8_t> row = further.tables.row(target);
    for (std::size_t s = 0; s < row.size(); ++s) {
      if (row[s] != kNoRoute || fresh.tables.row(target)[s] == kNoRoute) continue;
      row[s] = fresh.tables.row(target)[s];
      any = true;
    }
  }
  if (is_as_good(further)) return std::move(further.tables);
  if (!any) return std::nullopt;
  further.tables = repaired;
  if (is_as_good(further)) return std::move(further.tables);
  return std::nullopt;
}

}  // namespace fatwood
