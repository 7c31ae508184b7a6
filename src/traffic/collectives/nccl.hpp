// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The messages that NCCL's collectives send between nodes, as programs.
//
// Ring and tree are pipelines: all edges of an NCCL channel have the rate of the slowest. So a
// channel is one transfer with many edges. Nodes are in the order of their first ranks. Channel c
// of K uses adapter c mod A, where A is the number of adapters that the communicator's ranks have
// on a node. S is the message size, n the number of ranks, N the number of nodes.
//
//   ring   Channel c goes from node i to node i+1 mod N, over adapter c at both ends (crossing
//          off). With crossing on, odd nodes exchange channels c and c^1, and a ring leaves a node
//          by the neighbour of the adapter where it entered. An edge then still stays on one rail,
//          except where a ring over an odd number of nodes closes.
//          Bytes per edge: all-reduce 2(n-1)/n S/K; all-gather and reduce-scatter (n-1)/n S/K;
//          broadcast and reduce S/K, without the edge back to the root.
//   tree   Double binary tree over nodes. In T0, node i with lowest set bit b has the parent
//          (i^b)|2b, or i^b if that is no node. T1 is T0 mirrored (even N) or shifted by one (odd
//          N). Channels 0 .. K/2-1 use T0, the others T1. Data flow up and down at the same time.
//          Bytes per edge: S/K up and S/K down.
//   all-to-all     With PXN a message leaves by the adapter of the rail on which it arrives: one
//                  flow per (node, node, rail), of ranks * ranks per rail * S/n bytes. Without PXN:
//                  one flow per pair of adapters. A node works on `window` other nodes at a time;
//                  0: all.
//   send-receive   Rank i sends to rank i+1 mod n, as in nccl-tests.
//   pipeline       The same, as activations go from stage to stage: not back to the first.
//
// Traffic inside a node is left out. A ring or tree has O(N K) edges.
// Source: nccl/src/graph (connect.cc, trees.cc, rings.cc, search.cc), release 2.30.

#include <cstdint>

#include "traffic/jobs/job_ranks.hpp"

namespace fatwood {

enum class Crossing : std::uint8_t { kOff, kOn };     // NCCL_CROSS_NIC 0 (2: if possible), 1
enum class Forwarding : std::uint8_t { kOff, kPxn };  // NCCL_PXN_DISABLE 1, 0

struct NcclOptions {
  std::uint32_t channels = 0;  // 0: two per adapter in use
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
Program nccl_pipeline(const JobShape& shape, const RankList& ranks, double bytes,
                      const NcclOptions& options);

// The parent of each node in T0 and T1 over N nodes; that of the root is the root itself.
std::vector<std::uint32_t> binary_tree(std::uint32_t nodes);
std::vector<std::uint32_t> second_binary_tree(std::uint32_t nodes);

// Seconds that NCCL's tuning adds for protocol Simple: base latency, and hops of the slowest path.
double nccl_ring_latency(const JobShape& shape, const RankList& ranks, RingWork work);
double nccl_tree_latency(const JobShape& shape, const RankList& ranks);

}  // namespace fatwood
