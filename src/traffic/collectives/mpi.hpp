// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// MPI's collective algorithms as programs: messages in steps. S is the size of the whole array: all
// blocks of an all-gather, or what one rank sends in an all-to-all. A message of a step waits for
// the previous step of both its sender and its receiver.
//
//   recursive doubling   step k: i with i^2^k, everything (all-reduce) or what it has (all-gather)
//   Rabenseifner         reduce-scatter by halving (S/2, S/4, ...), all-gather by doubling
//   Bruck                step k: to i-2^k (all-gather: the blocks it has) or i+2^k (all-to-all:
//                        the blocks whose number has bit k)
//   pairwise             step k: with i^k for a power of two, else to i+k and from i-k
//   linear               everything at once
//   ring                 n-1 steps to the neighbour, twice for an all-reduce. In steady state all
//                        edges have the rate of the slowest, so it is modelled as one transfer
//   binomial             from the root (reduce: the reverse), doubling the ranks that have the data
// If the number of ranks is 2^k + r with r > 0, an all-reduce starts with a fold: the even ranks of
// the first 2r send everything to their neighbour and take no part, until they get the result at
// the end.
// Thakur, Rabenseifner and Gropp, 2005; Bruck et al., 1997.

#include "traffic/jobs/job_ranks.hpp"

namespace fatwood {

Program all_reduce_recursive_doubling(const JobShape& shape, const RankList& ranks, double bytes);
Program all_reduce_rabenseifner(const JobShape& shape, const RankList& ranks, double bytes);
Program all_reduce_ring(const JobShape& shape, const RankList& ranks, double bytes);
// REQUIRES a power of two.
Program all_gather_recursive_doubling(const JobShape& shape, const RankList& ranks, double bytes);
Program all_gather_bruck(const JobShape& shape, const RankList& ranks, double bytes);
Program all_gather_ring(const JobShape& shape, const RankList& ranks, double bytes);
// REQUIRES a power of two.
Program reduce_scatter_halving(const JobShape& shape, const RankList& ranks, double bytes);
Program all_to_all_pairwise(const JobShape& shape, const RankList& ranks, double bytes);
Program all_to_all_bruck(const JobShape& shape, const RankList& ranks, double bytes);
Program all_to_all_linear(const JobShape& shape, const RankList& ranks, double bytes);
Program broadcast_binomial(const JobShape& shape, const RankList& ranks, double bytes);
Program reduce_binomial(const JobShape& shape, const RankList& ranks, double bytes);

}  // namespace fatwood
