// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Chakra execution traces: one file a rank, called NAME.RANK.et or NAME.RANK.json (gzip and xz
// too).
//
// .et is a stream of (varint length, protobuf message): first GlobalMetadata, then a Node each.
//   Node {1 id, 2 name, 3 type, 4 ctrl_deps, 5 data_deps, 7 duration_micros, 10 attr ...}
//   attr {1 name, value: 7 int32, 9 int64, 11 uint32, 13 uint64, 27 bool, 29 string}
// Zeros are left out. Types: 2, 3 memory, 4 computation, 5 send, 6 receive, 7 collective.
// Attributes used: comm_type (0 all-reduce, 1 reduce, 2 all-gather, 5 broadcast, 6 all-to-all, 7
// and 8 reduce-scatter, 9 barrier), comm_size (bytes), comm_src, comm_dst, comm_tag, pg_name,
// is_cpu_op. comm_type means something for collectives only. JSON is {"workload_graph": [{"Id",
// "Name", "NodeType", "data_deps", "runtime", "is_cpu_op", ...}]} with the same attributes as keys.
//
// Waits are the data dependencies; control dependencies are calls inside calls. Computation is a
// delay; of one rank those of the CPU go one after the other, and those of the GPU. The CPU's side
// of a collective, and a collective without a size, are delays too. What was left out is reported
// in the notes.

#include "io/base/input.hpp"
#include "traffic/jobs/trace.hpp"

namespace fatwood {

// Adds what one rank does to a trace. InputError with the byte or line.
void read_chakra_rank(Input& input, std::uint32_t rank, Trace& trace);

// All ranks, given the file of any of them. InputError if one between 0 and the highest is
// absent, or an operation names a rank that there is none of.
Trace read_chakra(const std::string& path);

// Whether a name ends in .RANK.et or .RANK.json, packed or not.
bool chakra_name(std::string_view path);

}  // namespace fatwood
