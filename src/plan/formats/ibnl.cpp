// SPDX-License-Identifier: BSD-3-Clause
#include "plan/formats/ibnl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "io/base/cursor.hpp"
#include "io/base/text.hpp"
#include "plan/model/device_words.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kMostChips = 4096;
constexpr int kDeepest = 8;  // boards in boards

std::vector<std::string> comma_names(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view part : split_at(text, ',')) {
    if (const auto name = trimmed(part); !name.empty()) names.emplace_back(name);
  }
  return names;
}

IbnlPart read_chip(Cursor& line) {
  IbnlPart chip;
  line.skip_space();
  const std::string_view kind = line.word();
  if (kind != "SW" && kind != "CA" && kind != "HCA" && kind != "RT") line.expected("SW or CA");
  chip.kind = kind == "SW" ? NodeKind::kSwitch : NodeKind::kAdapter;
  line.skip_space();
  chip.ports = static_cast<std::uint32_t>(line.decimal("a number of ports", kMaxPorts));
  line.skip_space();
  line.word();  // the device, which may have blanks behind a comma; its name is last
  line.skip_space();
  const std::string_view name = trimmed(line.rest());
  if (name.empty()) line.expected("the name of a chip");
  chip.name = name.substr(name.find_last_of(" \t") + 1);
  return chip;
}

IbnlPart read_board(Cursor& line) {
  IbnlPart board;
  line.skip_space();
  board.type = line.word();
  line.skip_space();
  board.name = line.word();
  if (board.name.empty()) line.expected("a type and a name of a board");
  return board;
}

// "1 -4x-5G-> U3 8"
IbnlPort read_joined(Cursor& line) {
  IbnlPort joined;
  joined.port = line.word();
  line.skip_space();
  const std::string_view arrow = line.word();
  if (!arrow.starts_with('-') || !arrow.ends_with("->")) line.expected("-> behind a port");
  line.skip_space();
  joined.other = line.word();
  line.skip_space();
  joined.other_port = line.word();
  if (joined.other.empty()) line.expected("a port behind ->");
  if (joined.other_port.empty()) std::swap(joined.other, joined.other_port);
  return joined;
}

}  // namespace

void IbnlLibrary::read(Input& input) {
  Warnings warnings(input.name());
  const std::size_t file = files_.size();
  files_.emplace_back();
  bool open = false;
  while (const auto text = input.next_line(warnings)) {
    Cursor line(text->substr(0, text->find('#')), input.name(), input.line_number());
    line.skip_space();
    if (line.at_end()) continue;
    Cursor words = line;
    const std::string_view first = words.word();
    words.skip_space();
    if (first == "SYSTEM" || first == "TOPSYSTEM") {
      const std::vector<std::string> names = comma_names(words.rest());
      if (names.empty()) words.expected("the name of a system");
      for (const std::string& name : names) {
        files_[file][name] = systems_.size();
        if (first == "TOPSYSTEM") file_of_[name] = file;
      }
      systems_.emplace_back();
      open = true;
      continue;
    }
    if (!open) line.expected("SYSTEM or TOPSYSTEM");
    std::vector<IbnlPart>& parts = systems_.back().parts;
    if (first == "NODE") {
      parts.push_back(read_chip(words));
    } else if (first == "SUBSYSTEM") {
      parts.push_back(read_board(words));
    } else if (first.find('=') == std::string_view::npos) {
      if (parts.empty()) line.expected("NODE or SUBSYSTEM");
      parts.back().joined.push_back(read_joined(line));
    }
  }
}

void IbnlLibrary::read_folder(const std::string& path) {
  if (!std::filesystem::is_directory(path)) {
    throw InputError({.file = path}, "is no folder; expected one with *.ibnl files");
  }
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() == ".ibnl") files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  for (const std::string& file : files) {
    Input input(file);
    read(input);
  }
}

bool IbnlLibrary::has(const std::string& type) const { return file_of_.contains(type); }

