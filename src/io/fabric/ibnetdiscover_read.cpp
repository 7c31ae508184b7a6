// SPDX-License-Identifier: BSD-3-Clause
// Reads the text that ibnetdiscover.hpp describes. One pass over the lines collects records into a
// RawFabric; links to nodes that come later are resolved at the end. Cost: linear.

#include <optional>
#include <string>
#include <utility>

#include "core/text/parse_number.hpp"
#include "io/base/cursor.hpp"
#include "io/base/records.hpp"
#include "io/fabric/ibnetdiscover.hpp"
#include "io/fabric/node_guids.hpp"
#include "io/fabric/node_words.hpp"
#include "io/fabric/raw_fabric.hpp"
#include "routing/tables/lids.hpp"

namespace fatwood {

namespace {

constexpr std::uint64_t kPermissiveLid = 0xffff;  // of a port that no manager has seen yet

constexpr std::string_view kLostTabs = "white space between the parts of a line is lost";
constexpr std::string_view kLostZeros = "a GUID in a name has lost its leading zeros";
constexpr std::string_view kAround = "text around the fabric, skipped";
constexpr std::string_view kRecords =
    "a record: vendid=, devid=, sysimgguid=, switchguid=, caguid=, rtguid=, Switch, Ca, Hca, Rt or "
    "[port]";

class DiscoverReader {
 public:
  explicit DiscoverReader(Input& input) : input_(input), raw_(input.name()) {}

  LoadedFabric run() {
    while (const auto text = input_.next_line(raw_.warnings)) {
      Cursor line(*text, input_.name(), input_.line_number());
      line_ = input_.line_number();
      line.skip_space();
      read_line(line);
    }
    strays_.skip(raw_.warnings, kAround);
    frame_.require_closed(input_);
    if (in_header_) {
      throw InputError({input_.name(), line_ + 1, 1},
                       "expected a line Switch, Ca or Rt after the GUIDs, found the file's end");
    }
    const bool ibsim = !discovered_;
    return assemble(std::move(raw_), ibsim ? "ibsim" : "ibnetdiscover");
  }

 private:
  void read_line(Cursor& line) {
    if (line.at_end()) return;
    switch (line.peek()) {
      case '#':
        return note_comment(line.rest());
      case '[':
        require_no_stray();
        return read_port(line);
      case '@':
        line.fail("ibsim's aliases are not read; expected [port] or a new record");
      default:
        break;
    }
    for (const auto& [keyword, kind] : kNodeKeywords) {
      if (!line.rest().starts_with(keyword)) continue;
      if (!starts_node(line.rest().substr(keyword.size()))) continue;
      require_no_stray();
      line.accept(keyword);
      return read_node(line, kind);
    }
    if (line.rest().starts_with("Chassis ") || line.rest().starts_with("Non-Chassis Nodes") ||
        line.rest().starts_with("Hostname:")) {
      return;
    }
    read_assignment(line);
  }

  void note_comment(std::string_view comment) {
    frame_.see(comment);
    if (comment.starts_with("# Topology file:") || comment.find("by IBDIAG") != comment.npos) {
      discovered_ = true;
    }
  }

  // A number follows the word Switch or Ca in a record, but not in a sentence. Anything is taken
  // for one in a line with a name in quotes.
  static bool starts_node(std::string_view rest) {
    const std::size_t at = rest.find_first_not_of(" \t");
    return at != std::string_view::npos &&
           ((rest[at] >= '0' && rest[at] <= '9') || rest[at] == ':' ||
            rest.find('"') != std::string_view::npos);
  }

  // The first record makes what stands before it right.
  void require_no_stray() {
    if (!any_record_) strays_.skip(raw_.warnings, kAround);
    strays_.refuse();
    any_record_ = true;
  }

  void read_assignment(Cursor& line) {
    if (line.accept("vendid=")) {
      hardware_.vendor = static_cast<std::uint32_t>(line.number("a vendor id", 0xffffffff));
    } else if (line.accept("devid=")) {
      hardware_.device = static_cast<std::uint32_t>(line.number("a device id", 0xffffffff));
    } else if (line.accept("sysimgguid=")) {
      hardware_.system_guid = line.number("a GUID");
    } else if (line.accept("switchguid")) {
      guids_.read(line, NodeKind::kSwitch);
    } else if (line.accept("caguid") || line.accept("hcaguids") || line.accept("hcaguid")) {
      guids_.read(line, NodeKind::kAdapter);
    } else if (line.accept("rtguid") || line.accept("routerguid")) {
      guids_.read(line, NodeKind::kRouter);
    } else if (line.accept("width=")) {
      default_rate_.width = width_of_mask(line.number("a width from 1 to 15", 15));
      return end_of(line);
    } else if (line.accept("speed=")) {
      default_rate_.speed = speed_of_mask(line.number("a speed from 1 to 7", 7));
      return end_of(line);
    } else if (line.rest().starts_with("include") || line.rest().starts_with("module") ||
               line.rest().starts_with("do ")) {
      line.fail("ibsim's include, module and do are not read; expected one whole net file");
    } else {
      return strays_.add(input_, line, kRecords);
    }
    require_no_stray();
    in_header_ = true;
    node_.reset();
    end_of(line);
  }

