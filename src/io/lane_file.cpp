#include "io/lane_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "io/cursor.hpp"
#include "io/input.hpp"
#include "topology/leaves.hpp"

namespace fatwood {

namespace {

constexpr unsigned kMaxLevel = 15;
constexpr std::uint8_t kUnset = 255;

// The switch a node's packets start from; kNone where it hangs on none.
Switch start_of(const Fabric& fabric, Node node) {
  if (fabric.is_switch(node)) return fabric.as_switch(node);
  for (Port port = 1; port <= fabric.ports(node); ++port) {
    const Terminal t = fabric.terminal_at(fabric.channel(node, port));
    if (t != kNone<Terminal> && fabric.leaf(t) != kNone<Switch>) return fabric.leaf(t);
  }
  return kNone<Switch>;
}

// Counts what the file left out.
void count_left_out(const Fabric& fabric, const ForwardingTables& tables, FileLanes& read) {
  const Table<Switch, std::uint32_t> terminals = terminals_on(fabric);
  for (const Target target : ids<Target>(tables.num_targets())) {
    const Switch at =
        tables.is_switch(target) ? tables.as_switch(target) : fabric.leaf(tables.terminal(target));
    if (at == kNone<Switch>) continue;
    const std::uint8_t* const row = &read.lanes.lane[index(target) * read.lanes.switches];
    for (const Switch s : ids<Switch>(read.lanes.switches)) {
      if (s == at || row[index(s)] != kUnset) continue;
      if (read.left_out++ == 0) {
        read.first_source = s;
        read.first_target = target;
      }
      if (terminals[s] > 0 && !tables.is_switch(target)) ++read.left_out_hosts;
    }
  }
}

}  // namespace

void write_lanes(std::ostream& out, const Fabric& fabric, const Routing& routing,
                 const Lids& lids) {
  const ForwardingTables& tables = routing.tables;
  std::vector<std::string> ends;  // " <lid> ", by target
  for (const Target target : ids<Target>(tables.num_targets())) {
    ends.push_back(fmt::format(" {} ", lids.of(tables, target)));
  }
  fmt::memory_buffer text;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    const Switch start = start_of(fabric, node);
    if (start == kNone<Switch>) continue;
    const std::string guid = fmt::format("0x{:016x}", fabric.guid(node));
    text.clear();
    for (const Target target : ids<Target>(tables.num_targets())) {
      text.append(guid);
      text.append(ends[index(target)]);
      fmt::format_to(fmt::appender(text), "{}\n", routing.lanes.at(target, start));
    }
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
}

FileLanes read_lanes(Input& input, const Fabric& fabric, const ForwardingTables& tables,
                     const Lids& lids) {
  std::unordered_map<std::uint64_t, Switch> start;
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    start.emplace(fabric.guid(node), start_of(fabric, node));
  }
  std::vector<Target> target_of(lids.highest() + 1, kNone<Target>);
  for (const Target target : ids<Target>(tables.num_targets())) {
    target_of[lids.of(tables, target)] = target;
  }
  FileLanes read;
  Lanes& lanes = read.lanes;
  lanes.switches = fabric.num_switches();
  lanes.lane.assign(tables.num_targets() * lanes.switches, kUnset);
  bool any = false;
  while (const auto line = input.next_line()) {
    Cursor cursor(*line, input.name(), input.line_number());
    cursor.skip_space();
    if (cursor.at_end() || cursor.peek() == '#') continue;
    const auto source = start.find(cursor.hex("a node's GUID"));
    if (source == start.end()) cursor.fail_at(1, "no node of the fabric has this GUID");
    cursor.skip_space();
    const std::size_t column = cursor.column();
    const std::uint64_t lid = cursor.decimal("a LID", kMaxLid);
    if (lid >= target_of.size() || target_of[lid] == kNone<Target>) {
      cursor.fail_at(column, "nothing has this LID");
    }
    cursor.skip_space();
    const auto level = static_cast<std::uint8_t>(cursor.decimal("a service level", kMaxLevel));
    cursor.skip_space();
    if (!cursor.at_end()) cursor.expected("the end of the line");
    any = true;
    if (source->second == kNone<Switch>) continue;
    std::uint8_t& lane = lanes.lane[index(target_of[lid]) * lanes.switches + index(source->second)];
    if (lane != kUnset && lane != level) {
      cursor.fail(fmt::format("another node on {} has level {} to this LID",
                              display_name(fabric, fabric.node(source->second)), lane));
    }
    lane = level;
    lanes.count = std::max(lanes.count, level + 1U);
  }
  if (!any) throw InputError(input.at(1), "no service levels: expected lines \"GUID LID level\"");
  count_left_out(fabric, tables, read);
  std::ranges::replace(lanes.lane, kUnset, std::uint8_t{0});
  for (std::uint32_t i = 0; i < tables.num_targets(); ++i) lanes.row_of.push_back(i);
  if (lanes.single()) {
    lanes = {.count = 1, .row_of = {}, .lane = {}, .switches = lanes.switches};
  }
  return read;
}

FileLanes load_lanes(const std::string& path, const Fabric& fabric, const ForwardingTables& tables,
                     const Lids& lids) {
  Input input(path);
  return read_lanes(input, fabric, tables, lids);
}

}  // namespace fatwood
