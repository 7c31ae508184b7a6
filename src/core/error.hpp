// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The two errors that end a verb early. A broken invariant (core/invariant.hpp) is neither.

#include <cstddef>
#include <stdexcept>
#include <string>

namespace fatwood {

// The position of an error in an input. Line and column count from 1; 0: unknown.
struct Location {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
};

// Wrong input or usage: exit code 2, nothing is written.
// what() is "file:line:column: message" without unknown parts.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
  InputError(const Location& where, const std::string& message);
};

// The fabric does not allow a property that the user asked for. The message names switches and
// ports. Exit code 1.
class PromiseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace fatwood
