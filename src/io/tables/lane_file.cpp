// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/lane_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include "io/base/cursor.hpp"
#include "io/base/input.hpp"
#include "io/base/records.hpp"
#include "io/fabric/node_words.hpp"
#include "io/ibdiagnet/run_files.hpp"
#include "topology/graph/port_graph.hpp"

namespace fatwood {

namespace {

constexpr unsigned kMaxLevel = 15;
constexpr std::uint8_t kUnset = 255;

// The switches that a node's packets start from, in order of its ports.
std::vector<Switch> starts_of(const Fabric& fabric, Node node) {
  if (fabric.is_switch(node)) return {fabric.as_switch(node)};
  std::vector<Switch> starts;
  for (const Channel c : fabric.channels(node)) {
    const Terminal t = fabric.terminal_at(c);
    if (t != kNone<Terminal> && fabric.leaf(t) != kNone<Switch>) starts.push_back(fabric.leaf(t));
  }
  return starts;
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

namespace {

// The SL of a node's paths to a destination: that of its ports in the destination's component. A
// node without such a port has no path; the SL of its first port is written.
unsigned level_of(const Fabric& fabric, const Routing& routing, const Components& components,
                  Node node, std::span<const Switch> starts, Destination destination) {
  const std::uint32_t component =
      components.component[home_of(fabric, routing.tables, destination)];
  Switch chosen = kNone<Switch>;
  for (const Switch start : starts) {
    if (components.component[start] != component) continue;
    if (chosen == kNone<Switch>) chosen = start;
    const unsigned first = routing.lanes.at(destination, chosen);
    const unsigned other = routing.lanes.at(destination, start);
    if (first == other) continue;
    throw PromiseError(fmt::format(
        "{} sends from {} with SL {} and from {} with SL {} to the same destination; a file of "
        "service levels has one SL for each node and destination",
        unique_name(fabric, node), unique_name(fabric, chosen), first, unique_name(fabric, start),
        other));
  }
  return routing.lanes.at(destination, chosen == kNone<Switch> ? starts.front() : chosen);
}

}  // namespace

void write_lanes(std::ostream& out, const Fabric& fabric, const Routing& routing,
                 const Lids& lids) {
  const ForwardingTables& tables = routing.tables;
  const Components components = connected_components(port_graph(fabric));
  std::vector<std::pair<Destination, std::string>> ends;  // with " <lid> "
  for (const Destination destination : ids<Destination>(tables.num_destinations())) {
    // Tables have no line of a terminal that is joined to another: nothing would have its LID.
    if (home_of(fabric, tables, destination) == kNone<Switch>) continue;
    ends.emplace_back(destination, fmt::format(" {} ", index(lids.of(tables, destination))));
  }
  fmt::memory_buffer text;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    const std::vector<Switch> starts = starts_of(fabric, node);
    if (starts.empty()) continue;
    const std::string guid = fmt::format("0x{:016x}", fabric.guid(node));
    text.clear();
    for (const auto& [destination, end] : ends) {
      text.append(guid);
      text.append(end);
      const unsigned level = starts.size() == 1
                                 ? routing.lanes.at(destination, starts.front())
                                 : level_of(fabric, routing, components, node, starts, destination);
      fmt::format_to(fmt::appender(text), "{}\n", level);
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
        tables_(tables),
        components_(connected_components(port_graph(fabric))),
        destination_of_(std::size_t{index(lids.highest())} + 1, kNone<Destination>) {
    for (const Node node : ids<Node>(fabric.num_nodes())) {
      by_node_.emplace(fabric.guid(node), Source{node, starts_of(fabric, node)});
    }
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      Source source{fabric.adapter_node(t), {}};
      if (fabric.leaf(t) != kNone<Switch>) source.starts.push_back(fabric.leaf(t));
      by_port_.emplace(fabric.address(t).guid, std::move(source));
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
        block_ = &read_source(line, by_port_, by_node_);
      } else if (block_ != nullptr) {
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
  // A node, or a port of one, and the switches where its packets start.
  struct Source {
    Node node;
    std::vector<Switch> starts;
  };
  using Sources = std::unordered_map<std::uint64_t, Source>;  // by GUID

  // A GUID may be that of a node and of one of its ports: `first` counts.
  static const Source& read_source(Cursor& line, const Sources& first, const Sources& second) {
    const std::size_t column = line.column();
    const std::uint64_t guid = line.hex("a node's GUID");
    for (const Sources* const sources : {&first, &second}) {
      if (const auto found = sources->find(guid); found != sources->end()) return found->second;
    }
    line.fail_at(column, "no node of the fabric has this GUID");
  }

  void read_row(Cursor& line) {
    const Source& source = read_source(line, by_node_, by_port_);
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

  void store(Cursor& line, const Source& source, Destination destination, std::uint8_t level) {
    any_ = true;
    for (const Switch start : source.starts) {
      std::uint8_t& lane = lanes_.lane[index(destination) * lanes_.switches + index(start)];
      if (lane != kUnset && lane != level) {
        if (!has_path(start, destination)) continue;
        refuse(line, source, start, lane);
      }
      lane = level;
      lanes_.count = std::max(lanes_.count, level + 1U);
    }
  }
  // Whether packets from a switch to a destination leave it.
  bool has_path(Switch start, Destination destination) const {
    const Switch home = home_of(fabric_, tables_, destination);
    return tables_.at(destination, start) != kNoRoute ||
           (home != kNone<Switch> && components_.component[home] == components_.component[start]);
  }
  [[noreturn]] void refuse(Cursor& line, const Source& source, Switch start, unsigned level) const {
    const std::string at = unique_name(fabric_, start);
    if (source.starts.size() == 1) {
      line.fail(
          fmt::format("another node on {} has level {} to this LID; expected the same, as a path "
                      "is known by the switch it starts from",
                      at, level));
    }
    line.fail(
        fmt::format("{} sends from {} switches, and another node on one of them, {}, has level {} "
                    "to this LID; expected the same, as a path is known by the switch it starts "
                    "from. Make the file again with fatwood route",
                    unique_name(fabric_, source.node), source.starts.size(), at, level));
  }

  Input& input_;
  const Fabric& fabric_;
  const ForwardingTables& tables_;
  Components components_;
  Frame frame_;
  Sources by_node_, by_port_;
  Table<Lid, Destination> destination_of_;  // by LID
  Lanes lanes_;
  const Source* block_ = nullptr;  // whose block this is
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
