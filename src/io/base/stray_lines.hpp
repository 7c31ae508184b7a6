// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lines of a file that are of no known kind: what a terminal or a mail put around the records. They
// are skipped before the first record and after the last; between two records the first of them is
// wrong.

#include <string>
#include <string_view>

#include "core/error.hpp"
#include "io/base/cursor.hpp"
#include "io/base/input.hpp"
#include "io/base/warnings.hpp"

namespace fatwood {

class StrayLines {
 public:
  // `known`: what was expected instead.
  void add(const Input& input, const Cursor& line, std::string_view known) {
    if (count_++ > 0) return;
    at_ = input.at(line.column());
    message_ = line.expectation(known);
  }
  // A record follows: InputError at the first stray line.
  void refuse() const {
    if (count_ > 0) throw InputError(at_, message_);
  }
  // They stand where they may.
  void skip(Warnings& warnings, std::string_view kind) {
    for (; count_ > 0; --count_) warnings.count(kind, at_.line);
  }

 private:
  std::size_t count_ = 0;
  Location at_;          // of the first
  std::string message_;  // about it
};

}  // namespace fatwood
