// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The ranks of a job: the node and adapter of each, and the groups of parallel training.
//
// Nodes are the hosts of the job in rank order, each with `ranks` processes or GPUs and `nics`
// adapters; rank = node * ranks + local. Ranks are spread evenly over the adapters: with 8 GPUs and
// 4 adapters, GPUs 0 and 1 use adapter 0. The endpoint of a program is node * nics + adapter.

#include <cstdint>
#include <vector>

#include "traffic/jobs/program.hpp"

namespace fatwood {

struct JobShape {
  std::uint32_t nodes = 1;
  std::uint32_t ranks = 1;  // on each node
  std::uint32_t nics = 1;   // of each node

  std::uint32_t size() const { return nodes * ranks; }
  std::uint32_t node(std::uint32_t rank) const { return rank / ranks; }
  std::uint32_t local(std::uint32_t rank) const { return rank % ranks; }
  std::uint32_t nic(std::uint32_t rank) const { return local(rank) * nics / ranks; }
  ProgramEndpoint endpoint(std::uint32_t node, std::uint32_t nic) const {
    return node * nics + nic;
  }
  ProgramEndpoint endpoint(std::uint32_t rank) const { return endpoint(node(rank), nic(rank)); }
};

using RankList = std::vector<std::uint32_t>;

RankList all_ranks(const JobShape& shape);

// A program of the job's endpoints, without operations.
Program empty_program(const JobShape& shape, std::string name);

// Sizes of the groups of parallel training, in the usual order: tensor-parallel ranks are adjacent,
// then data, then pipeline. Expert groups are blocks of `expert` data-parallel ranks.
struct ParallelSizes {
  std::uint32_t tensor = 1;
  std::uint32_t data = 1;
  std::uint32_t pipeline = 1;
  std::uint32_t expert = 1;

  std::uint64_t product() const { return std::uint64_t{tensor} * data * pipeline; }
};

// Groups of ranks that run the collective at the same time.
enum class RankGroups : std::uint8_t { kAll, kData, kTensor, kPipeline, kExpert };
// REQUIRES product() ranks, and `expert` to divide `data`.
std::vector<RankList> groups_of_ranks(const ParallelSizes& sizes, RankGroups groups);

}  // namespace fatwood
