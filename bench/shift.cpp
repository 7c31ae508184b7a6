// SPDX-License-Identifier: BSD-3-Clause
// Shift study: all N-1 shifts of the 1,944-node RLFT of [Zahavi10] and of ft(48,3) (27,648
// terminals) under d-mod-k, algebraic routing and tables, against the limits of 1 s and 60 s.
// Building is not counted.
//
//   bench_shift [threads]

#include <fmt/format.h>

#include <cstdlib>

#include "analysis/permutations/permutation_study.hpp"
#include "clock.hpp"
#include "io/fabric/spec.hpp"
#include "routing/engine.hpp"

namespace {

using namespace fatwood;

void measure(const Model& model, const char* name, const PathSource& paths, int threads,
             double limit) {
  const double start = bench::wall_seconds();
  const auto kernel = permutation_load(model, paths);
  const ShiftStudy study = shift_study(*kernel, model.adapters().size(), threads);
  const double spent = bench::wall_seconds() - start;
  fmt::print("{:<30} {:>7} shifts, largest load {}, {:8.3f} s; limit {} s: {:.3f} of it\n", name,
             study.shifts, study.worst.to_string(), spent, limit, spent / limit);
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 0;
  const Model rlft(make_fabric("pgft(3;18,18,6;1,18,3;1,1,6)"));
  measure(rlft, "1944-node RLFT, algebraic routing",
          *path_source(make_algebraic("dmodk", *rlft.fabric().tree()).routing), threads, 1);
  measure(rlft, "1944-node RLFT, tables", *path_source(rlft, route(find_engine("dmodk"), rlft, {})),
          threads, 1);
  const Model big(make_fabric("ft(48,3)"));
  measure(big, "ft(48,3), algebraic routing",
          *path_source(make_algebraic("dmodk", *big.fabric().tree()).routing), threads, 60);
  return 0;
}
