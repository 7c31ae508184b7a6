// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/records.hpp"
#include "io/base/text.hpp"
#include "plan/formats/loaded_plan.hpp"
#include "plan/formats/plan_columns.hpp"
#include "plan/formats/plan_formats.hpp"
#include "plan/model/device_words.hpp"
#include "topology/interface_name.hpp"

namespace fatwood {

namespace {

using Cells = std::vector<CsvCell>;

bool names_ids(std::string_view line) {
  return lower_case(line).find("termination_a_id") != std::string::npos;
}

class PlanCsvReader {
 public:
  PlanCsvReader(Input& input, Strictness strictness, std::string_view rate)
      : input_(input), rate_(rate), rows_(input.name()) {
    rows_.strictness = strictness;
  }

  LoadedFabric run() {
    read_header();
    while (const auto line = input_.next_line(rows_.warnings)) read_line(*line);
    if (!ethernet_) return loaded_plan(std::move(rows_), "cables");
    return with_ethernet_speeds(std::move(rows_), rate_, "cables");
  }

 private:
  void read_header() {
    while (const auto line = input_.next_line(rows_.warnings)) {
      if (names_ids(*line)) {
        throw InputError(input_.at(1),
                         "an export of NetBox with ids of terminations, not their names; expected "
                         "a header with side_a_device, side_a_name, side_b_device, side_b_name "
                         "(as NetBox imports cables), or device and port of each end");
      }
      const auto columns = plan_columns(*line);
      if (!columns) continue;
      columns_ = *columns;
      const std::string_view missing = missing_column(columns_);
      if (missing.empty()) return;
      throw InputError(input_.at(1),
                       fmt::format("the header has no port of one end; expected a column {} (or "
                                   "another word for it: see fatwood(1), PLANS)",
                                   missing));
    }
    throw InputError(input_.at(1), "expected a header with devices and ports of both ends");
  }

  void read_line(std::string_view line) {
    if (trimmed(line).starts_with('#') || trimmed(line).empty()) return;
    auto cells = split_csv(line, columns_.separator);
    if (!cells) return rows_.refuse(input_.at(line.find('"') + 1), "expected a closing quote");
    // A header again, of sheets that were put together.
    if (const auto again = plan_columns(line); again && missing_column(*again).empty()) {
      columns_ = *again;
      return;
    }
    read_row(std::move(*cells));
  }

  void read_row(Cells cells) {
    const auto any = [&](std::size_t end) {
      return !text(cells, columns_.at(end, EndField::kDevice)).empty() ||
             !text(cells, columns_.at(end, EndField::kPort)).empty();
    };
    if (!any(0) && !any(1)) return;
    if (!any(0) || !any(1)) {
      return rows_.warnings.count("a row with one end only: a port that leads elsewhere, left out",
                                  input_.line_number());
    }
    repeat_above(cells);
    const std::string state = lower_case(text(cells, columns_.at(CableField::kState)));
    if (state == "disabled" || state == "no-discover") return;
    CableRow row;
    row.line = input_.line_number();
    std::array<std::size_t, 2> column{};
    for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
      auto read = read_end(cells, end);
      if (!read) return;
      (end == 0 ? row.a : row.b) = std::move(*read);
      column[end] = cells[static_cast<std::size_t>(columns_.at(end, EndField::kPort))].column;
    }
    if (!read_cable(cells, row)) return;
    rows_.add(std::move(row), column[0], column[1]);
  }

  // Fills empty cells from the row above, where the sheet means that.
  void repeat_above(Cells& cells) {
    for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
      const bool same_device = text(cells, columns_.at(end, EndField::kDevice)).empty();
      if (!same_device && !columns_.repeats) continue;
      for (const EndField field : {EndField::kDevice, EndField::kRack, EndField::kUnit,
                                   EndField::kType, EndField::kSlot}) {
        // Of another device, the adapter is not that of the one above.
        if (field == EndField::kSlot && !same_device) continue;
        fill(cells, columns_.at(end, field));
      }
    }
    if (columns_.repeats) {
      for (const CableField field :
           {CableField::kLength, CableField::kDetails, CableField::kRate}) {
        fill(cells, columns_.at(field));
      }
    }
    above_ = cells;
  }
  void fill(Cells& cells, int column) const {
    if (column == kNoColumn || !text(cells, column).empty() || text(above_, column).empty()) return;
    const auto at = static_cast<std::size_t>(column);
    if (cells.size() <= at) cells.resize(at + 1);  // a row that ends early
    cells[at].text = above_[at].text;
  }

