// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The columns of a cable list, by the words of its header.
//
// Words are compared without case, blanks and punctuation. A word names a field and an end
// ("StartPort", "Z-Port", "side_b_device"), a field of the cable ("Length"), or a field of either
// end ("Rack", "Name", "Port"): the first such column belongs to end A, the second to end B. A
// single "Type" belongs to the cable, two belong to the ends. Unknown words are skipped. A row is a
// header if it has devices of both ends and a port of one.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fatwood {

// A cell of a row, with its column in the line (from 1).
struct CsvCell {
  std::string text;
  std::size_t column = 1;
};

enum class CsvSeparator : char { kComma = ',', kSemicolon = ';', kTab = '\t' };

// Cells without surrounding blanks. Text in quotes may contain separators and doubled quotes. No
// value if a quote is not closed.
std::optional<std::vector<CsvCell>> split_csv(std::string_view line, CsvSeparator separator);

enum class EndField : std::uint8_t { kDevice, kPort, kRack, kUnit, kSlot, kType, kRole, kGuid };
enum class CableField : std::uint8_t {
  kLabel,
  kType,
  kDetails,
  kLength,
  kLengthUnit,
  kSpeed,
  kRate,
  kState
};
inline constexpr std::size_t kEndFields = 8;
inline constexpr std::size_t kCableFields = 8;
inline constexpr int kNoColumn = -1;

struct PlanColumns {
  std::array<std::array<int, kEndFields>, 2> end;  // by end and field: the column number
  std::array<int, kCableFields> cable;
  std::array<bool, 2> adapters{};  // whether the port column of this end is called HCA
  bool repeats = false;            // an empty cell repeats the one above (Omni-Path)
  CsvSeparator separator = CsvSeparator::kComma;

  int at(std::size_t which, EndField field) const {
    return end[which][static_cast<std::size_t>(field)];
  }
  int at(CableField field) const { return cable[static_cast<std::size_t>(field)]; }
};

// No value if the line is no header.
std::optional<PlanColumns> plan_columns(std::string_view line);
// The port column that a header lacks: "StartPort"; "" if it has both.
std::string_view missing_column(const PlanColumns& columns);

}  // namespace fatwood