  static void end_of(Cursor& line) {
    line.skip_space();
    if (!line.at_end() && line.peek() != '#') line.expected("the end of the line or a comment");
  }

  void note_space(Cursor& line) {
    if (!line.skip_space()) raw_.warnings.count(kLostTabs, line_);
  }

  std::uint32_t read_id(Cursor& line) {
    const std::size_t column = line.column();
    const std::string_view id = line.quoted("a node's name in quotes");
    if (id.empty()) line.fail_at(column + 1, "expected a node's name between the quotes");
    // Ibnetdiscover's names have 18 letters; shorter ones of that form have lost zeros.
    if (id.size() < 18 && guid_in_id(id) != 0) {
      raw_.warnings.count(kLostZeros, line_);
      return raw_.intern(with_leading_zeros(id), line_, column);
    }
    return raw_.intern(id, line_, column);
  }

  void read_node(Cursor& line, NodeKind kind) {
    note_space(line);
    const std::size_t ports_column = line.column();
    if (!line.at_end() && line.peek() == ':') {
      line.fail_at(ports_column,
                   "this is a list of nodes without cables (ibnetdiscover -l, -H, -S or -R); "
                   "expected what ibnetdiscover prints without these options, or with -p");
    }
    const auto ports = static_cast<std::uint32_t>(line.decimal("the number of ports", 0xffffffff));
    if (ports > kMaxPorts) {
      line.fail_at(ports_column, std::to_string(ports) + " ports are too many; expected " +
                                     std::to_string(kMaxPorts) + " at most");
    }
    note_space(line);
    const std::size_t id_column = line.column();
    const std::uint32_t n = read_id(line);
    RawNode seen = raw_.nodes[n];
    seen.kind = kind;
    seen.ports = ports;
    seen.hardware = hardware_;
    guids_.take(seen, line);
    read_node_comment(line, seen);
    if (raw_.nodes[n].declared) {
      check_same(raw_.nodes[n], seen, line, id_column);
    } else {
      seen.line = line_;
      seen.column = id_column;
      raw_.nodes[n] = std::move(seen);
      raw_.declare(n);
    }
    node_ = n;
    in_header_ = false;
    hardware_ = {};
  }

  void check_same(const RawNode& before, const RawNode& now, Cursor& line, std::size_t column) {
    if (before.kind != now.kind || before.ports != now.ports || before.guid != now.guid) {
      line.fail_at(column, "\"" + now.id + "\" has a record on line " +
                               std::to_string(before.line) +
                               " with other ports, kind or GUID; expected another name");
    }
    raw_.warnings.add(line_, "duplicate: the record of \"" + now.id + "\" is on line " +
                                 std::to_string(before.line) + " too");
  }

  Lid read_lid(Cursor& line) {
    const std::size_t column = line.column();
    const std::uint64_t lid = line.number("a LID", 0xffffffff);
    if (lid == kPermissiveLid) return kNoLid;
    if (lid > index(kMaxLid)) {
      line.fail_at(column, "LID " + std::to_string(lid) + " is too large; expected 49151 at most");
    }
    return static_cast<Lid>(lid);
  }

  // # "description" enhanced port 0 lid 1600 lmc 0; all parts optional.
  void read_node_comment(Cursor& line, RawNode& node) {
    line.skip_space();
    if (line.at_end()) return;
    if (!line.accept("#")) line.expected("a comment or the end of the line");
    line.skip_space();
    if (line.peek() == '"') node.description = description(line);
    if (node.kind != NodeKind::kSwitch) return;
    line.skip_space();
    node.address.enhanced = line.accept("enhanced port 0");
    if (!line.accept("base port 0")) line.accept("port 0");
    line.skip_space();
    if (line.accept("lid ")) node.address.lid = read_lid(line);
    line.skip_space();
    if (line.accept("lmc ")) {
      node.address.lmc = static_cast<std::uint8_t>(line.decimal("an LMC", kMaxLmc));
    }
  }

  // From the first quote to the last of the line: a description may hold quotes.
  static std::string_view description(Cursor& line) {
    const std::string_view rest = line.rest();
    const std::size_t last = rest.rfind('"');
    if (last == 0) line.fail("expected '\"' to end a description");
    line.advance(last + 1);
    return rest.substr(1, last - 1);
  }

  static std::uint64_t read_port_guid(Cursor& line) {
    line.skip_space();
    if (!line.accept("(")) return 0;
    const std::uint64_t guid = line.hex("a port GUID");
    line.expect(")");
    return guid;
  }