  std::optional<RowEnd> read_end(const Cells& cells, std::size_t which) {
    RowEnd end;
    end.name = text(cells, columns_.at(which, EndField::kDevice));
    end.port = text(cells, columns_.at(which, EndField::kPort));
    for (const auto& [field, name] :
         {std::pair(EndField::kDevice, "a device"), std::pair(EndField::kPort, "a port")}) {
      if (!text(cells, columns_.at(which, field)).empty()) continue;
      rows_.refuse(input_.at(column_of(cells, columns_.at(which, field))),
                   fmt::format("expected {}, found an empty cell", name));
      return std::nullopt;
    }
    end.rack = text(cells, columns_.at(which, EndField::kRack));
    end.slot = text(cells, columns_.at(which, EndField::kSlot));
    end.type = text(cells, columns_.at(which, EndField::kType));
    end.role = text(cells, columns_.at(which, EndField::kRole));
    if (columns_.adapters[which]) end.kind = NodeKind::kAdapter;
    if (!end.slot.empty() && !kind_of_type(end.type) && !kind_of_name(end.name)) {
      end.kind = NodeKind::kAdapter;
    }
    std::string_view unit = text(cells, columns_.at(which, EndField::kUnit));
    while (!unit.empty() && !is_digit(unit.front())) unit.remove_prefix(1);
    // "u40", "U40-41"; a text without a number is none.
    end.unit = parse_number<std::uint32_t>(unit.substr(0, unit.find_first_not_of("0123456789")))
                   .value_or(0);
    const std::string_view guid = text(cells, columns_.at(which, EndField::kGuid));
    if (!guid.empty()) {
      const auto value =
          parse_number<std::uint64_t>(guid.starts_with("0x") ? guid.substr(2) : guid, 16);
      if (!value) {
        rows_.refuse(input_.at(column_of(cells, columns_.at(which, EndField::kGuid))),
                     fmt::format("expected a GUID in hexadecimal, found \"{}\"", guid));
        return std::nullopt;
      }
      end.guid = *value;
    }
    return end;
  }

  bool read_cable(const Cells& cells, CableRow& row) {
    row.label = text(cells, columns_.at(CableField::kLabel));
    row.type = text(cells, columns_.at(CableField::kType));
    if (row.type.empty()) row.type = text(cells, columns_.at(CableField::kDetails));
    const std::string_view length = text(cells, columns_.at(CableField::kLength));
    if (!length.empty()) {
      const auto meters = read_length(length, text(cells, columns_.at(CableField::kLengthUnit)));
      if (!meters) {
        rows_.refuse(input_.at(column_of(cells, columns_.at(CableField::kLength))),
                     fmt::format("expected a length such as 5 or 5m, found \"{}\"", length));
        return false;
      }
      row.length_m = *meters;
    }
    std::string_view speed = text(cells, columns_.at(CableField::kRate));
    if (speed.empty()) speed = text(cells, columns_.at(CableField::kSpeed));
    row.rate = read_speed(speed, row.type);
    ethernet_ = ethernet_ || is_switch_interface(row.a.port) || is_switch_interface(row.b.port);
    if (!speed.empty() && row.rate == Rate{}) {
      rows_.warnings.count("a speed that no link has is ignored", input_.line_number());
    }
    return true;
  }

  static std::string_view text(const Cells& cells, int column) {
    return column == kNoColumn || static_cast<std::size_t>(column) >= cells.size()
               ? std::string_view{}
               : cells[static_cast<std::size_t>(column)].text;
  }
  // Of a cell that the row may not have: behind its last.
  static std::size_t column_of(const Cells& cells, int column) {
    const auto at = static_cast<std::size_t>(column);
    return at < cells.size() ? cells[at].column : cells.back().column + cells.back().text.size();
  }

  Input& input_;
  std::string_view rate_;
  bool ethernet_ = false;  // a port is called as those of Ethernet switches
  PlanRows rows_;
  PlanColumns columns_{};
  Cells above_;
};

}  // namespace

bool looks_like_plan_csv(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    return plan_columns(line).has_value() || names_ids(line);
  });
}

LoadedFabric read_plan_csv(Input& input, Strictness strictness, std::string_view rate) {
  return PlanCsvReader(input, strictness, rate).run();
}

}  // namespace fatwood
