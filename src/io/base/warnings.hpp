// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Warnings of a reader: faults of a file that do not prevent reading it.

#include <string>
#include <string_view>
#include <vector>

namespace fatwood {

// Texts "file:line: message", at most 1000; after that only their number.
class Warnings {
 public:
  explicit Warnings(std::string file) : file_(std::move(file)) {}
  void add(std::size_t line, const std::string& message);
  // One text for a problem of many lines: the first place and the number. `kind` is a whole
  // sentence with static lifetime.
  void count(std::string_view kind, std::size_t line);
  // Appends those of a later part of the same file, or of another file.
  void append(const Warnings& later);
  void add(const std::string& message);  // about the whole file
  std::vector<std::string> texts() const;

 private:
  struct Count {
    std::string_view kind;
    std::string file;
    std::size_t first = 0;
    std::size_t times = 0;
  };
  std::string file_;
  std::vector<std::string> texts_;
  std::vector<Count> counts_;
  std::size_t left_out_ = 0;
};

}  // namespace fatwood
