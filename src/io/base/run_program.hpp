// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Runs other programs, without a shell, and reads what they print.

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace fatwood {

// A program that is not installed, took too long, printed too much, crashed or was cancelled.
class ProgramError : public InputError {
 public:
  using InputError::InputError;
};

struct ProgramCall {
  std::string name;  // for messages
  std::string path;
  std::vector<std::string> words;                     // without its name
  std::vector<std::pair<int, int>> descriptors = {};  // ours, and its number there
  std::vector<std::string> settings = {};             // "NAME=value", in its environment
  std::uint64_t memory_bytes = 0;                     // of address space; 0: no limit
  bool own_group = false;                             // whatever it starts ends with it
};

// Its standard input and output are /dev/null unless they are among the descriptors.
pid_t start_program(const ProgramCall& program);
// Waits for its end; the status of waitpid.
int reap(pid_t pid);
// "ended by signal 11 (Segmentation fault)"
std::string end_text(int status);

struct ProgramLimits {
  std::chrono::seconds time = std::chrono::hours(24 * 365 * 100);
  std::uint64_t output_bytes = ~std::uint64_t{0};
};

struct ProgramOutput {
  int status = 0;  // exit code
  std::string out, err;
};

// Runs it to the end. `cancel` may become true at any time. `progress` gets the thousandths that it
// writes to FATWOOD_PROGRESS_FD.
ProgramOutput run_program(ProgramCall program, const ProgramLimits& limits = {},
                          const std::atomic<bool>* cancel = nullptr,
                          std::atomic<int>* progress = nullptr);

// The program of infiniband-diags that these words begin with, found by PATH or in /usr/sbin and
// /sbin. ProgramError if it is not installed.
ProgramCall diagnostic(const std::vector<std::string>& words);

// The last line of a program's standard error.
std::string last_line(std::string text);

}  // namespace fatwood
