#include "io/sl2vl_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "io/cursor.hpp"
#include "io/input.hpp"
#include "routing/lids.hpp"

namespace fatwood {

namespace {

constexpr std::uint64_t kHighestLane = 15;

class Reader {
 public:
  Reader(Input& input, const Fabric& fabric) : input_(input), fabric_(fabric) {
    for (std::size_t level = 0; level < lane_.size(); ++level) {
      lane_[level] = static_cast<std::uint8_t>(level);
    }
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      switches_.emplace(fabric.guid(fabric.node(s)), fabric.node(s));
    }
  }

  LaneOfLevel read() {
    while (const auto line = input_.next_line()) {
      Cursor cursor(*line, input_.name(), input_.line_number());
      cursor.skip_space();
      if (cursor.at_end() || cursor.peek() == '#') continue;
      if (cursor.accept("Switch ")) {
        head(cursor);
      } else if (cursor.accept("Channel Adapter ") || cursor.accept("Router ")) {
        node_ = kNone<Node>;
        in_block_ = true;
      } else {
        row(cursor);
      }
    }
    if (!in_block_) {
      throw InputError(input_.at(1), "no lanes: expected a block \"Switch\" for each switch");
    }
    return lane_;
  }

 private:
  void head(Cursor& cursor) {
    const std::size_t column = cursor.column();
    const auto found = switches_.find(cursor.number("a switch's GUID"));
    if (found == switches_.end()) cursor.fail_at(column, "the fabric has no switch with this GUID");
    node_ = found->second;
    in_block_ = true;
  }

  void row(Cursor& cursor) {
    if (!in_block_) cursor.expected("\"Switch\" and a GUID");
    if (node_ == kNone<Node>) return;
    cursor.decimal("a port", kMaxPorts);
    cursor.skip_space();
    const std::size_t column = cursor.column();
    const auto out = static_cast<Port>(cursor.decimal("a port", kMaxPorts));
    if (out > fabric_.ports(node_)) cursor.fail_at(column, "the switch has no such port");
    cursor.skip_space();
    cursor.expect(":");
    const Channel c = fabric_.channel(node_, out);
    const bool counts = fabric_.connected(c) && fabric_.is_switch(fabric_.neighbour(c));
    for (std::size_t level = 0; level < lane_.size(); ++level) {
      cursor.skip_space();
      const std::size_t at = cursor.column();
      const auto lane = static_cast<std::uint8_t>(cursor.decimal("a lane", kHighestLane));
      if (counts) set(cursor, at, level, lane);
    }
    cursor.skip_space();
    if (!cursor.at_end()) cursor.expected("the end of the line");
  }

  void set(const Cursor& cursor, std::size_t column, std::size_t level, std::uint8_t lane) {
    if (line_[level] != 0 && lane_[level] != lane) {
      cursor.fail_at(column,
                     fmt::format("level {} takes lane {} here and lane {} in line {}: routes "
                                 "that change lanes on their way can't be judged",
                                 level, lane, lane_[level], line_[level]));
    }
    lane_[level] = lane;
    line_[level] = input_.line_number();
  }

  Input& input_;
  const Fabric& fabric_;
  std::unordered_map<std::uint64_t, Node> switches_;
  LaneOfLevel lane_{};
  std::array<std::size_t, 16> line_{};  // that told the lane; 0: none
  Node node_ = kNone<Node>;             // kNone in the block of an adapter
  bool in_block_ = false;
};

}  // namespace

LaneOfLevel read_sl2vl(Input& input, const Fabric& fabric) { return Reader(input, fabric).read(); }

LaneOfLevel load_sl2vl(const std::string& path, const Fabric& fabric) {
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
