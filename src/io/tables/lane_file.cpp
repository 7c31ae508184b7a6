// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/lane_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "io/base/cursor.hpp"
#include "io/base/input.hpp"
#include "io/base/records.hpp"
#include "io/fabric/node_words.hpp"
#include "io/ibdiagnet/run_files.hpp"

namespace fatwood {

namespace {

constexpr unsigned kMaxLevel = 15;
constexpr std::uint8_t kUnset = 255;

// The switch a node's packets start from; kNone where it is attached to none.
Switch start_of(const Fabric& fabric, Node node) {
  if (fabric.is_switch(node)) return fabric.as_switch(node);
  for (const Channel c : fabric.channels(node)) {
    const Terminal t = fabric.terminal_at(c);
    if (t != kNone<Terminal> && fabric.leaf(t) != kNone<Switch>) return fabric.leaf(t);
  }
  return kNone<Switch>;
}

// Counts what the file left out.
void count_left_out(const Fabric& fabric, const ForwardingTables& tables, FileLanes& read) {
  const Table<Switch, std::uint32_t> terminals = terminals_on(fabric);
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    const Switch at = home_of(fabric, tables, destination);
    if (at == kNone<Switch>) continue;
    const std::uint8_t* const row = &read.lanes.lane[index(destination) * read.lanes.switches];
    for (const Switch s : ids<Switch>(read.lanes.switches)) {
      if (s == at || row[index(s)] != kUnset) continue;
      if (read.left_out++ == 0) {
        read.first_source = s;
        read.first_destination = destination;
      }
      if (terminals[s] > 0 && !tables.is_switch(destination)) ++read.left_out_hosts;
    }
  }
}

}  // namespace

void write_lanes(std::ostream& out, const Fabric& fabric, const Routing& routing,
                 const Lids& lids) {
  const ForwardingTables& tables = routing.tables;
  std::vector<std::pair<Destination, std::string>> ends;  // with " <lid> "
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    // Tables have no line of a terminal that is joined to another: nothing would have its LID.
    if (!tables.is_switch(destination) &&
        fabric.leaf(tables.terminal(destination)) == kNone<Switch>)
      continue;
    ends.emplace_back(destination, fmt::format(" {} ", index(lids.of(tables, destination))));
  }
  fmt::memory_buffer text;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    const Switch start = start_of(fabric, node);
    if (start == kNone<Switch>) continue;
    const std::string guid = fmt::format("0x{:016x}", fabric.guid(node));
    text.clear();
    for (const auto& [destination, end] : ends) {
      text.append(guid);
      text.append(end);
      fmt::format_to(fmt::appender(text), "{}\n", routing.lanes.at(destination, start));
    }
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
}

namespace {

class LaneFileReader {
 public:
  LaneFileReader(Input& input, const Fabric& fabric, const ForwardingTables& tables,
                 const Lids& lids)
      : input_(input),
        fabric_(fabric),
        destination_of_(std::size_t{index(lids.highest())} + 1, kNone<Destination>) {
    for (const Node node : ids<Node>(fabric.num_nodes())) {
      start_.emplace(fabric.guid(node), start_of(fabric, node));
    }
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      start_.emplace(fabric.address(t).guid, fabric.leaf(t));
    }
    for (const Destination destination : ids<Destination>(tables.num_destinations())) {
      destination_of_[lids.of(tables, destination)] = destination;
    }
    lanes_.switches = fabric.num_switches();
    lanes_.lane.assign(tables.num_destinations() * lanes_.switches, kUnset);
  }

  Lanes run() {
    while (const auto text = input_.next_line()) {
      Cursor line(*text, input_.name(), input_.line_number());
      line.skip_space();
      if (line.at_end()) continue;
      if (line.peek() == '#') {
        frame_.see(line.rest());
      } else if (line.accept("Channel Adapter ") || line.accept("Switch ") ||
                 line.accept("Router ")) {
        block_ = read_source(line);
      } else if (block_) {
        read_block_row(line);
      } else {
        read_row(line);
      }
    }
    frame_.require_closed(input_);
    if (!any_) {
      throw InputError(input_.at(1), "no service levels: expected lines \"GUID LID level\"");
    }
    return std::move(lanes_);
  }

