// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The fabric that this machine is attached to, and the tables in its switches, through
// infiniband-diags: "live", or "live:DEVICE:PORT" ("live:mlx5_0:1") where there are several ports.
//
// The fabric is what ibnetdiscover prints, tables are what dump_fts prints. Both send packets
// through the subnet: that takes the rights of root, and some seconds on a large fabric.

#include <string>
#include <string_view>
#include <vector>

namespace fatwood {

class Input;

// Whether the word asks for it. A file of this name is meant by "./live".
bool is_live(std::string_view word);

// REQUIRES is_live(word). InputError if the word is not of the form above, a program is not
// installed or fails.
Input live_fabric(const std::string& word);
Input live_tables(const std::string& word);
// What runs: the program with its options for that port.
std::vector<std::string> live_command(const std::string& program, const std::string& word);

}  // namespace fatwood
