// SPDX-License-Identifier: BSD-3-Clause
// Reads OpenSM's forwarding tables (lfts.hpp). Files have hundreds of megabytes, so a line of the
// common form is parsed by hand; everything else goes through Cursor, which reports errors.
// Cost: linear in the file; about a gigabyte per second on one core.

#include <algorithm>
#include <optional>
#include <vector>

#include "io/base/cursor.hpp"
#include "io/base/noise.hpp"
#include "io/base/records.hpp"
#include "io/tables/lfts.hpp"
#include "io/tables/lid_disputes.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kPortGuid = "portguid 0x";
constexpr std::string_view kRoutes = "dump_ucast_routes:";
constexpr std::string_view kAroundTables = "text around the tables, skipped";
constexpr std::string_view kCutLine = "the file ends within this line, which is skipped";
constexpr std::string_view kCutShort =
    "the tables of a switch are cut short; what they do not list is unknown";

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

struct LftEntry {
  Lid lid = kNoLid;
  Port port = kOwnPort;
};

// A switch's part of the file.
struct LftSection {
  Switch at = kNone<Switch>;
  std::size_t line = 0;       // of its header
  std::size_t entries = 0;    // read
  Lid last = kNoLid;          // read
  Lid top = kNoLid;           // as the header says
  bool disputed = false;      // some of its GUIDs differ from those of other sections
  bool lists_all = false;     // unreachable LIDs too, as fdbs does
  std::optional<Lid> broken;  // the last before a tool's message
};

class LftsReader {
 public:
  LftsReader(Input& input, LidRows& rows, Warnings& warnings)
      : input_(input),
        warnings_(warnings),
        collector_(input, rows, warnings),
        fabric_(rows.fabric()),
        tables_(rows.tables()) {}

  void run() {
    while (const auto text = input_.next_line()) {
      if (input_.unended() && collector_.sections() > 0) {
        read_last_line(*text);
      } else if (is_entry(*text)) {
        read_entry(*text);
      } else {
        read_line(*text);
      }
    }
    if (collector_.sections() == 0) {
      throw InputError(
          {input_.name(), input_.line_number() + 1, 1},
          "expected 'Unicast lids ... guid 0x...' or 'dump_ucast_routes: Switch 0x...'");
    }
    leave_section();
    check_endless();
    frame_.require_closed(input_);
    strays_.skip(warnings_, kAroundTables);
    if (tables_.format.empty()) tables_.format = "lfts.dump";
    collector_.finish();
    std::move(disputes_).settle(fabric_, tables_, warnings_);
  }

 private:
  // Without a line end: it may be cut anywhere.
  void read_last_line(std::string_view text) {
    bool whole = !is_entry(text) || !three_digits_ || has_whole_port(text);
    try {
      if (whole) read_line(text);
    } catch (const InputError&) {
      whole = false;
    }
    if (whole) return;
    warnings_.count(kCutLine, input_.line_number());
    if (section_) section_->broken = section_->last;
  }

  // "0x0001 003": tools print three digits.
  static bool has_whole_port(std::string_view text) {
    const std::size_t begin = text.find_first_of("0123456789", text.find_first_of(" :"));
    if (begin == std::string_view::npos) return text.ends_with("UNREACHABLE");
    return std::min(text.find_first_not_of("0123456789", begin), text.size()) >= begin + 3;
  }

  void read_line(std::string_view text) {
    const std::size_t number = input_.line_number();
    const auto plain = clean_line(text, number, plain_, warnings_);
    if (!plain) return note_noise(without_controls(text, plain_));
    Cursor line(*plain, input_.name(), number);
    line.skip_space();
    if (line.at_end()) return;
    if (line.peek() == '#') return frame_.see(line.rest());
    if (is_entry(line.rest())) return read_entry(line.rest());
    if (line.accept("Unicast lids")) return read_unicast_header(line);
    if (const std::size_t at = line.rest().find(kRoutes); at != std::string_view::npos) {
      line.advance(at + kRoutes.size());  // ibdiagnet2 has osm_ucast_mgr_ before it
      return read_fdbs_header(line);
    }
    if (line.accept("PLFT_NUM:")) {
      line.skip_space();
      return collector_.start_private(line.decimal("a private table's number", kMaxPrivate));
    }
    if (line.accept("Multicast mlids")) {
      multicast_ = true;
      return;
    }
    if (multicast_) return;
    if (line.rest().starts_with("LID ") || line.rest().starts_with("Lid ") ||
        line.rest().starts_with("Port ")) {
      return;  // ibroute's and fdbs' column titles
    }
    if (read_end(line)) return;
    note_stray(line);
  }

