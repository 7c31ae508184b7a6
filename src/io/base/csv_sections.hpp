// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The frame of ibdiagnet2.db_csv: tables of comma-separated values, one after the other.
//
//   START_NODES
//   NodeDesc,NumPorts,NodeType,...          the columns' names
//   "leaf1",4,2,...                         text in quotes may hold commas; no quote inside
//   END_NODES
//
// Columns are found by name. A row whose number of fields differs from the header is skipped, as
// the vendor's reader does. Sections come in any order; they may be empty, missing, or repeated in
// files that were concatenated. The index at the end is not read, because it is wrong in edited
// files.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/input.hpp"
#include "io/base/warnings.hpp"
#include "topology/run_data.hpp"

namespace fatwood {

// The fields of a row, by column number.
class CsvRow {
 public:
  CsvRow(const Input& input, const std::vector<std::string_view>& fields)
      : input_(input), fields_(fields) {}

  std::size_t size() const { return fields_.size(); }
  std::size_t line() const { return input_.line_number(); }
  // Without quotes; "" for a column that the section lacks.
  std::string_view text(int column) const;
  // Decimal, or hexadecimal after 0x. Returns `missing` for a column that the section lacks, for
  // N/A, ERR, -1 and an empty field. InputError for anything else.
  std::uint64_t number(int column, std::uint64_t missing,
                       std::uint64_t max = ~std::uint64_t{0}) const;
  // kNoCount for anything that is not a number.
  std::uint64_t count(int column) const;
  // A number that must exist. `what` names it in the error.
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

  // Skips the rest of the present section and reads the header of the next one. Returns its name,
  // "" at the end of the file. InputError if the file ends inside a section.
  std::string next();
  // The columns' names, in their order.
  const std::vector<std::string>& columns() const { return columns_; }
  // The column of the first of these names that exists; -1 if there is none.
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
