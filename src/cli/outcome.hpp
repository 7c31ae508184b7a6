// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Exit code and message of the program after an exception.
//   1   PromiseError: a requested property does not hold here
//   2   InputError, an error of the file system, a figure beyond exact arithmetic, out of memory
//   70  anything else: a bug of Fatwood (EX_SOFTWARE of sysexits.h), with a request to report it

#include <exception>
#include <string>
#include <string_view>

namespace fatwood::cli {

struct Outcome {
  int status = 0;
  std::string message;  // without the name of the program
};
Outcome outcome_of(const std::exception_ptr& thrown);

// To stderr. A failure to write is ignored and does not change the exit code.
void say(std::string_view text) noexcept;

}  // namespace fatwood::cli
