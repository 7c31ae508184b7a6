// SPDX-License-Identifier: BSD-3-Clause
// Reads adaptive tables (far.hpp). Files of gigabytes are real, so a row of a table is taken apart
// by hand and its kind is looked up in a small table of the switch's groups; everything else goes
// through Cursor. Cost: linear in the file.

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "io/cursor.hpp"
#include "io/far.hpp"
#include "io/frame.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kNoGroupPort = "a group with a port that the switch does not have";
constexpr std::string_view kUndefined = "routes by a group that is not defined";
constexpr std::string_view kOddLine = "a line that is not a row of a table, skipped";
constexpr std::uint64_t kMaxSubGroup = 255;
constexpr std::uint64_t kMaxPrivate = 255;
constexpr std::uint64_t kMaxGroup = kNoGroup - 1;

constexpr std::pair<std::string_view, EntryState> kStates[] = {
    {"Static", EntryState::kStatic},
    {"Free", EntryState::kFree},
    {"Bounded", EntryState::kBounded},
    {"HBF", EntryState::kHashed},
};

struct Entry {
  std::uint32_t lid = 0;
  std::uint32_t port = 0;
  EntryState state = EntryState::kStatic;
  GroupNumber group = 0;
};

// Takes a row of the common form apart without ever complaining.
class Scan {
 public:
  explicit Scan(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool row(Entry& entry) {
    at_ += 2;  // "0x"
    return hex(entry.lid) && entry.lid <= kMaxLid && blank() && decimal(entry.port) &&
           entry.port <= 255 && blank() && state(entry.state) && blank() && group(entry.group) &&
           rest_is_blank();
  }

 private:
  bool hex(std::uint32_t& value) {
    const char* const from = at_;
    for (; at_ != end_ && at_ - from < 6; ++at_) {
      const char c = *at_;
      unsigned digit = static_cast<unsigned>(c - '0');
      if (digit > 9) {
        digit = static_cast<unsigned>((c | 0x20) - 'a') + 10;
        if (digit < 10 || digit > 15) break;
      }
      value = value * 16 + digit;
    }
    return at_ != from;
  }
  bool decimal(std::uint32_t& value) {
    const char* const from = at_;
    for (; at_ != end_ && at_ - from < 6; ++at_) {
      const auto digit = static_cast<unsigned>(*at_ - '0');
      if (digit > 9) break;
      value = value * 10 + digit;
    }
    return at_ != from;
  }
  bool blank() {
    const char* const from = at_;
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
    return at_ != from;
  }
  bool rest_is_blank() {
    blank();
    return at_ == end_;
  }
  bool state(EntryState& value) {
    const char* const from = at_;
    while (at_ != end_ && *at_ > ' ') ++at_;
    const std::string_view word(from, static_cast<std::size_t>(at_ - from));
    for (const auto& [name, known] : kStates) {
      if (word != name) continue;
      value = known;
      return true;
    }
    return false;
  }
  bool group(GroupNumber& value) {
    std::uint32_t number = 0;
    if (!decimal(number) || number > kMaxGroup) return false;
    value = static_cast<GroupNumber>(number);
    return true;
  }

  const char* at_;
  const char* end_;
};

class Reader {
 public:
  Reader(Input& input, const Fabric& fabric, Warnings& warnings)
      : input_(input), warnings_(warnings), collector_(input, fabric, warnings) {
    LidTables& tables = collector_.tables();
    tables.format = "far";
    tables.sets.emplace(fabric);
    tables.kind_low.resize(kMaxLid + 1);
    tables.kind_high.resize(kMaxLid + 1);
  }

  LidTables run() {
    while (const auto text = input_.next_line()) {
      if (part_ == Part::kTable && text->starts_with("0x")) {
        read_row(*text);
      } else {
        read_line(*text);
      }
    }
    close_groups();
    frame_.require_closed(input_);
    if (collector_.sections() == 0) {
      throw InputError({input_.name(), input_.line_number() + 1, 1},
                       "expected 'Switch 0x...' and its groups and tables");
    }
    return std::move(collector_).finish();
  }