namespace {

// Chips of a box and its boards, each with the way to it; ports of boards lead to chips.
class Unfolding {
 public:
  using Systems = std::vector<IbnlSystem>;
  using ByName = std::map<std::string, std::size_t>;
  // Where a port of a system's panel is.
  using Panel = std::map<std::string, std::pair<std::uint32_t, std::uint32_t>>;

  Unfolding(const Systems& systems, const ByName& by_name,
            const std::map<std::string, std::string>& boards)
      : systems_(systems), by_name_(by_name), boards_(boards) {}

  DeviceInside run(const std::string& type) {
    const Panel panel = unfold(type, "", 0);
    for (const auto& [name, at] : panel) inside_.panel.emplace(name, at);
    const bool adapter =
        std::ranges::all_of(kinds_, [](NodeKind kind) { return kind != NodeKind::kSwitch; });
    inside_.kind = adapter ? NodeKind::kAdapter : NodeKind::kSwitch;
    if (inside_.chips.size() == 1) inside_.chips.front().name.clear();
    return std::move(inside_);
  }

 private:
  Panel unfold(const std::string& type, const std::string& path, int depth) {
    const auto found = by_name_.find(type);
    if (found == by_name_.end()) {
      throw InputError(fmt::format("board {} of type {} is in no IBNL file", path, type));
    }
    if (depth > kDeepest)
      throw InputError(fmt::format("boards of type {} contain each other", type));
    const IbnlSystem& system = systems_[found->second];
    std::map<std::string, Panel> parts;  // by name
    for (const IbnlPart& part : system.parts) {
      if (auto ports = part_panel(part, path, depth)) parts[part.name] = std::move(*ports);
    }
    Panel panel;
    for (const IbnlPart& part : system.parts) {
      const auto at = parts.find(part.name);
      if (at == parts.end()) continue;
      for (const IbnlPort& joined : part.joined) join(at->second, joined, parts, panel);
    }
    return panel;
  }

  // Nothing for a board that is taken out.
  std::optional<Panel> part_panel(const IbnlPart& part, const std::string& path, int depth) {
    std::string type = part.type;
    if (const auto changed = boards_.find(part.name); changed != boards_.end() && !type.empty()) {
      if (lower_case(changed->second) == "r") return std::nullopt;
      type = changed->second;
    }
    const std::string here = path.empty() ? part.name : path + '/' + part.name;
    if (!type.empty()) return unfold(type, here, depth + 1);
    if (inside_.chips.size() == kMostChips) {
      throw InputError(fmt::format("more than {} chips in one box", kMostChips));
    }
    const auto chip = static_cast<std::uint32_t>(inside_.chips.size());
    inside_.chips.push_back({here, part.ports, 0});
    kinds_.push_back(part.kind);
    Panel ports;
    for (std::uint32_t p = 1; p <= part.ports; ++p) ports[std::to_string(p)] = {chip, p};
    return ports;
  }

  void join(const Panel& part, const IbnlPort& joined, const std::map<std::string, Panel>& parts,
            Panel& panel) {
    const auto here = part.find(joined.port);
    if (here == part.end()) return;  // of a board with fewer ports than another in its place
    if (joined.other.empty()) {
      panel.emplace(joined.other_port, here->second);
      return;
    }
    const auto other = parts.find(joined.other);
    if (other == parts.end()) return;  // a board that is not there
    const auto there = other->second.find(joined.other_port);
    if (there == other->second.end() || here->second == there->second) return;
    // Both ends list the cable.
    if (used_.contains(here->second) || used_.contains(there->second)) return;
    used_.insert({here->second, there->second});
    inside_.cables.push_back(
        {here->second.first, here->second.second, there->second.first, there->second.second});
  }

  const Systems& systems_;
  const ByName& by_name_;
  const std::map<std::string, std::string>& boards_;
  DeviceInside inside_;
  std::vector<NodeKind> kinds_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> used_;
};

}  // namespace

DeviceInside IbnlLibrary::inside(const std::string& type,
                                 const std::map<std::string, std::string>& boards) const {
  return Unfolding(systems_, files_[file_of_.at(type)], boards).run(type);
}

}  // namespace fatwood
