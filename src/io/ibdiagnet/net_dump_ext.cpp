// SPDX-License-Identifier: BSD-3-Clause
#include "io/ibdiagnet/net_dump_ext.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "io/base/cursor.hpp"
#include "io/base/records.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kShortSignal = "a row with too few columns, skipped";

bool is_unknown(std::string_view cell) {
  return cell.empty() || cell == "N/A" || cell == "NA" || cell == "-";
}

class SignalReader {
 public:
  explicit SignalReader(Input& input) : input_(input), warnings_(input.name()) {}

  SideData run() {
    while (const auto text = input_.next_line(warnings_)) {
      const std::string_view line = trimmed(*text);
      if (line.empty() || line.starts_with('-')) continue;
      if (line.starts_with('#')) {
        frame_.see(line);
      } else if (line.find(':') == std::string_view::npos) {
        warnings_.count("text around the table, skipped", input_.line_number());
      } else if (is_titles(line)) {
        read_titles(line);
      } else {
        read_row(line);
      }
    }
    frame_.require_closed(input_);
    side_.warnings = warnings_.texts();
    return std::move(side_);
  }

  static bool is_titles(std::string_view line) {
    return line.starts_with("Ty") && line.find("GUID") != std::string_view::npos;
  }

 private:
  enum Column : std::uint8_t { kPort, kGuid, kFec, kRaw, kEffective, kSymbol, kErrors };
  static constexpr std::array<std::string_view, 7> kTitles{
      "#IB", "GUID", "FEC mode", "Raw BER", "Effective BER", "Symbol BER", "Symbol Err"};

  void read_titles(std::string_view line) {
    titles_.clear();
    for (const std::string_view title : split_at(line, ':')) titles_.emplace_back(trimmed(title));
    for (std::size_t c = 0; c < kTitles.size(); ++c) {
      const auto found = std::ranges::find(titles_, kTitles[c]);
      if (found == titles_.end()) {
        throw InputError(input_.at(1), fmt::format("expected a column '{}'", kTitles[c]));
      }
      place_[c] = static_cast<std::size_t>(found - titles_.begin());
    }
  }

  void read_row(std::string_view line) {
    if (titles_.empty()) {
      throw InputError(input_.at(1), "expected the titles of the columns: 'Ty : # : #IB : ...'");
    }
    cells_ = split_at(line, ':');
    if (cells_.size() < titles_.size()) {
      return warnings_.count(kShortSignal, input_.line_number());
    }
    const PortKey key{count(kGuid, "a GUID"),
                      static_cast<std::uint32_t>(count(kPort, "a port's number") & 0xffffU)};
    SignalQuality quality{rate(kRaw), rate(kEffective), rate(kSymbol)};
    if (!is_unknown(cell(kErrors))) quality.symbol_errors = count(kErrors, "a number of errors");
    if (!is_unknown(cell(kFec))) quality.fec = cell(kFec);
    if (quality.known()) side_.signals.push_back({key, std::move(quality)});
  }

  std::string_view cell(Column column) const { return trimmed(cells_[place_[column]]); }

  std::uint64_t count(Column column, std::string_view what) const {
    Cursor text(cell(column), input_.name(), input_.line_number());
    const std::uint64_t value = text.number(what);
    if (!text.at_end()) text.expected(what);
    return value;
  }

  std::optional<double> rate(Column column) const {
    if (is_unknown(cell(column))) return std::nullopt;
    const std::optional<double> value = parse_number<double>(cell(column));
    if (value && *value >= 0 && *value <= 1) return value;
    // 1.5e-400 is below what a double holds.
    if (cell(column).find("e-") != std::string_view::npos && is_digit(cell(column).front())) {
      return 0.0;
    }
    throw InputError(input_.at(1),
                     fmt::format("expected a bit error rate, found '{}'", cell(column)));
  }

  Input& input_;
  Warnings warnings_;
  Frame frame_;
  SideData side_;
  std::vector<std::string> titles_;
  std::array<std::size_t, kTitles.size()> place_{};
  std::vector<std::string_view> cells_;
};

}  // namespace

bool looks_like_net_dump_ext(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    return SignalReader::is_titles(line) && line.find("BER") != std::string_view::npos;
  });
}

SideData read_net_dump_ext(Input& input) { return SignalReader(input).run(); }

}  // namespace fatwood
