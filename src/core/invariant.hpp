// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Invariants: conditions that hold for every input. Checked in every build if that is cheap; hot
// loops use assert. A broken invariant is a bug of Fatwood: the program ends with exit code 70,
// writes no file, and asks for a bug report.

#include <source_location>
#include <stdexcept>
#include <string_view>

namespace fatwood {

class InvariantError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void broken_invariant(std::string_view what, const std::source_location& where);

// `what`: what is wrong if the condition does not hold.
inline void invariant(bool holds, std::string_view what,
                      const std::source_location& where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    broken_invariant(what, where);
}

}  // namespace fatwood
