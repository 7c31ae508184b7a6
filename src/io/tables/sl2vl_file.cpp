// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/sl2vl_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "io/base/cursor.hpp"
#include "io/base/input.hpp"
#include "io/base/records.hpp"
#include "io/fabric/node_words.hpp"
#include "io/ibdiagnet/run_files.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

namespace {

constexpr std::uint64_t kHighestLane = 15;

class Sl2vlReader {
 public:
  Sl2vlReader(Input& input, const Fabric& fabric) : input_(input), fabric_(fabric), map_(fabric) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      switches_.emplace(fabric.guid(fabric.node(s)), s);
    }
  }

  Sl2vl read() {
    while (const auto line = input_.next_line()) {
      Cursor cursor(*line, input_.name(), input_.line_number());
      cursor.skip_space();
      if (cursor.at_end()) continue;
      if (cursor.peek() == '#') {
        frame_.see(cursor.rest());
      } else if (cursor.rest().starts_with("0x")) {
        digits_row(cursor);
      } else if (cursor.accept("Switch ")) {
        head(cursor);
      } else if (cursor.accept("Channel Adapter ") || cursor.accept("Router ")) {
        switch_ = kNone<Switch>;
        in_block_ = true;
      } else {
        row(cursor);
      }
    }
    frame_.require_closed(input_);
    if (!in_block_) {
      throw InputError(input_.at(1), "no lanes: expected a block \"Switch\" for each switch");
    }
    if (!change_) return {.same = same_.value_or(identity()), .map = {}};
    require_all();
    return {.same = {}, .map = std::move(map_)};
  }

 private:
  static LaneOfSl identity() {
    LaneOfSl lanes{};
    std::iota(lanes.begin(), lanes.end(), std::uint8_t{0});
    return lanes;
  }

  void head(Cursor& cursor) {
    const std::size_t column = cursor.column();
    const auto found = switches_.find(cursor.number("a switch's GUID"));
    if (found == switches_.end()) cursor.fail_at(column, "the fabric has no switch with this GUID");
    switch_ = found->second;
    in_block_ = true;
  }

  void row(Cursor& cursor) {
    if (!in_block_) cursor.expected("\"Switch\" and a GUID");
    if (switch_ == kNone<Switch>) return;
    const Port in = port(cursor);
    const Port out = port(cursor);
    cursor.expect(":");
    LaneOfSl lanes{};
    for (std::uint8_t& lane : lanes) {
      cursor.skip_space();
      lane = static_cast<std::uint8_t>(cursor.decimal("a lane", kHighestLane));
    }
    set(cursor, in, out, lanes);
  }

  void set(Cursor& cursor, Port in, Port out, const LaneOfSl& lanes) {
    cursor.skip_space();
    if (!cursor.at_end()) cursor.expected("the end of the line");
    if (!counts(switch_, in, out)) return;
    map_.set(switch_, in, out, lanes);
    change_ = change_ || (same_ && *same_ != lanes);
    same_ = lanes;
  }

  // 0x0020000000000000 0 1 0x01 0x23 ...: two levels a byte, the lower first.
  void digits_row(Cursor& cursor) {
    const std::size_t column = cursor.column();
    const std::uint64_t guid = cursor.hex("a switch's GUID");
    in_block_ = true;
    const auto found = switches_.find(guid);
    if (found == switches_.end()) {
      if (!is_end_node(guid)) cursor.fail_at(column, "the fabric has no node with this GUID");
      return;
    }
    switch_ = found->second;
    cursor.skip_space();
    const Port in = port(cursor);
    const Port out = port(cursor);
    LaneOfSl lanes{};
    for (std::size_t level = 0; level < kLevels; level += 2) {
      cursor.skip_space();
      if (!cursor.rest().starts_with("0x")) cursor.expected("two lanes, like 0x01");
      const std::uint64_t both = cursor.hex("two lanes, like 0x01", 0xff);
      lanes[level] = static_cast<std::uint8_t>(both >> 4U);
      lanes[level + 1] = static_cast<std::uint8_t>(both & 15U);
    }
    set(cursor, in, out, lanes);
  }

  bool is_end_node(std::uint64_t guid) {
    if (end_nodes_.empty()) {
      for (const Node node : ids<Node>(fabric_.num_adapters())) {
        end_nodes_.insert(fabric_.guid(node));
      }
      for (const Terminal t : ids<Terminal>(fabric_.num_terminals())) {
        end_nodes_.insert(fabric_.address(t).guid);
      }
    }
    return end_nodes_.contains(guid);
  }

  Port port(Cursor& cursor) {
    const std::size_t column = cursor.column();
    const auto port = static_cast<Port>(cursor.decimal("a port", kMaxPorts));
    if (index(port) > fabric_.ports(fabric_.node(switch_))) {
      cursor.fail_at(column, "the switch has no such port");
    }
    cursor.skip_space();
    return port;
  }

  // Whether packets can go this way, and wait there for others.
  bool counts(Switch s, Port in, Port out) const {
    const Channel to = fabric_.channel(fabric_.node(s), out);
    if (in == out || !fabric_.to_switch(to)) {
      return false;
    }
    return in == kOwnPort || fabric_.connected(fabric_.channel(fabric_.node(s), in));
  }

  void require_all() const {
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      const auto ports = ids<Port>(fabric_.ports(fabric_.node(s)) + 1);
      for (const Port in : ports) {
        for (const Port out : ports) {
          if (!counts(s, in, out) || map_.has(s, in, out)) continue;
          throw InputError(
              input_.at(0),
              fmt::format("lanes differ from row to row, and there is no row for {} from port {} "
                          "to port {}",
                          unique_name(fabric_, s), index(in), index(out)));
        }
      }
    }
  }

  Input& input_;
  const Fabric& fabric_;
  Frame frame_;
  std::unordered_map<std::uint64_t, Switch> switches_;
  std::unordered_set<std::uint64_t> end_nodes_;  // GUIDs, of ports too; made when first needed
  LaneMap map_;
  std::optional<LaneOfSl> same_;   // of the last row
  bool change_ = false;            // rows differ
  Switch switch_ = kNone<Switch>;  // kNone in the block of an adapter
  bool in_block_ = false;
};

}  // namespace

