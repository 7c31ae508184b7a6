// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runs programs (traffic/jobs/program.hpp) side by side with max-min fair rates: when does each
// operation start and end, and what held it back?
//
// Method: event by event. An operation that waits for nothing any more starts; its transfer is a
// variable over the links of its edges. Rates are settled when something started or ended
// (live_shares.hpp), and only where it matters; what ends next comes from a heap of expected ends,
// which a change of rate makes stale. Ends within 1e-12 of each other, relatively, are one event.
// A program that is repeated starts again when it ended, unless that took no time, until every
// program has ended once.
//
// Encoding: results by program and operation, of its first run. `held_by` is the link that fixed
// the rate at the end; kNoLink when nothing but its own cap did.
// Cost: see LiveShares, and a logarithm for each change of a rate. Deterministic.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/rates/live_shares.hpp"
#include "traffic/jobs/program.hpp"

namespace fatwood {

// The links of each operation's edges, amounts times those of the edges, equal links joined.
struct OpUses {
  std::vector<std::size_t> first{0};
  std::vector<LinkUse> uses;

  std::span<const LinkUse> of(Op op) const {
    return {uses.data() + first[op], first[op + 1] - first[op]};
  }
};
// Calls route(op, edge, take) for every edge; that calls take(link, share) for every link of it.
template <class Route>
OpUses route_program(const Program& program, const Route& route);

struct RunProgram {
  const Program* program = nullptr;
  const OpUses* uses = nullptr;
  bool repeated = false;
  double latency = 0;  // seconds that a transfer takes besides its bytes
  double weight = 1;   // of its transfers, where they share a link with others
};

struct RunOp {
  double start = 0;
  double end = 0;
  double rate = 0;  // bytes a second at the end of the transfer
  LinkNumber held_by = kNoLink;
};

struct FlowRun {
  std::vector<std::vector<RunOp>> ops;  // of each program
  std::vector<double> seconds;          // of each program: its first end
  std::uint64_t events = 0;
  std::uint64_t solved = 0;  // variables, over all events
};

// REQUIRES programs without cycles of dependencies. Capacities in bytes a second.
FlowRun run_flows(std::vector<double> capacity, std::span<const RunProgram> programs);

template <class Route>
OpUses route_program(const Program& program, const Route& route) {
  OpUses result;
  result.first.reserve(program.size() + 1);
  for (Op op = 0; op < program.size(); ++op) {
    const auto begin = static_cast<std::ptrdiff_t>(result.uses.size());
    for (const Edge& edge : program.edges(op)) {
      route(op, edge, [&](LinkNumber link, double share) {
        result.uses.push_back({link, static_cast<float>(share) * edge.amount});
      });
    }
    if (program.edges(op).size() > 1) {
      std::sort(result.uses.begin() + begin, result.uses.end(),
                [](const LinkUse& a, const LinkUse& b) { return a.link < b.link; });
      std::size_t kept = static_cast<std::size_t>(begin);
      for (std::size_t i = kept + 1; i < result.uses.size(); ++i) {
        if (result.uses[i].link == result.uses[kept].link) {
          result.uses[kept].amount += result.uses[i].amount;
        } else {
          result.uses[++kept] = result.uses[i];
        }
      }
      if (kept < result.uses.size()) result.uses.resize(kept + 1);
    }
    result.first.push_back(result.uses.size());
  }
  return result;
}

}  // namespace fatwood
