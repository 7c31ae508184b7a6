// SPDX-License-Identifier: BSD-3-Clause
// The exact worst case: seconds for the trees and routings that have a limit, on all cores.

#include <fmt/format.h>

#include "analysis/worst/worst_case.hpp"
#include "clock.hpp"

int main() {
  using namespace fatwood;
  struct Case {
    TreeShape shape;
    std::string routing;
    double limit;  // seconds; 0: none was named
  };
  const Case cases[] = {{m_port_n_tree(16, 3), "dmodk", 10},
                        {xgft({4, 4, 8}, {1, 4, 4}), "disjoint:8", 10},
                        {m_port_n_tree(16, 3), "disjoint:8", 0},
                        {m_port_n_tree(16, 3), "osrm:4", 0},
                        {m_port_n_tree(32, 2), "umulti", 0}};
  fmt::print("{:<24} {:<12} {:>8} {:>8} {:>8} {:>16}\n", "tree", "routing", "ratio", "seconds",
             "limit", "flows/channels");
  for (const Case& c : cases) {
    const double start = bench::wall_seconds();
    const MadeAlgebraic made = make_algebraic(c.routing, c.shape);
    const WorstCase worst = worst_case(cable_use(*made.routing));
    const double spent = bench::wall_seconds() - start;
    fmt::print("{:<24} {:<12} {:>8} {:>8.2f} {:>8} {:>16}\n", c.shape.to_string(), c.routing,
               worst.load.to_string(), spent, c.limit == 0 ? "-" : fmt::format("{}", c.limit),
               fmt::format("{}/{}", worst.flows_solved, worst.channels));
  }
}
