// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The frame of ibdiagnet2.db_csv: tables of comma-separated values, one after the other.
//
//   START_NODES
//   NodeDesc,NumPorts,NodeType,...          the columns' names
//   "leaf1",4,2,...                         text in quotes may hold commas; no quote inside
//   END_NODES
//
// Columns go by name; a row with another number of fields than the header is skipped, as the
// vendor's reader does. Sections come in any order, may be empty, absent, or there again in files
// that were put together. Offsets in the index at the end are hints that edited files belie: not
// read.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/input.hpp"
#include "io/base/warnings.hpp"
#include "topology/run_data.hpp"

namespace fatwood {

// A row's fields, by the numbers of columns.
class CsvRow {
 public:
  CsvRow(const Input& input, const std::vector<std::string_view>& fields)
      : input_(input), fields_(fields) {}

  std::size_t size() const { return fields_.size(); }
  std::size_t line() const { return input_.line_number(); }
  // Without quotes; "" for a column the section has not.
  std::string_view text(int column) const;
  // In decimal, or in hexadecimal after 0x. `missing` for a column the section has not, for N/A,
  // ERR, -1 and nothing at all. InputError for anything else.
  std::uint64_t number(int column, std::uint64_t missing,
                       std::uint64_t max = ~std::uint64_t{0}) const;
  // kNoCount for whatever is not a number.
  std::uint64_t count(int column) const;
  // The number where there must be one. `what` names it.
  std::uint64_t required(int column, std::string_view what, std::uint64_t max) const;

  [[noreturn]] void fail(int column, const std::string& message) const;

 private:
  const Input& input_;
  const std::vector<std::string_view>& fields_;
};

class CsvSections {
 public:
  // Both must outlive it.
  CsvSections(Input& input, Warnings& warnings) : input_(input), warnings_(warnings) {}

  // The name of the next section, whose header is read; "" at the file's end. What is left of the
  // section before is skipped. InputError if the file ends inside a section.
  std::string next();
  // The columns' names, in their order.
  const std::vector<std::string>& columns() const { return columns_; }
  // -1 when there is none; the first of several names that is there.
  int column(std::initializer_list<std::string_view> names) const;
  int column(std::string_view name) const { return column({name}); }
  std::size_t header_line() const { return header_line_; }

  // Calls read(const CsvRow&) for each row of the section.
  template <class Read>
  void rows(const Read& read) {
    while (next_row()) read(CsvRow(input_, fields_));
  }

 private:
  bool next_row();
  void split(std::string_view line);

  Input& input_;
  Warnings& warnings_;
  std::string section_;  // "" outside
  std::vector<std::string> columns_;
  std::vector<std::string_view> fields_;
  std::size_t header_line_ = 0;
};

bool looks_like_csv_sections(std::string_view head);

}  // namespace fatwood