 private:
  enum class Part : std::uint8_t { kAbout, kGroups, kTable };

  void read_line(std::string_view text) {
    Cursor line(text, input_.name(), input_.line_number());
    line.skip_space();
    if (line.at_end()) return;
    if (line.peek() == '#') return frame_.see(line.rest());
    if (line.rest().starts_with("Switch 0x")) return read_switch(line);
    if (collector_.sections() == 0) return read_head(line);
    if (line.rest().starts_with("Groups Definition:")) {
      part_ = Part::kGroups;
      has_sub_groups_ = has_weights_ = true;
    } else if (line.rest().starts_with("LFT Definition:")) {
      close_groups();
      part_ = Part::kTable;
    } else if (part_ == Part::kAbout) {
      return;  // the switch's settings, whatever the version says of them
    } else if (line.accept("PLFT_NUM:")) {
      read_private(line);
    } else if (part_ == Part::kGroups && line.rest().starts_with("Group")) {
      has_sub_groups_ = line.rest().find("Sub Group") != std::string_view::npos;
      has_weights_ = line.rest().find("WHBF") != std::string_view::npos;
    } else if (part_ == Part::kGroups && line.peek() >= '0' && line.peek() <= '9') {
      read_group(line);
    } else if (part_ == Part::kTable && line.rest().starts_with("0x")) {
      read_row(line.rest());
    } else if (line.peek() != '-' && !line.rest().starts_with("LID")) {
      warnings_.count(kOddLine, input_.line_number());
    }
  }

  // Before the first switch.
  static void read_head(Cursor& line) {
    if (!line.accept("File version:")) line.expected("'File version:' or 'Switch 0x...'");
    line.skip_space();
    line.decimal("the file's version", 0xffff);
  }

  void read_switch(Cursor& line) {
    close_groups();
    line.expect("Switch ");
    const std::uint64_t guid = line.hex("the switch's GUID");
    collector_.start_switch(guid);
    part_ = Part::kAbout;
    closed_ = false;
  }

  void read_private(Cursor& line) {
    close_groups();
    part_ = Part::kTable;
    line.skip_space();
    collector_.start_private(line.decimal("a private table's number", kMaxPrivate));
  }

  // group sub_group weight 1,2,3,      without the columns that the titles don't name
  void read_group(Cursor& line) {
    if (closed_) line.expected("groups before the tables of their switch");
    const auto number = static_cast<GroupNumber>(line.decimal("a group's number", kMaxGroup));
    const std::uint64_t part = has_sub_groups_ ? column(line, "a sub-group", kMaxSubGroup) : 0;
    const std::uint64_t weight = has_weights_ ? column(line, "a weight", 0xffff) : 0;
    PortGroup& group = groups_[number];
    if (group.size() <= part) group.resize(part + 1);
    SubGroup& sub = group[part];
    sub.weight = static_cast<std::uint16_t>(weight);
    line.skip_space();
    while (!line.at_end()) {
      const std::uint64_t port = line.decimal("a port", 255);
      line.accept(",");
      line.skip_space();
      if (collector_.current() == kNone<Switch>) continue;
      if (port == 0 || port == kNoRoute || !collector_.has_port(static_cast<std::uint32_t>(port))) {
        warnings_.count(kNoGroupPort, input_.line_number());
      } else {
        sub.ports.push_back(static_cast<std::uint8_t>(port));
      }
    }
  }

  static std::uint64_t column(Cursor& line, std::string_view what, std::uint64_t max) {
    line.skip_space();
    const std::uint64_t value = line.decimal(what, max);
    if (!line.at_end() && line.peek() == ',') {
      line.expected(std::string("a blank after ") + std::string(what));
    }
    return value;
  }