bool looks_like_sl2vl(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    if (line.starts_with("#in out")) return true;
    // 0xGUID in out and eight bytes
    return line.starts_with("0x") && std::ranges::count(line, ' ') >= 10 &&
           line.find(" 0x", 18) != std::string_view::npos &&
           line.find(':') == std::string_view::npos;
  });
}

Sl2vl read_sl2vl(Input& input, const Fabric& fabric) { return Sl2vlReader(input, fabric).read(); }

Sl2vl load_sl2vl(const std::string& path, const Fabric& fabric) {
  Input input = open_part(path, RunFile::kSl2vl, "lanes of service levels (slvl)");
  return read_sl2vl(input, fabric);
}

void write_sl2vl(std::ostream& out, const Fabric& fabric, const LaneMap& map) {
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    const Node node = fabric.node(s);
    out << fmt::format("Switch 0x{:016x}, base LID {}, \"{}\"\n", fabric.guid(node),
                       index(fabric.address(s).lid), display_name(fabric, node));
    for (const Port in : ids<Port>(fabric.ports(node) + 1)) {
      for (const Port to : ids<Port>(fabric.ports(node) + 1)) {
        if (!map.has(s, in, to)) continue;
        out << fmt::format("{} {} :", index(in), index(to));
        for (unsigned level = 0; level < kLevels; ++level) out << ' ' << map.lane(s, in, to, level);
        out << '\n';
      }
    }
  }
}

Lanes take_lanes(const LaneOfSl& lane_of, Lanes levels) {
  std::uint8_t highest = 0;
  for (std::uint8_t& lane : levels.lane) {
    lane = lane_of[lane];
    highest = std::max(highest, lane);
  }
  if (!levels.lane.empty()) levels.count = highest + 1U;
  return levels;
}

}  // namespace fatwood
