// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Chakra execution traces: one file per rank, named NAME.RANK.et or NAME.RANK.json (gzip and xz are
// decompressed).
//
// .et is a stream of (varint length, protobuf message): first GlobalMetadata, then a Node each.
//   Node {1 id, 2 name, 3 type, 4 ctrl_deps, 5 data_deps, 7 duration_micros, 10 attr ...}
//   attr {1 name, value: 7 int32, 9 int64, 11 uint32, 13 uint64, 27 bool, 29 string}
// Zeros are left out. Types: 2, 3 memory, 4 computation, 5 send, 6 receive, 7 collective.
// Attributes used: comm_type (0 all-reduce, 1 reduce, 2 all-gather, 5 broadcast, 6 all-to-all, 7
// and 8 reduce-scatter, 9 barrier), comm_size (bytes), comm_src, comm_dst, comm_tag, pg_name,
// is_cpu_op. comm_type is only valid for collectives. JSON is {"workload_graph": [{"Id",
// "Name", "NodeType", "data_deps", "runtime", "is_cpu_op", ...}]} with the same attributes as keys.
//
// Waits are the data dependencies; control dependencies only nest calls. Computation is a delay;
// the delays of a rank run one after the other on the CPU, and on the GPU. The CPU part of a
// collective, and a collective without a size, are delays too. Notes report what was left out.

#include "io/base/input.hpp"
#include "traffic/jobs/trace.hpp"

namespace fatwood {

// Adds one rank to a trace. InputError with the byte or line.
void read_chakra_rank(Input& input, std::uint32_t rank, Trace& trace);

// All ranks, given the file of any of them. InputError if one between 0 and the highest is missing,
// or an operation names an unknown rank.
Trace read_chakra(const std::string& path);

// Whether a name ends in .RANK.et or .RANK.json, packed or not.
bool chakra_name(std::string_view path);

}  // namespace fatwood
