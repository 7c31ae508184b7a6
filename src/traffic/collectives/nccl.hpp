// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The messages of NCCL between nodes, as programs.
//
// Nodes come in the order of their first ranks. Channel c of K uses adapter c mod the adapters that
// the communicator's ranks have on a node.
//   ring   channel c: from node i to node i+1 mod N, out by and into adapter c (crossing off); with
//          crossing on, odd nodes take channel c^1's place and rings leave by the neighbour
//          adapter, so that an edge still stays on one rail except where an odd ring closes.
//   tree   double binary tree over nodes: in T0 node i, with lowest set bit b, has the parent
//          (i^b)|2b, or i^b if that is no node; T1 is T0 mirrored (even N) or shifted by one (odd
//          N). Channels 0 .. K/2-1 use T0, the others T1; data flow up and down at once.
// Both are pipelines: all edges of a channel move at the rate of the slowest, so a channel is one
// transfer with many edges. Bytes over an edge of a channel, message S, n ranks: ring all-reduce
// 2(n-1)/n S/K; all-gather and reduce-scatter (n-1)/n S/K; broadcast and reduce S/K, without the
// edge that would come back to the root; tree S/K up and S/K down.
//   all-to-all   with PXN a message leaves by the adapter of the rail it arrives on: one flow for
//          each (node, node, rail), ranks * ranks a rail * S/n; without it one for each pair of
//          adapters. A node has `window` other nodes in work at a time; 0: all.
//   send-receive   rank i to rank i+1 mod n, as nccl-tests does it.
// Traffic inside a node is left out. N nodes and K channels: O(N K) edges. nccl/src/graph
// (connect.cc, trees.cc, rings.cc, search.cc), release 2.30.

#include <cstdint>

#include "traffic/jobs/job_ranks.hpp"

namespace fatwood {

enum class Crossing : std::uint8_t { kOff, kOn };     // NCCL_CROSS_NIC 0 (and 2 where it can), 1
enum class Forwarding : std::uint8_t { kOff, kPxn };  // NCCL_PXN_DISABLE 1, 0

struct NcclOptions {
  std::uint32_t channels = 0;  // 0: two for each adapter in use
  Crossing crossing = Crossing::kOff;
  Forwarding forwarding = Forwarding::kPxn;
  std::uint32_t window = 0;  // of an all-to-all
  std::uint32_t root = 0;    // of a broadcast or reduce: position in the communicator
};

enum class RingWork : std::uint8_t { kAllReduce, kAllGather, kReduceScatter, kBroadcast, kReduce };

Program nccl_ring(const JobShape& shape, const RankList& ranks, RingWork work, double bytes,
                  const NcclOptions& options);
Program nccl_tree(const JobShape& shape, const RankList& ranks, double bytes,
                  const NcclOptions& options);
// REQUIRES the same number of ranks on every node of the communicator.
Program nccl_all_to_all(const JobShape& shape, const RankList& ranks, double bytes,
                        const NcclOptions& options);
Program nccl_send_receive(const JobShape& shape, const RankList& ranks, double bytes,
                          const NcclOptions& options);

// The parent of each node in T0 and T1 over N nodes; the root has itself.
std::vector<std::uint32_t> binary_tree(std::uint32_t nodes);
std::vector<std::uint32_t> second_binary_tree(std::uint32_t nodes);

// Seconds that NCCL's tuning adds for protocol Simple: base and hops of the slowest way.
double nccl_ring_latency(const JobShape& shape, const RankList& ranks, RingWork work);
double nccl_tree_latency(const JobShape& shape, const RankList& ranks);

}  // namespace fatwood
