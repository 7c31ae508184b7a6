// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The messages of MPI's collective algorithms, as programs: messages in steps, each of which waits
// for the step before at both ends.
//
//   recursive doubling   step k: i with i^2^k, everything (all-reduce) or what it has (all-gather)
//   Rabenseifner         reduce-scatter by halving (S/2, S/4, ...), all-gather by doubling
//   Bruck                step k: to i-2^k (all-gather: the blocks it has) or i+2^k (all-to-all:
//                        the blocks whose number has bit k)
//   pairwise             step k: with i^k for a power of two, else to i+k and from i-k
//   linear               everything at once
//   ring                 n-1 steps to the neighbour, twice for an all-reduce: in its steady state
//                        all edges move at the pace of the slowest, so it is one transfer
//   binomial             from the root, doubling the ranks that have the data
// All-reduces of n ranks, no power of two, first fold: of the first 2r ranks the even ones send
// all they have to their neighbour and get the result in the end.
// S is the whole array: of an all-gather all blocks, of an all-to-all what one rank sends.
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
