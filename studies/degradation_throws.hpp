// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The measurements of the study of degradation (degradation.cpp): throws, engines, bounds, flits.

#include <string>
#include <vector>

#include "studies/sim_bench.hpp"

namespace fatwood {

enum class Lost : std::uint8_t { kCables, kSwitches };
const char* name_of(Lost lost);

struct DegradationSize {
  std::string tree;
  std::vector<unsigned> percents;
  unsigned throws;  // at each percent
  unsigned batch;   // throws that are one point on disk
  unsigned permutations;
  sim::Time cycles;  // of a simulation
  std::vector<unsigned> simulated;
  unsigned optimised;  // throws at each percent with a lexicographic optimum
};
DegradationSize degradation_size(const StudyContext& context);

// "ENGINE MEASURE THROW": the key of a number of a point.
std::string degradation_key(std::string_view engine, std::string_view what, unsigned number);

// All engines on these throws.
StudyPoint evaluate_throws(Lost lost, unsigned percent, unsigned first, unsigned count,
                           const DegradationSize& size, const StudyContext& context);
// The mean evenness of even's tables ("even THROW"), and of the lexicographic optimum ("optimum
// THROW").
StudyPoint compare_with_optimum(Lost lost, unsigned percent, const DegradationSize& size,
                                const StudyContext& context);
// By engine: flits accepted for each that a host could send.
StudyPoint simulate_throw(unsigned percent, const DegradationSize& size,
                          const StudyContext& context);

}  // namespace fatwood