 private:
  Switch read_source(Cursor& line) const {
    const std::size_t column = line.column();
    const auto source = start_.find(line.hex("a node's GUID"));
    if (source == start_.end()) line.fail_at(column, "no node of the fabric has this GUID");
    return source->second;
  }

  void read_row(Cursor& line) {
    const Switch source = read_source(line);
    line.skip_space();
    const std::size_t column = line.column();
    const Destination destination =
        destination_at(line, column, line.decimal("a LID", index(kMaxLid)));
    line.skip_space();
    const std::uint8_t level = read_level(line);
    line.skip_space();
    if (!line.at_end()) line.expected("the end of the line");
    store(line, source, destination, level);
  }

  // 0x0001 : 0  : 4   : 3
  void read_block_row(Cursor& line) {
    const std::size_t column = line.column();
    const Destination destination = destination_at(line, column, line.hex("a LID", index(kMaxLid)));
    line.skip_space();
    line.expect(":");
    line.skip_space();
    any_ = true;
    if (line.accept("UNREACHABLE")) return;
    store(line, *block_, destination, read_level(line));
  }

  Destination destination_at(Cursor& line, std::size_t column, std::uint64_t lid) const {
    if (lid >= destination_of_.size() ||
        destination_of_[static_cast<Lid>(lid)] == kNone<Destination>) {
      line.fail_at(column, "nothing has this LID");
    }
    return destination_of_[static_cast<Lid>(lid)];
  }

  static std::uint8_t read_level(Cursor& line) {
    return static_cast<std::uint8_t>(line.decimal("a service level", kMaxLevel));
  }

  void store(Cursor& line, Switch source, Destination destination, std::uint8_t level) {
    any_ = true;
    if (source == kNone<Switch>) return;
    std::uint8_t& lane = lanes_.lane[index(destination) * lanes_.switches + index(source)];
    if (lane != kUnset && lane != level) {
      line.fail(
          fmt::format("another node on {} has level {} to this LID; expected the same, as a path "
                      "is known by the switch it starts from",
                      display_name(fabric_, fabric_.node(source)), lane));
    }
    lane = level;
    lanes_.count = std::max(lanes_.count, level + 1U);
  }

  Input& input_;
  const Fabric& fabric_;
  Frame frame_;
  std::unordered_map<std::uint64_t, Switch> start_;  // by GUID of a node or port
  Table<Lid, Destination> destination_of_;           // by LID
  Lanes lanes_;
  std::optional<Switch> block_;  // whose block this is
  bool any_ = false;
};

}  // namespace

FileLanes read_lanes(Input& input, const Fabric& fabric, const ForwardingTables& tables,
                     const Lids& lids) {
  FileLanes read;
  read.lanes = LaneFileReader(input, fabric, tables, lids).run();
  Lanes& lanes = read.lanes;
  count_left_out(fabric, tables, read);
  std::ranges::replace(lanes.lane, kUnset, std::uint8_t{0});
  for (std::uint32_t i = 0; i < tables.num_destinations(); ++i) lanes.row_of.push_back(i);
  if (lanes.single()) {
    lanes = {.count = 1, .row_of = {}, .lane = {}, .switches = lanes.switches};
  }
  return read;
}

bool looks_like_levels(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    if (line.starts_with("# LID") && line.find(": SL :") != std::string_view::npos) return true;
    constexpr std::size_t kGuid = 18;  // "0x" and 16 digits
    if (!line.starts_with("0x") || line.size() <= kGuid || line[kGuid] != ' ') return false;
    const std::string_view rest = line.substr(kGuid + 1);
    return std::ranges::count(rest, ' ') == 1 &&
           std::ranges::all_of(rest, [](char c) { return c == ' ' || (c >= '0' && c <= '9'); });
  });
}

FileLanes load_lanes(const std::string& path, const Fabric& fabric, const ForwardingTables& tables,
                     const Lids& lids) {
  Input input = open_part(path, RunFile::kPathLevels, "service levels of paths (psl)");
  return read_lanes(input, fabric, tables, lids);
}

}  // namespace fatwood
