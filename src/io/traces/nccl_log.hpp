// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The connections of a job in its NCCL log (NCCL_DEBUG=INFO, releases 2.4 to 2.30).
//
// Lines in use, after "host:pid:tid [device] NCCL INFO "; text before that (labels of srun, times)
// is skipped:
//   Channel 03/0 : 7[7] -> 8[0] [send] via NET/IB/3(12)/GDRDMA     rank 7 sends to rank 8 by its
//   Channel 03/0 : 7[7] -> 8[0] [receive] via NET/IB/5/GDRDMA      adapter 3; rank 8 gets it by its
//                                                                  adapter 5. 12 posts it (PXN).
//   Ring 03 : 7 -> 8 [send] via NET/IB/3                           the same, 2.4
//   Channel 00/16 :    0   1   2 ...      ring order, often cut off: only neighbours shown are used
//   Ring 00 : 7 -> 0 -> 1                 ring order of one rank
//   Trees [0] 1/8/-1->0->-1 [1] ...       children, rank, parent by channel; may be cut off
//   NET/IB : Using [0]mlx5_0:1/IB [1]...  devices of the host
//   comm 0x.. rank 3 nRanks 16 ...        ranks in all
// A connection is complete if the log has both ends. Missing ends are counted in the notes and
// never invented.

#include <string_view>

#include "io/base/input.hpp"
#include "traffic/jobs/recorded_run.hpp"

namespace fatwood {

// InputError if the file has no connection between nodes, or contradicts itself.
NcclLog read_nccl_log(Input& input);

bool looks_like_nccl_log(std::string_view bytes);

}  // namespace fatwood
