// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// GOAL schedules (group operation assembly language) of LogGOPSim and ATLAHS, text and binary.
//
//   num_ranks 2
//   rank 0 {
//   l1: calc 1000 cpu 0
//   l2: send 4096b to 1 tag 7 cpu 0 nic 1
//   l2 requires l1
//   }
//   rank 1 {
//   recv 4096b from 0 tag 7
//   }
//
// One statement per line. Parts in brackets are optional, in this order:
//   [LABEL ":"] "send" N "b" "to" RANK ["tag" N] ["cpu" N] ["nic" N]
//   [LABEL ":"] "recv" N "b" "from" RANK|-1 ["tag" N|-1] ["cpu" N] ["nic" N]
//   [LABEL ":"] "calc" N ["cpu" N]                       nanoseconds
//   LABEL "requires" LABEL     LABEL "irequires" LABEL   after its end, after its start
// Labels are local to their rank and defined before use. Comments are // and /* */. Ranks ascend
// from 0. A message without a tag has tag 0. Extensions of LogGOPSim2 (put, get, append) are
// refused.
//
// Binary, little endian, packed: u64 4223. Offsets count from here: u32 ranks, u8 highest cpu, u8
// highest nic, then u64 start and u64 end of each rank. A rank: u32 nodes, u32 roots, one u32 per
// root; nodes of 39 bytes {u32 open waits, i8 kind (1 send, 2 receive, 3 calc), u32 peer, u64 size,
// u32 tag, u8 cpu, u8 nic, u32 count and u32 first of the nodes that wait for its end, the same for
// its start}; then the u32 node numbers that the firsts point to. 2^32-1 is any rank or tag. A file
// that a run has overwritten begins with 2342 and is refused.
//
// Hoefler, Siebert and Lumsdaine, 2009; Hoefler, Schneider and Lumsdaine, 2010.

#include "io/base/input.hpp"
#include "traffic/jobs/trace.hpp"

namespace fatwood {

// InputError with line and column, or the offset in a binary file.
Trace read_goal(Input& input);
Trace read_goal_binary(Input& input);

// Whether the bytes begin like text or like binary GOAL.
bool looks_like_goal(std::string_view bytes);
bool looks_like_goal_binary(std::string_view bytes);

}  // namespace fatwood
