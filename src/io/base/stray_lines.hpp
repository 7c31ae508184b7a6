// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lines of an unknown kind, such as text that a terminal or a mail put around the records. They are
// skipped before the first record and after the last. Between two records they are an error.

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
  // Called when a record follows: InputError at the first stray line.
  void refuse() const {
    if (count_ > 0) throw InputError(at_, message_);
  }
  // Called at the start or end of the file, where stray lines are allowed.
  void skip(Warnings& warnings, std::string_view kind) {
    for (; count_ > 0; --count_) warnings.count(kind, at_.line);
  }

 private:
  std::size_t count_ = 0;
  Location at_;          // of the first
  std::string message_;  // about it
};

}  // namespace fatwood
