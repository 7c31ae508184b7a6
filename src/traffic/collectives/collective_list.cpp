// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/collectives/collective_list.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "core/error.hpp"
#include "traffic/collectives/mpi.hpp"

namespace fatwood {
namespace {

constexpr std::uint64_t kMostMessages = 1U << 24;

template <RingWork work>
Program ring(const JobShape& shape, const RankList& ranks, double bytes,
             const NcclOptions& options) {
  return nccl_ring(shape, ranks, work, bytes, options);
}
template <RingWork work>
double ring_latency(const JobShape& shape, const RankList& ranks) {
  return nccl_ring_latency(shape, ranks, work);
}

template <Forwarding forwarding>
Program all_to_all_by(const JobShape& shape, const RankList& ranks, double bytes,
                      const NcclOptions& options) {
  NcclOptions own = options;
  own.forwarding = forwarding;
  return nccl_all_to_all(shape, ranks, bytes, own);
}

// Any algorithm of MPI.
template <Program (*algorithm)(const JobShape&, const RankList&, double)>
Program mpi(const JobShape& shape, const RankList& ranks, double bytes, const NcclOptions&) {
  return algorithm(shape, ranks, bytes);
}

std::uint64_t few(const JobShape&, const RankList&) { return 0; }
std::uint64_t pairs(const JobShape&, const RankList& ranks) {
  return std::uint64_t{ranks.size()} * ranks.size();
}
template <Forwarding forwarding>
std::uint64_t node_pairs(const JobShape& shape, const RankList& ranks) {
  const std::uint64_t nodes = std::min<std::uint64_t>(shape.nodes, ranks.size());
  const std::uint64_t flows = forwarding == Forwarding::kPxn ? 1 : shape.nics;
  return nodes * nodes * shape.nics * flows;
}

constexpr std::array kRows{
    CollectiveRow{"allreduce:ring", "NCCL", "pipelined rings, one a channel", BusFactor::kTwice,
                  false, few, ring<RingWork::kAllReduce>, ring_latency<RingWork::kAllReduce>},
    CollectiveRow{"allreduce:tree", "NCCL", "double binary tree over nodes", BusFactor::kTwice,
                  false, few, nccl_tree, nccl_tree_latency},
    CollectiveRow{"allreduce:recursive-doubling", "MPI", "everything to i^2^k, step by step",
                  BusFactor::kTwice, false, few, mpi<all_reduce_recursive_doubling>, nullptr},
    CollectiveRow{"allreduce:rabenseifner", "MPI",
                  "reduce-scatter by halving, all-gather by doubling", BusFactor::kTwice, false,
                  few, mpi<all_reduce_rabenseifner>, nullptr},
    CollectiveRow{"allreduce:mpi-ring", "MPI", "one ring over ranks", BusFactor::kTwice, false, few,
                  mpi<all_reduce_ring>, nullptr},
    CollectiveRow{"allgather:ring", "NCCL", "pipelined rings, one a channel", BusFactor::kOnce,
                  false, few, ring<RingWork::kAllGather>, ring_latency<RingWork::kAllGather>},
    CollectiveRow{"allgather:recursive-doubling", "MPI", "what it has to i^2^k", BusFactor::kOnce,
                  true, few, mpi<all_gather_recursive_doubling>, nullptr},
    CollectiveRow{"allgather:bruck", "MPI", "what it has to i-2^k", BusFactor::kOnce, false, few,
                  mpi<all_gather_bruck>, nullptr},
    CollectiveRow{"allgather:mpi-ring", "MPI", "one ring over ranks", BusFactor::kOnce, false, few,
                  mpi<all_gather_ring>, nullptr},
    CollectiveRow{"reducescatter:ring", "NCCL", "pipelined rings, one a channel", BusFactor::kOnce,
                  false, few, ring<RingWork::kReduceScatter>,
                  ring_latency<RingWork::kReduceScatter>},
    CollectiveRow{"reducescatter:halving", "MPI", "half to i^n/2, a quarter to i^n/4, ...",
                  BusFactor::kOnce, true, few, mpi<reduce_scatter_halving>, nullptr},
    CollectiveRow{"broadcast:ring", "NCCL", "pipelined along the rings", BusFactor::kOne, false,
                  few, ring<RingWork::kBroadcast>, ring_latency<RingWork::kBroadcast>},
    CollectiveRow{"broadcast:binomial", "MPI", "doubling the ranks that have the data",
                  BusFactor::kOne, false, few, mpi<broadcast_binomial>, nullptr},
    CollectiveRow{"reduce:ring", "NCCL", "pipelined along the rings", BusFactor::kOne, false, few,
                  ring<RingWork::kReduce>, ring_latency<RingWork::kReduce>},
    CollectiveRow{"reduce:binomial", "MPI", "halving the ranks that have data", BusFactor::kOne,
                  false, few, mpi<reduce_binomial>, nullptr},
    CollectiveRow{"alltoall:pxn", "NCCL", "every message on the rail it arrives on",
                  BusFactor::kOnce, false, node_pairs<Forwarding::kPxn>,
                  all_to_all_by<Forwarding::kPxn>, nullptr},
    CollectiveRow{"alltoall:direct", "NCCL", "from adapter to adapter, across rails",
                  BusFactor::kOnce, false, node_pairs<Forwarding::kOff>,
                  all_to_all_by<Forwarding::kOff>, nullptr},
    CollectiveRow{"alltoall:pairwise", "MPI", "with i^k or i+k, step by step", BusFactor::kOnce,
                  false, pairs, mpi<all_to_all_pairwise>, nullptr},
    CollectiveRow{"alltoall:bruck", "MPI", "half of the blocks to i+2^k", BusFactor::kOnce, false,
                  few, mpi<all_to_all_bruck>, nullptr},
    CollectiveRow{"alltoall:linear", "MPI", "everything at once", BusFactor::kOnce, false, pairs,
                  mpi<all_to_all_linear>, nullptr},
    CollectiveRow{"sendrecv:ring", "NCCL", "rank i to i+1, as nccl-tests does it", BusFactor::kOne,
                  false, few, nccl_send_receive, nullptr},
    CollectiveRow{"sendrecv:pipeline", "NCCL", "rank i to i+1, the last to nobody", BusFactor::kOne,
                  false, few, nccl_pipeline, nullptr},
};

}  // namespace

double bus_factor(BusFactor factor, std::size_t ranks) {
  const auto n = static_cast<double>(ranks);
  if (factor == BusFactor::kOne) return 1;
  return factor == BusFactor::kTwice ? 2 * (n - 1) / n : (n - 1) / n;
}

std::span<const CollectiveRow> collectives() { return kRows; }

const CollectiveRow& find_collective(std::string_view name) {
  std::vector<std::string_view> names;
  for (const CollectiveRow& row : kRows) {
    const std::string_view family = row.name.substr(0, row.name.find(':'));
    if (name == row.name || name == family) return row;
    names.push_back(row.name);
  }
  throw InputError(
      fmt::format("no collective is called '{}'; there are {}", name, fmt::join(names, ", ")));
}

Program make_collective(const CollectiveRow& row, const JobShape& shape,
                        const std::vector<RankList>& groups, double bytes,
                        const NcclOptions& options) {
  std::uint64_t messages = 0;
  for (const RankList& ranks : groups) messages += row.messages(shape, ranks);
  if (messages > kMostMessages) {
    throw InputError(fmt::format("{} among these ranks has {} messages; at most {} are supported",
                                 row.name, messages, kMostMessages));
  }
  std::vector<Program> parts;
  for (const RankList& ranks : groups) {
    if (row.power_of_two && !std::has_single_bit(ranks.size())) {
      throw InputError(
          fmt::format("{} needs a power-of-two number of ranks, not {}", row.name, ranks.size()));
    }
    parts.push_back(row.make(shape, ranks, bytes, options));
  }
  return parts.size() == 1 ? std::move(parts.front()) : in_parallel(parts);
}

}  // namespace fatwood
