// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/far_part.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "io/base/cursor.hpp"
#include "io/base/noise.hpp"
#include "io/tables/far_row.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kNoGroupPort = "a group with a port that the switch does not have";
constexpr std::string_view kUndefined = "routes by a group that is not defined";
constexpr std::string_view kAboveTop = "a route to a LID above the top of its table";
constexpr std::string_view kOddLine = "a line that is not a row of a table, skipped";
constexpr std::string_view kBefore = "text before the first switch, skipped";
constexpr std::string_view kOtherGroup =
    "a group that comes again with other ports; the first one counts";
constexpr std::uint64_t kMaxSubGroup = 15;  // switches have three

class PartReader {
 public:
  PartReader(Input& input, FarFile& file)
      : input_(input),
        file_(file),
        warnings_(file.name),
        collector_(input, file.rows, warnings_),
        sets_(*file.rows.tables().sets) {}

  FarPartEnd run() {
    for (;;) {
      if (part_ == Part::kTable) read_rows();
      const auto text = input_.next_line();
      if (!text) break;
      read_line(*text);
    }
    close_groups();
    collector_.finish();
    return {frame_, std::move(warnings_)};
  }

 private:
  enum class Part : std::uint8_t { kAbout, kGroups, kTable };

  void read_line(std::string_view text) {
    const auto plain = clean_line(text, input_.line_number(), plain_, warnings_);
    if (!plain) return;
    Cursor line(*plain, input_.name(), input_.line_number());
    line.skip_space();
    if (line.at_end()) return;
    if (line.peek() == '#') return frame_.see(line.rest());
    if (line.rest().starts_with(kFarHeader)) {
      require_plain_header(line, text);
      return read_switch(line);
    }
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
      read_row(line);
    } else if (line.peek() != '-' && !line.rest().starts_with("LID") &&
               !line.rest().starts_with("File version:")) {  // two files put together
      warnings_.count(kOddLine, input_.line_number());
    }
  }

  // Threads share the file by headers as InputParts finds them, in the raw text.
  static void require_plain_header(const Cursor& line, std::string_view text) {
    const std::size_t at = text.find(kFarHeader);
    const std::string_view before = text.substr(0, at == std::string_view::npos ? 0 : at);
    const std::size_t last = before.find_last_not_of(" \t");
    const bool plain = last == std::string_view::npos || before[last] == '\r';
    if (at == std::string_view::npos || !plain) {
      line.expected("'Switch 0x...' at the beginning of a line, without control characters");
    }
  }

  // Before the first switch.
  void read_head(Cursor& line) {
    for (const std::string_view word : {"Groups Definition:", "LFT Definition:", "PLFT_NUM:"}) {
      if (line.rest().starts_with(word)) line.expected("'File version:' or 'Switch 0x...'");
    }
    if (!line.accept("File version:")) return warnings_.count(kBefore, input_.line_number());
    line.skip_space();
    line.decimal("the file's version", 0xffff);
  }

  void read_switch(Cursor& line) {
    close_groups();
    line.expect("Switch ");
    const std::uint64_t guid = line.hex("the switch's GUID");
    if (input_.unended()) line.fail("the file is cut short; expected the end of the line");
    collector_.start_switch(guid);
    part_ = Part::kAbout;
    top_ = kMaxLid;
    closed_ = false;
  }

  void read_private(Cursor& line) {
    close_groups();
    part_ = Part::kTable;
    top_ = kMaxLid;
    line.skip_space();
    collector_.start_private(line.decimal("a private table's number", kMaxPrivate));
    line.skip_space();
    if (!line.accept(",")) return;
    line.skip_space();
    if (!line.accept("top:")) return;
    line.skip_space();
    top_ = static_cast<Lid>(line.hex("the highest LID of the table", 0xffff));
  }

  // group sub_group weight 1,2,3,      without the columns that the titles don't name
  void read_group(Cursor& line) {
    if (closed_) line.expected("groups before the tables of their switch");
    const auto number = static_cast<GroupNumber>(line.decimal("a group's number", kMaxFarGroup));
    const std::uint64_t part = has_sub_groups_ ? column(line, "a sub-group", kMaxSubGroup) : 0;
    const std::uint64_t weight = has_weights_ ? column(line, "a weight", 0xffff) : 0;
    const auto [given, fresh] = groups_.try_emplace(number);
    if (fresh) given->second.line = input_.line_number();
    PortGroup& group = given->second.group;
    if (group.size() <= part) group.resize(part + 1);
    SubGroup& sub = group[part];
    sub.weight = static_cast<std::uint16_t>(weight);
    line.skip_space();
    while (!line.at_end()) {
      const auto port = static_cast<Port>(line.decimal("a port", 255));
      line.accept(",");
      line.skip_space();
      if (collector_.current() == kNone<Switch>) continue;
      if (port == kOwnPort || port == kNoRoute || !collector_.has_port(port)) {
        warnings_.count(kNoGroupPort, input_.line_number());
      } else {
        sub.ports.push_back(port);
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
      const std::scoped_lock lock(file_.sets_mutex);
      for (auto& [number, given] : groups_) {
        if (!sets_.has_group(s, number)) {
          sets_.add_group(s, number, std::move(given.group));
        } else if (!sets_.has_group(s, number, given.group)) {
          warnings_.count(kOtherGroup, given.line);
        }
      }
    }
    groups_.clear();
    closed_ = true;
  }

  // As many rows of the common form as follow.
  void read_rows() {
    const std::string_view text = input_.peek();
    const char* at = text.data();
    const char* const end = at + text.size();
    for (;;) {
      at = repeat_tails(at, end);
      if (end - at <= 2 || at[0] != '0' || at[1] != 'x') return;
      FarRow entry;
      const char* const row_end = scan_far_row(at, entry);
      if (row_end == nullptr || row_end == end) return;
      row_length_ = static_cast<std::size_t>(row_end - at);
      input_.take_line(row_length_);
      const Stored stored = store(entry);
      const bool shape = lid_of_far_row(at) == entry.lid && at[kFarLidEnd] <= ' ';
      if (stored.repeats && shape) {
        tails_.keep({at + kFarLidEnd, row_length_ + 1 - kFarLidEnd}, collector_.sections(),
                    stored.port, stored.kind);
      }
      at = row_end + 1;
    }
  }

  // Rows whose tails were met before, up to the first that needs a closer look: where that is.
  const char* repeat_tails(const char* const from, const char* end) {
    const std::optional<LidRun> may_run = collector_.start_run();
    const std::size_t least = kFarLidEnd + FarTails::kLeast, most = kFarLidEnd + FarTails::kMost;
    if (!may_run || row_length_ + 1 < least || row_length_ >= most) return from;
    LidRun run = *may_run;
    const std::size_t section = collector_.sections();
    const Lid top = std::min(top_, kMaxLid);
    std::size_t length = row_length_, rows = 0;
    const char* at = from;
    while (static_cast<std::size_t>(end - at) > most) {
      if (at[length] != '\n') length = at[length + 1] == '\n' ? length + 1 : length - 1;
      if (length + 1 < least || length >= most) break;
      const FarTails::Tail* const tail =
          tails_.find(at + kFarLidEnd, length + 1 - kFarLidEnd, section);
      const Lid lid = lid_of_far_row(at);
      if (tail == nullptr || lid > top || !run.put(lid, tail->port, tail->kind)) break;
      at += length + 1;
      ++rows;
    }
    collector_.end_run(run);
    input_.take_lines(rows, static_cast<std::size_t>(at - from));
    return at;
  }

  // A row of another form, or wrong.
  void read_row(Cursor& line) {
    const FarRow entry = read_far_row(line);
    if (input_.unended()) line.fail("the file is cut short; expected the end of the line");
    store(entry);
  }

  // The result of a row; repeats: a row of the same text needs no second look and no warning.
  struct Stored {
    Port port = kNoRoute;
    PortSets::Kind kind = 0;
    bool repeats = false;
  };

  Stored store(const FarRow& entry) {
    if (collector_.current() == kNone<Switch>) return {};
    if (entry.lid > top_) warnings_.count(kAboveTop, input_.line_number());
    const bool is_static = entry.state == EntryState::kStatic;
    Stored stored;
    stored.port = collector_.usable(entry.port);
    stored.repeats = collector_.good_port(entry.port) && stored.port != kNoRoute;
    if (!is_static) {
      const Known& known = kind_of(entry, stored.port);
      stored.kind = known.kind;
      stored.repeats = stored.repeats && known.defined;
    }
    collector_.put(entry.lid, stored.port, stored.kind);
    return stored;
  }

  // The kinds that were asked for last, by section, group, port and state.
  struct Known {
    std::uint64_t key = 0;  // no section has number 0
    PortSets::Kind kind = 0;
    bool defined = false;  // the group is
  };

  // Port 0, the switch itself, is no port for a group's packets.
  const Known& kind_of(const FarRow& entry, Port port) {
    const Port own = port == kOwnPort ? kNoRoute : port;
    const std::uint64_t key = std::uint64_t{collector_.sections()} << 32U |
                              std::uint32_t{entry.group} << 16U | index(own) << 8U |
                              static_cast<std::uint32_t>(entry.state);
    Known& known =
        known_[(entry.group * 31U + index(own) * 4U + static_cast<unsigned>(entry.state)) %
               known_.size()];
    if (known.key == key) return known;
    const std::scoped_lock lock(file_.sets_mutex);
    const Switch s = collector_.current();
    const bool defined = sets_.has_group(s, entry.group);
    if (!defined) warnings_.count(kUndefined, input_.line_number());
    known = {key, sets_.kind(s, entry.state, entry.group, own), defined};
    return known;
  }

  Input& input_;
  FarFile& file_;
  Warnings warnings_;
  LidCollector collector_;
  PortSetsBuilder& sets_;
  Frame frame_;
  Part part_ = Part::kAbout;
  bool has_sub_groups_ = true, has_weights_ = true;
  bool closed_ = true;  // the switch's groups are complete
  Lid top_ = kMaxLid;   // of the table
  struct GroupAt {
    PortGroup group;
    std::size_t line = 0;  // of its first row
  };
  std::map<GroupNumber, GroupAt> groups_;
  std::array<Known, 1024> known_{};
  FarTails tails_;
  std::string plain_;           // of a line with control characters
  std::size_t row_length_ = 0;  // of the row last parsed, without its line end
};

}  // namespace

FarPartEnd read_far_part(Input& input, FarFile& file) { return PartReader(input, file).run(); }

}  // namespace fatwood
