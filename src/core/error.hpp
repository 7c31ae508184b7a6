// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The two errors that end a verb early. A broken invariant (core/invariant.hpp) is neither.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace fatwood {

// The place of an error in an input. Line and column count from 1; 0 means unknown.
struct Location {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
};

// Input or usage that is wrong: exit code 2, nothing written.
// what() is "file:line:column: message" with the unknown parts left out.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
  InputError(const Location& where, const std::string& message);
};

// A property that the user asked for and that this fabric does not allow, said in terms of its
// switches and ports: exit code 1.
class PromiseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace fatwood
