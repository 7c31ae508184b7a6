// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The fabric that this host is attached to, and the tables in its switches, through
// infiniband-diags: "live", or "live:DEVICE:PORT" ("live:mlx5_0:1") if there are several ports.
//
// The fabric is the output of ibnetdiscover, tables are the output of dump_fts. Both send packets
// through the subnet, which needs root, and takes some seconds on a large fabric.

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/run_program.hpp"

namespace fatwood {

class Input;

// Whether the word means the live fabric. A file with this name is "./live".
bool is_live(std::string_view word);

// REQUIRES is_live(word). InputError if the word is not of the form above, a program is not
// installed or fails.
Input live_fabric(const std::string& word);
Input live_tables(const std::string& word);
// The output of another program for that port. InputError if it fails.
std::string live_output(const std::string& program, const std::string& word,
                        const ProgramLimits& limits = {},
                        const std::atomic<bool>* cancel = nullptr);
// The command: the program with its options for that port.
std::vector<std::string> live_command(const std::string& program, const std::string& word);

}  // namespace fatwood
