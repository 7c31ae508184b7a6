// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Counters of a live fabric: converts the output of `ibqueryerrors --counters` to a file of a run
// of ibdiagnet (io/ibdiagnet/pm.hpp), which every reader of a fabric accepts.
//
//   Data Counters for 0x20000000000003 "leaf-3"
//      GUID 0x20000000000003 port 1: [PortXmitData == 7488 (29.250KB)] [PortRcvData == 7416 (...)]

#include <string>
#include <string_view>
#include <vector>

namespace fatwood::serve {

// The command to run, for the port in this word ("live", "live:mlx5_0:1").
std::vector<std::string> counters_command(const std::string& word);

// A block for each port; lines of another form are left out. "" if there are none.
std::string counters_file(std::string_view printed);

}  // namespace fatwood::serve
