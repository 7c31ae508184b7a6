// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/cursor.hpp"
#include "io/base/lane_speed.hpp"
#include "io/base/records.hpp"
#include "io/base/text.hpp"
#include "plan/formats/ibnl.hpp"
#include "plan/formats/loaded_plan.hpp"
#include "plan/formats/plan_formats.hpp"
#include "plan/model/device_words.hpp"

namespace fatwood {

namespace {

// "-4x-100G->": width and speed, each once at most. Nothing for other words.
std::optional<Rate> arrow_rate(std::string_view word) {
  if (!word.starts_with('-') || !word.ends_with("->")) return std::nullopt;
  word.remove_suffix(1);
  std::uint8_t width = 4;
  Speed speed = Speed::kUnknown;
  while (word.size() > 1) {
    word.remove_prefix(1);
    const std::size_t end = word.find('-');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view part = word.substr(0, end);
    if (part.empty()) return std::nullopt;
    const auto number = parse_number<unsigned>(part.substr(0, part.size() - 1));
    if (number && (part.back() == 'x' || part.back() == 'X') && *number > 0 && *number <= 12) {
      width = static_cast<std::uint8_t>(*number);
    } else if (part.back() == 'G' || part.back() == 'g') {
      speed = speed_of_lane(part.substr(0, part.size() - 1));
    } else {
      return std::nullopt;
    }
    word.remove_prefix(end);
  }
  return speed == Speed::kUnknown ? Rate{} : Rate{width, speed};
}

bool is_topo_port_line(std::string_view line) {
  const std::size_t blank = line.find_first_of(" \t");
  if (blank == std::string_view::npos) return false;
  const std::string_view rest = trimmed(line.substr(blank));
  return arrow_rate(rest.substr(0, rest.find_first_of(" \t"))).has_value();
}

class TopoReader {
 public:
  TopoReader(Input& input, const LoadOptions& options) : input_(input), rows_(input.name()) {
    rows_.strictness = options.strictness;
    if (!options.ibnl.empty()) {
      library_.read_folder(options.ibnl);
      return;
    }
    const std::filesystem::path near = std::filesystem::path(input.name()).parent_path() / "ibnl";
    if (std::filesystem::is_directory(near)) library_.read_folder(near.string());
  }

  LoadedFabric run() {
    while (const auto line = input_.next_line(rows_.warnings)) {
      const std::string_view text = line->substr(0, line->find('#'));
      if (trimmed(text).empty()) {
        system_.clear();
        continue;
      }
      Cursor cursor(text, input_.name(), input_.line_number());
      cursor.skip_space();
      if (is_topo_port_line(cursor.rest())) {
        read_port(cursor);
      } else {
        read_system(cursor);
      }
    }
    return loaded_plan(std::move(rows_), "topo");
  }

 private:
  void read_system(Cursor& line) {
    const std::string type(line.word());
    line.skip_space();
    system_ = line.word();
    if (system_.empty()) line.expected("a type and a name of a system, or a port and \"->\"");
    type_ = type;
    line.skip_space();
    std::map<std::string, std::string> boards;
    if (line.accept("CFG:")) boards = read_boards(line);
    if (!line.at_end()) line.expected("CFG: or the end of the line");
    know(type_, system_, boards);
    RowEnd alone;
    alone.name = system_;
    alone.type = type_;
    rows_.builder.add_device(std::move(alone));
  }

  static std::map<std::string, std::string> read_boards(Cursor& line) {
    std::map<std::string, std::string> boards;
    line.skip_space();
    while (!line.at_end()) {
      std::string_view rest = line.rest();
      const std::string_view one = rest.substr(0, rest.find_first_of(", \t"));
      const std::size_t equals = one.find('=');
      if (equals == std::string_view::npos) line.expected("board=TYPE or board=R");
      boards.emplace(one.substr(0, equals), one.substr(equals + 1));
      line.advance(one.size());
      line.accept(",");
      line.skip_space();
    }
    return boards;
  }

  // Gives the builder the inside of a system, once.
  void know(const std::string& type, const std::string& name,
            const std::map<std::string, std::string>& boards) {
    if (!library_.has(type) || (known_.contains(name) && boards.empty())) return;
    known_.insert(name);
    const auto key = std::pair(type, boards);
    auto at = insides_.find(key);
    if (at == insides_.end()) at = insides_.emplace(key, library_.inside(type, boards)).first;
    rows_.builder.set_inside(name, at->second);
  }

  void read_port(Cursor& line) {
    const Location here = input_.at(line.column());
    if (system_.empty()) line.expected("a system before its ports");
    CableRow row;
    row.line = input_.line_number();
    row.a.name = system_;
    row.a.type = type_;
    row.a.port = line.word();
    line.skip_space();
    row.rate = *arrow_rate(line.word());
    line.skip_space();
    row.b.type = line.word();
    line.skip_space();
    row.b.name = line.word();
    line.skip_space();
    const std::size_t column = line.column();
    row.b.port = line.word();
    if (row.b.port.empty()) {
      return rows_.refuse(input_.at(column),
                          line.expectation("type, name and port of the far end"));
    }
    know(row.b.type, row.b.name, {});
    for (RowEnd* end : {&row.a, &row.b}) bare_port(*end);
    rows_.add(std::move(row), here.column, column);
  }

  // "P2" of a host without IBNL is port 2 of its one adapter.
  void bare_port(RowEnd& end) const {
    if (library_.has(end.type) || kind_of_type(end.type) != NodeKind::kAdapter) return;
    if (end.port.find('/') == std::string::npos) end.slot = "HCA-1";
  }

  Input& input_;
  PlanRows rows_;
  IbnlLibrary library_;
  std::map<std::pair<std::string, std::map<std::string, std::string>>, DeviceInside> insides_;
  std::set<std::string> known_;
  std::string system_, type_;
};

}  // namespace

bool looks_like_topo(std::string_view head) {
  // A system, and a port of it below.
  bool system = false;
  return any_line(head, [&](std::string_view line) {
    if (line.empty() || line.starts_with('#')) return false;
    if (is_topo_port_line(line) && system) return true;
    const std::size_t blank = line.find_first_of(" \t");
    system = blank != std::string_view::npos && !trimmed(line.substr(blank)).empty();
    return false;
  });
}

LoadedFabric read_topo(Input& input, const LoadOptions& options) {
  return TopoReader(input, options).run();
}

}  // namespace fatwood
