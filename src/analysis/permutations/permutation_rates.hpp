// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The max-min fair rates of a permutation, fast, and their distribution over random permutations.
//
// Every adapter s sends to adapter destination_of[s] as fast as it can; an adapter that is its own
// destination is silent. No two adapters send to the same one. A rate is relative to what the flow
// would get if only the cables of its two adapters limited it. The routing decides which kernel is
// used:
//   closed   algebraic routings with one path per pair that depends on one end: channels from two
//            table rows; channels that a permutation cannot load twice are left out
//   tables   forwarding tables with one address per adapter: all flows advance together
//   any      several paths, adaptive tables, channels of different speeds: max_min.hpp
// The first two use progressive_filling.hpp. A permutation has one flow on each adapter cable, so
// only channels between switches are considered.
//
// The study draws permutations or bisections, and doubles their number until the 99% interval of
// the mean rate is narrow enough. A bisection pairs each adapter of a random half with one of the
// other half, in both directions; the mean is the effective bisection bandwidth of [Hoefler08].
// Sums are integers, in units of 2^-30, so the result does not depend on the number of threads.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/load/flow_links.hpp"
#include "analysis/permutations/permutation_study.hpp"

namespace fatwood {

// Holds the buffers of one thread.
class PermutationRates {
 public:
  PermutationRates() = default;
  PermutationRates(const PermutationRates&) = delete;
  PermutationRates& operator=(const PermutationRates&) = delete;
  virtual ~PermutationRates() = default;

  // By source; 0 for a silent one. The result is valid until the next call.
  virtual std::span<const double> solve(std::span<const std::uint32_t> destination_of) = 0;
  // A kernel with its own buffers for another thread; read-only data is shared.
  virtual std::unique_ptr<PermutationRates> clone() const = 0;
};

// The model and the paths must outlive the kernel.
std::unique_ptr<PermutationRates> permutation_rates(const Model& model, const PathSource& paths);

// The single kernels; nullptr if a kernel does not apply.
std::unique_ptr<PermutationRates> algebraic_rates(const AlgebraicRouting& routing);
std::unique_ptr<PermutationRates> table_rates(const Model& model, const ForwardingTables& tables);
std::unique_ptr<PermutationRates> any_rates(const Model& model, const PathSource& paths,
                                            PortChoice choice = PortChoice::kEven,
                                            std::uint64_t seed = 1);

enum class RatePattern : std::uint8_t { kPermutations, kBisections };

struct RateStudy {
  PermutationStudy share;             // mean rate of a flow
  double slowest = 0;                 // mean rate of the slowest flow
  double full = 0;                    // fraction of flows with rate 1
  std::array<double, 5> quantiles{};  // of all flows, see kRateQuantiles
};
inline constexpr std::array<double, 5> kRateQuantiles{0.01, 0.1, 0.5, 0.9, 0.99};

RateStudy rate_study(const PermutationRates& kernel, std::size_t hosts, RatePattern pattern,
                     const PermutationOptions& options);
RateStudy average(const std::vector<RateStudy>& studies);

// Pairs up two random halves; with an odd number of adapters one is silent.
void draw_bisection(std::uint64_t seed, std::uint64_t sample,
                    std::span<std::uint32_t> destination_of);

}  // namespace fatwood
