// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The max-min fair rates of a permutation, fast, and their distribution over random permutations.
//
// Every host s sends to destination_of[s] as fast as it can; s that is its own destination is
// silent. No two hosts send to one. A rate is a share: of what the flow would get if nothing but
// the cables of its two hosts limited it. A kernel is chosen by what the routing is:
//   closed   closed forms with one path a pair that depends on one end: channels from two table
//            rows; those of the deciding end are left out where a permutation can't load them twice
//   tables   forwarding tables with one address per host: all walks advance together
//   any      several paths, adaptive tables, channels of different speeds: max_min.hpp
// The first two use progressive filling (progressive_filling.hpp): a permutation has one flow on
// the cables of a host, so only channels between switches are looked at.
//
// The study draws permutations, or bisections (two random halves, each host paired with one of the
// other half, both directions: the mean is the effective bisection bandwidth of [Hoefler08]), and
// doubles their number until the 99% interval of the mean share is narrow enough. Sums are of whole
// 2^-30ths: the same bytes at any number of threads.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/load/flow_links.hpp"
#include "analysis/permutations/permutation_study.hpp"

namespace fatwood {

// Buffers and all of one thread's work.
class PermutationRates {
 public:
  PermutationRates() = default;
  PermutationRates(const PermutationRates&) = delete;
  PermutationRates& operator=(const PermutationRates&) = delete;
  virtual ~PermutationRates() = default;

  // By source; 0 of a silent one. The result lives until the next call.
  virtual std::span<const double> solve(std::span<const std::uint32_t> destination_of) = 0;
  // Another with buffers of its own, sharing what is only read.
  virtual std::unique_ptr<PermutationRates> clone() const = 0;
};

// The model and the paths must outlive the kernel.
std::unique_ptr<PermutationRates> permutation_rates(const Model& model, const PathSource& paths);

// The kernels, each on its own; nullptr where it does not apply.
std::unique_ptr<PermutationRates> closed_rates(const ObliviousRouting& routing);
std::unique_ptr<PermutationRates> table_rates(const Model& model, const ForwardingTables& tables);
std::unique_ptr<PermutationRates> any_rates(const Model& model, const PathSource& paths,
                                            PortChoice choice = PortChoice::kEven,
                                            std::uint64_t seed = 1);

enum class RatePattern : std::uint8_t { kPermutations, kBisections };

struct RateStudy {
  PermutationStudy share;             // of the mean flow
  double slowest = 0;                 // share of the slowest flow, in the mean
  double full = 0;                    // of the flows have all of their own cables
  std::array<double, 5> quantiles{};  // of all flows, see kRateQuantiles
};
inline constexpr std::array<double, 5> kRateQuantiles{0.01, 0.1, 0.5, 0.9, 0.99};

RateStudy rate_study(const PermutationRates& kernel, std::size_t hosts, RatePattern pattern,
                     const PermutationOptions& options);
RateStudy average(const std::vector<RateStudy>& studies);

// Pairs up two random halves; with an odd number of hosts one is silent.
void draw_bisection(std::uint64_t seed, std::uint64_t sample,
                    std::span<std::uint32_t> destination_of);

}  // namespace fatwood
