// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The set of jobs by which tables are measured (analysis/jobs/job_efficiency.hpp): jobs of 2^k
// hosts, placed as neighbours and at random. It is the same for all tables of a fabric.
//
//   sizes        powers of two, from the largest that fits the usual leaf (at least 2) to the
//                largest that fits the machine
//   neighbours   hosts offset .. offset + n - 1 of the order. Offsets are drawn one from each of
//                `number` equal parts of the H - n + 1 possible ones
//   random       n of the H hosts, each set equally likely. Not for n = H, which has one set
//   number       per size and placement: 8192 / n, at least 4 and at most 16; never more than there
//                are offsets
//   seed         1; window j of size 2^k is drawn from stream (seed, j, 2k), at random 2k + 1
//
// Ranks are in host order, as schedulers number them. On a fabric with rails, rank r of a host is
// its adapter r (job_adapters.hpp), and every kind of traffic stays on its rail:
//
//   all-to-all at once     every host to every other
//   all-to-all in phases   phase k = 1 .. n-1, each finished before the next: host i to host i^k if
//                          n is a power of two, else to i+k mod n. Of more than 15 phases, 15
//                          count: one drawn from each of 15 equal parts
//   ring                   host i to host i+1 mod n, all at once (all-reduce in host order)

#include <cstdint>
#include <vector>

namespace fatwood {

enum class Placed : std::uint8_t { kNeighbours, kRandom };

struct JobWindow {
  Placed placed = Placed::kNeighbours;
  std::vector<std::uint32_t> members;  // positions in the host order, ascending

  std::size_t size() const { return members.size(); }
};

// How windows are drawn. The defaults are those of the measure. An engine that optimises for jobs
// takes another seed, or it would learn the windows by which it is measured.
struct WindowDraw {
  std::uint64_t seed = 1;
  std::uint32_t fewest = 4, most = 16;  // per size and placement
  std::uint32_t hosts = 8192;           // of all windows of a size together, between these limits
};

// The sizes for a machine of this many hosts, ascending; none with fewer than two.
std::vector<std::uint32_t> job_sizes(std::size_t hosts, std::size_t hosts_of_leaf);

// By size, neighbours first.
std::vector<JobWindow> job_windows(std::size_t hosts, std::size_t hosts_of_leaf,
                                   const WindowDraw& draw = {});

// The phases of a job of this size that count, ascending.
inline constexpr std::uint32_t kMostPhases = 15;
std::vector<std::uint32_t> job_phases(std::uint32_t size, const WindowDraw& draw = {});
// The member to which member i sends in phase k.
std::uint32_t phase_partner(std::uint32_t size, std::uint32_t phase, std::uint32_t i);
std::uint32_t ring_partner(std::uint32_t size, std::uint32_t i);

}  // namespace fatwood