  // ibdiagnet2 has "(1/2/1)" behind a port's number, and an end node's GUID behind that.
  void read_label(Cursor& line, const RawLink& link, bool adapter) {
    if (line.peek() != '(') return;
    const std::string_view rest = line.rest();
    const std::size_t close = rest.find(')');
    if (close == std::string_view::npos) line.expected("a port's label in parentheses");
    const bool another = rest.substr(close + 1).starts_with('(');
    if (adapter && !another) return;  // the GUID alone
    raw_.labels.push_back({link.node, link.port, std::string(rest.substr(1, close - 1))});
    line.advance(close + 1);
  }

  void skip_external_port(Cursor& line) {
    if (!line.accept("[ext ")) return;
    line.decimal("an external port", 0xffffffff);
    line.expect("]");
  }

  std::uint32_t read_port_number(Cursor& line) {
    line.expect("[");
    const auto port = static_cast<std::uint32_t>(line.decimal("a port number", 0xffffffff));
    line.expect("]");
    skip_external_port(line);
    return port;
  }

  void read_port(Cursor& line) {
    if (!node_) line.fail("a port outside of a record; expected Switch, Ca or Rt first");
    RawLink link;
    link.node = *node_;
    link.line = line_;
    const RawNode& node = raw_.nodes[*node_];
    link.port = read_port_number(line);
    if (link.port < 1 || link.port > node.ports) {
      line.fail_at(2, "\"" + node.id + "\" has no port " + std::to_string(link.port) +
                          "; expected 1 to " + std::to_string(node.ports));
    }
    const bool adapter = node.kind != NodeKind::kSwitch;
    read_label(line, link, adapter);
    link.end.guid = read_port_guid(line);
    line.skip_space();
    if (!spaced(line)) raw_.warnings.count(kLostTabs, line_);
    link.other = read_id(line);
    link.other_port = line.peek() == '[' ? read_port_number(line) : 1;
    link.other_end.guid = read_port_guid(line);
    link.rate = default_rate_;
    read_options(line, link.rate);
    const bool rated = read_port_comment(line, link, adapter);
    link.rated = rated || link.rate != kDefaultRate;
    if (input_.unended() && discovered_ && !rated) {
      line.fail("the file is cut short; expected the link's rate", ErrorKind::kCutShort);
    }
    raw_.links.push_back(link);
  }

  // Whether white space stands before the cursor.
  static bool spaced(const Cursor& line) {
    const char before = *(line.rest().data() - 1);
    return before == ' ' || before == '\t';
  }

  void read_options(Cursor& line, Rate& rate) {
    for (;;) {
      line.skip_space();
      if (line.accept("w=")) {
        rate.width = width_of_mask(line.number("a width from 1 to 15", 15));
      } else if (line.accept("s=")) {
        rate.speed = speed_of_mask(line.number("a speed from 1 to 7", 7));
      } else {
        return;
      }
    }
  }

  // # "description" lid 837 4xHDR   or, of an end node,   # lid 837 lmc 0 "description" lid 1 4xHDR
  // Whether there was a rate.
  bool read_port_comment(Cursor& line, RawLink& link, bool adapter) {
    line.skip_space();
    if (line.at_end()) return false;
    if (!line.accept("#")) line.expected("a comment or the end of the line");
    line.skip_space();
    if (adapter && line.accept("lid ")) {
      link.end.lid = read_lid(line);
      line.skip_space();
      if (line.accept("lmc ")) {
        link.end.lmc = static_cast<std::uint8_t>(line.decimal("an LMC", kMaxLmc));
      }
      line.skip_space();
    }
    if (line.peek() == '"') {
      const std::string_view text = description(line);
      RawNode& other = raw_.nodes[link.other];
      if (!other.declared && other.description.empty()) other.description = text;
      line.skip_space();
    }
    if (line.accept("lid ")) link.other_end.lid = read_lid(line);
    line.skip_space();
    const std::string_view word = line.word();
    if (word.find('x') == std::string_view::npos && word.find('?') == std::string_view::npos) {
      return false;
    }
    if (const auto rate = parse_rate(word)) {
      link.rate = *rate;
    } else {
      link.rate = Rate{};
      raw_.warnings.count(kUnknownRate, line_);
    }
    return true;
  }

  Input& input_;
  RawFabric raw_;
  std::size_t line_ = 0;
  bool discovered_ = false;  // made by ibnetdiscover rather than by hand
  bool in_header_ = false;   // GUIDs seen, the node itself not yet
  bool any_record_ = false;
  StrayLines strays_;
  Frame frame_;
  std::optional<std::uint32_t> node_;
  Hardware hardware_;
  Rate default_rate_ = kDefaultRate;
  NodeGuids guids_;
};

}  // namespace

LoadedFabric read_ibnetdiscover(Input& input) { return DiscoverReader(input).run(); }

}  // namespace fatwood