  // A tool ends with its message, or goes on and has missed some entries.
  void note_noise(std::string_view line) {
    if (noise_of(line.substr(std::min(line.find_first_not_of(" \t"), line.size()))) ==
            Noise::kMessage &&
        section_ && !section_->broken) {
      section_->broken = section_->last;
    }
  }

  bool is_entry(std::string_view text) const {
    return text.size() >= 2 && text[0] == '0' && text[1] == 'x' && takes_entries();
  }
  bool takes_entries() const { return collector_.sections() > 0 && !multicast_; }

  // "36 lids dumped", "3 valid lids dumped"
  bool read_end(Cursor line) {
    const bool number = hex_digit(line.peek()) >= 0 && hex_digit(line.peek()) <= 9;
    if (!number || !takes_entries()) return false;
    const std::uint64_t count = line.number("a LID in hexadecimal, or a number of lids dumped");
    line.skip_space();
    const bool valid = line.accept("valid ");
    if (!line.accept("lids dumped")) line.expected("'lids dumped'");
    strays_.refuse();
    any_end_ = true;
    if (!section_) return true;
    if (valid ? section_->entries >= count : !section_->broken) {
      know(*section_, kMaxLid + 1);
    } else {
      cut_short(*section_, section_->broken.value_or(kNoLid));
    }
    section_.reset();
    return true;
  }

  // Of a section: LIDs below this are known, and others that have entries.
  void know(const LftSection& section, Lid below) {
    if (section.at == kNone<Switch>) return;
    Lid& known = tables_.known_below[section.at];
    known = std::max(known, below);
  }
  void cut_short(const LftSection& section, Lid last) {
    know(section, last + 1);
    warnings_.count(kCutShort, section.line);
  }

  // The next section, or the file's end.
  void leave_section() {
    if (!section_) return;
    if (section_->broken) {
      cut_short(*section_, *section_->broken);
    } else {
      endless_.push_back(*section_);
    }
    section_.reset();
  }

  // Sections without "lids dumped": some people leave it out of all.
  void check_endless() {
    for (const LftSection& section : endless_) {
      if (section.lists_all) {
        know(section, section.last + 1);
      } else if (any_end_ || section.last < section.top) {
        cut_short(section, section.last);
      } else {
        know(section, kMaxLid + 1);
      }
    }
  }

  void note_stray(const Cursor& line) {
    constexpr std::string_view kKnown = "'Unicast lids', '0xLID PORT' or 'lids dumped'";
    if (input_.unended()) line.expected(kKnown);
    if (collector_.sections() == 0) return warnings_.count(kAroundTables, input_.line_number());
    strays_.add(input_, line, kKnown);
  }

  void read_unicast_header(Cursor& line) {
    strays_.refuse();
    const std::size_t at = line.rest().find(" guid 0x");
    if (at == std::string_view::npos) {
      line.advance(line.rest().size());
      line.expected("the switch's ' guid 0x...'");
    }
    const Lid top = read_top(line);
    line.advance(at + std::string_view(" guid ").size());
    start_section(line.hex("the switch's GUID"));
    section_->top = top;
  }

  // " [0-36]", " [0x0-0x24]": the highest LID of the range; 0 where there is none.
  static Lid read_top(Cursor line) {
    line.skip_space();
    const std::size_t dash = line.rest().find('-');
    if (line.peek() != '[' || dash == std::string_view::npos) return kNoLid;
    line.advance(dash + 1);
    if (hex_digit(line.peek()) < 0) return kNoLid;
    return static_cast<Lid>(line.number("the highest LID", 0xffff));
  }

  void read_fdbs_header(Cursor& line) {
    strays_.refuse();
    tables_.format = "fdbs";
    line.skip_space();
    line.expect("Switch");
    line.skip_space();
    start_section(line.hex("the switch's GUID"));
    section_->lists_all = true;
  }

  void start_section(std::uint64_t guid) {
    leave_section();
    multicast_ = false;
    collector_.start_switch(guid);
    section_.emplace();
    section_->at = collector_.current();
    section_->line = input_.line_number();
  }

