// SPDX-License-Identifier: BSD-3-Clause
// Reads OpenSM's forwarding tables (lfts.hpp). Hundreds of megabytes, so a line of the common form
// is taken apart by hand; everything else goes through Cursor, which knows how to complain.
// Cost: linear in the file; about a gigabyte a second on one core.

#include "io/base/cursor.hpp"
#include "io/base/frame.hpp"
#include "io/base/pasted.hpp"
#include "io/base/stray_lines.hpp"
#include "io/tables/lfts.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kPortGuid = "portguid 0x";
constexpr std::string_view kRoutes = "dump_ucast_routes:";
constexpr std::string_view kAroundTables = "text around the tables, skipped";

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

class LftsReader {
 public:
  LftsReader(Input& input, const Fabric& fabric, Warnings& warnings)
      : input_(input),
        rows_(fabric, LidRows::Kinds::kNone),
        warnings_(warnings),
        collector_(input, rows_, warnings),
        tables_(rows_.tables()) {}

  LidTables run() {
    while (const auto text = input_.next_line()) {
      if (is_entry(*text)) {
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
    if (open_ && closed_ > 0) {
      throw InputError({input_.name(), input_.line_number() + 1, 1},
                       "the file is cut short; expected '... lids dumped'");
    }
    frame_.require_closed(input_);
    strays_.skip(warnings_, kAroundTables);
    if (tables_.format.empty()) tables_.format = "lfts.dump";
    collector_.finish();
    return std::move(rows_).finish(input_.name());
  }

 private:
  void read_line(std::string_view text) {
    const std::string_view plain = without_controls(text, plain_);
    if (had_controls(text, plain)) warnings_.count(kControlsSkipped, input_.line_number());
    Cursor line(plain, input_.name(), input_.line_number());
    if (input_.line_number() == 1) line.accept(kByteOrderMark);
    line.skip_space();
    if (line.at_end()) return;
    if (line.peek() == '#') return frame_.see(line.rest());
    if (is_entry(line.rest())) return read_entry(line.rest());
    if (is_prompt(line.rest())) return warnings_.count(kPromptSkipped, input_.line_number());
    if (is_diagnostic(line.rest()))
      return warnings_.count(kDiagnosticSkipped, input_.line_number());
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
    if (ends_section(line)) {
      strays_.refuse();
      open_ = false;
      ++closed_;
      return;
    }
    note_stray(line);
  }

  bool is_entry(std::string_view text) const {
    return text.size() >= 2 && text[0] == '0' && text[1] == 'x' && takes_entries();
  }
  bool takes_entries() const { return collector_.sections() > 0 && !multicast_; }

  // "36 lids dumped", "3 valid lids dumped"
  bool ends_section(Cursor line) const {
    const bool number = hex_digit(line.peek()) >= 0 && hex_digit(line.peek()) <= 9;
    if (!number || !takes_entries()) return false;
    line.number("a LID in hexadecimal, or a number of lids dumped");
    line.skip_space();
    line.accept("valid ");
    if (!line.accept("lids dumped")) line.expected("'lids dumped'");
    return true;
  }

  void note_stray(const Cursor& line) {
    constexpr std::string_view kKnown = "'Unicast lids', '0xLID PORT' or 'lids dumped'";
    if (input_.unended()) line.expected(kKnown);  // cut short
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
    line.advance(at + std::string_view(" guid ").size());
    if (open_ && closed_ > 0) line.fail("expected '... lids dumped' before the next switch");
    open_ = true;
    start_section(line.hex("the switch's GUID"));
  }

  void read_fdbs_header(Cursor& line) {
    strays_.refuse();
    tables_.format = "fdbs";
    line.skip_space();
    line.expect("Switch");
    line.skip_space();
    start_section(line.hex("the switch's GUID"));
  }

  void start_section(std::uint64_t guid) {
    multicast_ = false;
    collector_.start_switch(guid);
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
    LftEntry entry{Lid{lid}, static_cast<Port>(port)};
    if (!usual) {
      const std::string_view plain = without_controls(text, plain_);
      if (had_controls(text, plain)) warnings_.count(kControlsSkipped, input_.line_number());
      if (plain.size() != text.size()) return read_line(plain);
      entry = read_odd_entry(text);
      at = 0;
    }
    note_format(text, at);
    if (tables_.port_guid[entry.lid] == 0) note_port_guid(text, entry.lid);
    collector_.store(entry.lid, entry.port);
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

  void note_port_guid(std::string_view text, Lid lid) {
    const std::size_t at = text.find(kPortGuid);
    if (at == std::string_view::npos) return;
    Cursor line(text, input_.name(), input_.line_number());
    line.advance(at + kPortGuid.size());
    tables_.port_guid[lid] = line.hex("a port GUID");
  }

  Input& input_;
  LidRows rows_;
  Warnings& warnings_;
  LidCollector collector_;
  LidTables& tables_;
  Frame frame_;
  std::string plain_;       // a line without its control characters
  StrayLines strays_;       // after the first header
  std::size_t closed_ = 0;  // sections with an end line
  bool open_ = false;       // in a section of a kind that has an end line
  bool multicast_ = false;
};

}  // namespace

bool looks_like_lfts(std::string_view head) {
  return head.find("Unicast lids") != std::string_view::npos ||
         head.find(kRoutes) != std::string_view::npos;
}

LidTables read_lfts(Input& input, const Fabric& fabric, Warnings& warnings) {
  return LftsReader(input, fabric, warnings).run();
}

}  // namespace fatwood
