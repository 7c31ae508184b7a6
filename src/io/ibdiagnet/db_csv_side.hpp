// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The sections of ibdiagnet2.db_csv with additional data: labels of ports, settings of adaptive
// routing, cables, counters. A fabric can be read without them.

#include <initializer_list>
#include <string>

#include "io/base/csv_sections.hpp"
#include "io/base/warnings.hpp"
#include "io/ibdiagnet/side_data.hpp"

namespace fatwood {

// Reads the current section if it has such data. A section replaces an earlier one of the same
// name.
void read_side_section(const std::string& name, CsvSections& sections, SideData& side,
                       Warnings& warnings);

// Whether a column is missing (-1). If so, warns that the section is skipped.
bool lacks_columns(const CsvSections& sections, std::initializer_list<int> columns,
                   Warnings& warnings);

}  // namespace fatwood