  // All groups of a switch come before its tables.
  void close_groups() {
    if (!closed_ && collector_.current() != kNone<Switch>) {
      const Switch s = collector_.current();
      PortSetsBuilder& sets = *collector_.tables().sets;
      for (auto& [number, group] : groups_) {
        if (!sets.has_group(s, number)) sets.add_group(s, number, std::move(group));
      }
    }
    groups_.clear();
    closed_ = true;
  }

  void read_row(std::string_view text) {
    Entry entry;
    if (!Scan(text).row(entry)) entry = read_odd_row(text);
    if (input_.unended()) {
      throw InputError(input_.at(text.size() + 1),
                       "the file is cut short; expected the end of the line");
    }
    if (collector_.current() == kNone<Switch>) return;
    const std::uint8_t port = collector_.usable(entry.port);
    const bool is_static = entry.state == EntryState::kStatic;
    collector_.store(entry.lid, port, is_static ? PortSets::Kind{0} : kind_of(entry, port));
  }

  // Whatever is wrong.
  Entry read_odd_row(std::string_view text) const {
    Cursor line(text, input_.name(), input_.line_number());
    Entry entry;
    entry.lid = static_cast<std::uint32_t>(line.hex("a LID", kMaxLid));
    if (!line.skip_space()) line.expected("a blank and a port");
    entry.port = static_cast<std::uint32_t>(line.decimal("a port", 255));
    if (!line.skip_space()) line.expected("a blank and a state");
    const std::size_t column = line.column();
    const std::string_view word = line.word();
    const auto* const state =
        std::ranges::find(kStates, word, [](const auto& known) { return known.first; });
    if (state == std::end(kStates)) {
      line.fail_at(column, "expected Static, Free, Bounded or HBF, found '" +
                               std::string(word.substr(0, 24)) + "'");
    }
    entry.state = state->second;
    line.skip_space();
    entry.group = static_cast<GroupNumber>(line.decimal("a group's number", kMaxGroup));
    line.skip_space();
    if (!line.at_end()) line.expected("the end of the line");
    return entry;
  }

  // Port 0, the switch itself, is no way for a group's packets.
  PortSets::Kind kind_of(const Entry& entry, std::uint8_t port) {
    const std::uint8_t own = port == 0 ? kNoRoute : port;
    const std::uint64_t key = std::uint64_t{collector_.sections()} << 32U |
                              std::uint32_t{entry.group} << 16U | std::uint32_t{own} << 8U |
                              static_cast<std::uint32_t>(entry.state);
    Known& known =
        known_[(entry.group * 31U + own * 4U + static_cast<unsigned>(entry.state)) % known_.size()];
    if (known.key == key) return known.kind;
    PortSetsBuilder& sets = *collector_.tables().sets;
    if (!sets.has_group(collector_.current(), entry.group)) {
      warnings_.count(kUndefined, input_.line_number());
    }
    known = {key, sets.kind(collector_.current(), entry.state, entry.group, own)};
    return known.kind;
  }

  // The kinds that were asked for last, by section, group, port and state.
  struct Known {
    std::uint64_t key = 0;  // no section has number 0
    PortSets::Kind kind = 0;
  };

  Input& input_;
  Warnings& warnings_;
  LidCollector collector_;
  Frame frame_;
  Part part_ = Part::kAbout;
  bool has_sub_groups_ = true, has_weights_ = true;
  bool closed_ = true;  // the switch's groups are complete
  std::map<GroupNumber, PortGroup> groups_;
  std::array<Known, 1024> known_{};
};

}  // namespace

bool looks_like_far(std::string_view head) {
  return head.find("\nGroups Definition:") != std::string_view::npos ||
         head.find("\nLFT Definition:") != std::string_view::npos;
}

LidTables read_far(Input& input, const Fabric& fabric, Warnings& warnings) {
  return Reader(input, fabric, warnings).run();
}

}  // namespace fatwood