  void read_entry(std::string_view text) {
    strays_.refuse();
    std::uint32_t lid = 0, port = 0;
    std::size_t at = 2;
    for (int d = 0; at < text.size() && at < 7 && (d = hex_digit(text[at])) >= 0; ++at) {
      lid = lid * 16 + static_cast<std::uint32_t>(d);
    }
    const std::size_t lid_end = at;
    while (at < text.size() && (text[at] == ' ' || text[at] == ':')) ++at;
    const std::size_t port_begin = at;
    for (; at < text.size() && at < port_begin + 3 && text[at] >= '0' && text[at] <= '9'; ++at) {
      port = port * 10 + static_cast<std::uint32_t>(text[at] - '0');
    }
    const bool usual = lid_end > 2 && lid_end < port_begin && at > port_begin && lid < kNumLids &&
                       port <= 255 && (at == text.size() || text[at] == ' ' || text[at] == '\t');
    three_digits_ = three_digits_ || at == port_begin + 3;
    LftEntry entry{Lid{lid}, static_cast<Port>(port)};
    if (!usual) {
      if (without_controls(text, plain_).size() != text.size()) return read_line(text);
      entry = read_odd_entry(text);
      at = 0;
    }
    note_format(text, at);
    if (!input_.unended()) note_port_guid(text, entry);
    collector_.store(entry.lid, entry.port);
    if (!section_) return;
    ++section_->entries;
    section_->last = entry.lid;
  }

  // fdbs' "0x0003 : UNREACHABLE"; and whatever is wrong.
  LftEntry read_odd_entry(std::string_view text) const {
    Cursor line(text, input_.name(), input_.line_number());
    LftEntry entry;
    entry.lid = static_cast<Lid>(line.hex("a LID", index(kMaxLid)));
    line.skip_space();
    line.accept(":");
    line.skip_space();
    if (line.accept("UNREACHABLE")) {
      entry.port = kNoRoute;
      return entry;
    }
    const std::size_t column = line.column();
    entry.port = static_cast<Port>(line.decimal("a port number", 255));
    if (!line.at_end() && line.peek() != ' ' && line.peek() != '\t' && line.peek() != ':') {
      line.fail_at(column, "expected a port number");
    }
    return entry;
  }

  void note_format(std::string_view text, std::size_t at) {
    if (!tables_.format.empty()) return;
    tables_.format = text.find(" : (", at) != std::string_view::npos ? "dump_fts" : "lfts.dump";
  }

  void note_port_guid(std::string_view text, const LftEntry& entry) {
    const std::size_t at = text.find(kPortGuid);
    if (at == std::string_view::npos) return;
    Cursor line(text, input_.name(), input_.line_number());
    line.advance(at + kPortGuid.size());
    const std::uint64_t guid = line.hex("a port GUID");
    std::uint64_t& first = tables_.port_guid[entry.lid];
    if (first == 0) first = guid;
    const Switch s = collector_.current();
    if (s == kNone<Switch> || !section_ || !collector_.has_port(entry.port)) return;
    const Port before = collector_.stored(entry.lid);
    const bool again = before != kNoRoute && before != entry.port;
    if (guid == first && !again) return;
    disputes_.add({s, entry.lid, entry.port, guid, before});
    section_->disputed = section_->disputed || guid != first;
    if (section_->disputed) collector_.forget(entry.lid);
  }

  Input& input_;
  Warnings& warnings_;
  LidCollector collector_;
  const Fabric& fabric_;
  LidTables& tables_;
  LidDisputes disputes_;
  Frame frame_;
  std::string plain_;                  // a line without its control characters
  StrayLines strays_;                  // after the first header
  std::optional<LftSection> section_;  // not ended yet
  std::vector<LftSection> endless_;    // that had no end line
  bool any_end_ = false;               // a line "lids dumped"
  bool multicast_ = false;
  bool three_digits_ = false;  // the file has ports as tools print them
};

}  // namespace

bool looks_like_lfts(std::string_view head) {
  return head.find("Unicast lids") != std::string_view::npos ||
         head.find(kRoutes) != std::string_view::npos;
}

void read_lfts(Input& input, LidRows& rows, Warnings& warnings) {
  LftsReader(input, rows, warnings).run();
}

}  // namespace fatwood
