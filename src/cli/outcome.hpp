// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Exit code and message of the program after an exception.
//   1   PromiseError: a property that was asked for does not hold here
//   2   InputError, a file system that refuses, a figure beyond exact arithmetic, no memory left
//   70  anything else: our own fault (EX_SOFTWARE of sysexits.h), with a word to report it

#include <exception>
#include <string>
#include <string_view>

namespace fatwood::cli {

struct Outcome {
  int status = 0;
  std::string message;  // without the name of the program
};
Outcome outcome_of(const std::exception_ptr& thrown);

// On stderr. Where that cannot be written nobody reads it, and the exit code stays what it is.
void say(std::string_view text) noexcept;

}  // namespace fatwood::cli
