#include "io/sl2vl_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "io/cursor.hpp"
#include "io/input.hpp"
#include "routing/lids.hpp"

namespace fatwood {

namespace {

constexpr std::uint64_t kHighestLane = 15;

class Reader {
 public:
  Reader(Input& input, const Fabric& fabric) : input_(input), fabric_(fabric), map_(fabric) {
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      switches_.emplace(fabric.guid(fabric.node(s)), s);
    }
  }

  LevelLanes read() {
    while (const auto line = input_.next_line()) {
      Cursor cursor(*line, input_.name(), input_.line_number());
      cursor.skip_space();
      if (cursor.at_end() || cursor.peek() == '#') continue;
      if (cursor.accept("Switch ")) {
        head(cursor);
      } else if (cursor.accept("Channel Adapter ") || cursor.accept("Router ")) {
        switch_ = kNone<Switch>;
        in_block_ = true;
      } else {
        row(cursor);
      }
    }
    if (!in_block_) {
      throw InputError(input_.at(1), "no lanes: expected a block \"Switch\" for each switch");
    }
    if (!change_) return {.same = same_.value_or(identity()), .map = {}};
    require_all();
    return {.same = {}, .map = std::move(map_)};
  }

 private:
  static LaneOfLevel identity() {
    LaneOfLevel lanes{};
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
    LaneOfLevel lanes{};
    for (std::uint8_t& lane : lanes) {
      cursor.skip_space();
      lane = static_cast<std::uint8_t>(cursor.decimal("a lane", kHighestLane));
    }
    cursor.skip_space();
    if (!cursor.at_end()) cursor.expected("the end of the line");
    if (!counts(switch_, in, out)) return;
    map_.set(switch_, in, out, lanes);
    change_ = change_ || (same_ && *same_ != lanes);
    same_ = lanes;
  }

  Port port(Cursor& cursor) {
    const std::size_t column = cursor.column();
    const auto port = static_cast<Port>(cursor.decimal("a port", kMaxPorts));
    if (port > fabric_.ports(fabric_.node(switch_))) {
      cursor.fail_at(column, "the switch has no such port");
    }
    cursor.skip_space();
    return port;
  }

  // Whether packets can go this way, and wait there for others.
  bool counts(Switch s, Port in, Port out) const {
    const Channel to = fabric_.channel(fabric_.node(s), out);
    if (in == out || !fabric_.connected(to) || !fabric_.is_switch(fabric_.neighbour(to))) {
      return false;
    }
    return in == 0 || fabric_.connected(fabric_.channel(fabric_.node(s), in));
  }

  void require_all() const {
    for (const Switch s : ids<Switch>(fabric_.num_switches())) {
      const Port ports = fabric_.ports(fabric_.node(s));
      for (Port in = 0; in <= ports; ++in) {
        for (Port out = 1; out <= ports; ++out) {
          if (!counts(s, in, out) || map_.has(s, in, out)) continue;
          throw InputError(
              input_.at(0),
              fmt::format("lanes differ from row to row, and there is no row for {} from port {} "
                          "to port {}",
                          display_name(fabric_, fabric_.node(s)), in, out));
        }
      }
    }
  }

  Input& input_;
  const Fabric& fabric_;
  std::unordered_map<std::uint64_t, Switch> switches_;
  LaneMap map_;
  std::optional<LaneOfLevel> same_;  // of the last row
  bool change_ = false;              // rows differ
  Switch switch_ = kNone<Switch>;    // kNone in the block of an adapter
  bool in_block_ = false;
};

}  // namespace

LevelLanes read_sl2vl(Input& input, const Fabric& fabric) { return Reader(input, fabric).read(); }

LevelLanes load_sl2vl(const std::string& path, const Fabric& fabric) {
  Input input(path);
  return read_sl2vl(input, fabric);
}

Lanes take_lanes(const LaneOfLevel& lane_of, Lanes levels) {
  std::uint8_t highest = 0;
  for (std::uint8_t& lane : levels.lane) {
    lane = lane_of[lane];
    highest = std::max(highest, lane);
  }
  if (!levels.lane.empty()) levels.count = highest + 1U;
  return levels;
}

}  // namespace fatwood
