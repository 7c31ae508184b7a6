#include "files.hpp"

#include <cctype>
#include <fstream>
#include <string_view>

namespace check {
namespace {

// One line at a time, and a place in it.
class Lines {
 public:
  explicit Lines(std::string path) : path_(std::move(path)) {
    buffer_.resize(1 << 20);
    file_.rdbuf()->pubsetbuf(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    file_.open(path_, std::ios::binary);
    if (!file_) throw Error(path_ + ": can't be opened");
  }

  bool next() {
    if (!std::getline(file_, line_)) {
      if (file_.bad()) throw Error(path_ + ": can't be read to its end");
      return false;
    }
    ++number_;
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    rest_ = line_;
    return true;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(path_ + ":" + std::to_string(number_) + ": " + what);
  }
  [[noreturn]] void ends_early(const std::string& expected) {
    ++number_;
    fail("the file ends where " + expected + " is expected");
  }

  void skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t')) rest_.remove_prefix(1);
  }
  bool at_end() const { return rest_.empty(); }
  char peek() const { return rest_.empty() ? '\0' : rest_[0]; }
  bool accept(std::string_view text) {
    if (rest_.substr(0, text.size()) != text) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text)) fail("expected \"" + std::string(text) + "\"");
  }
  std::uint64_t number(unsigned base, std::uint64_t limit, const char* what) {
    std::uint64_t value = 0;
    std::size_t used = 0;
    for (; used < rest_.size(); ++used) {
      const unsigned digit = digit_of(rest_[used]);
      if (digit >= base) break;
      if (value > (limit - digit) / base) fail(std::string(what) + " is too large");
      value = value * base + digit;
    }
    if (used == 0) fail(std::string("expected ") + what);
    rest_.remove_prefix(used);
    return value;
  }
  std::uint64_t decimal(std::uint64_t limit, const char* what) { return number(10, limit, what); }
  std::uint64_t guid(const char* what) {
    accept("0x");
    return number(16, std::numeric_limits<std::uint64_t>::max(), what);
  }
  std::string quoted() {
    expect("\"");
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) fail("a quoted name has no end");
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }
  // What stands after the first `mark` of the rest; false when there is none.
  bool seek(std::string_view mark) {
    const std::size_t at = rest_.find(mark);
    if (at == std::string_view::npos) return false;
    rest_.remove_prefix(at + mark.size());
    return true;
  }
  std::size_t line() const { return number_; }

 private:
  static unsigned digit_of(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    return 99;
  }

  std::string path_;
  std::vector<char> buffer_;
  std::ifstream file_;
  std::string line_;
  std::string_view rest_;
  std::size_t number_ = 0;
};

constexpr unsigned kMaxPorts = 254;
constexpr std::uint32_t kMaxLid = 0xbfff;

// Nodes first know their neighbours by id; a cable must be told alike at both ends.
class FabricReader {
 public:
  explicit FabricReader(const std::string& path) : lines_(path) {}

  Fabric read() {
    while (lines_.next()) take_line();
    if (fabric_.nodes.empty()) lines_.fail("no node: expected ibnetdiscover's text");
    resolve();
    return std::move(fabric_);
  }

 private:
  struct End {
    std::string peer;
    unsigned peer_port;
    std::size_t line;
  };

  void take_line() {
    lines_.skip_space();
    if (lines_.at_end() || lines_.peek() == '#') return;
    if (lines_.peek() == '[') return take_port();
    for (const char* word : {"switchguid=", "caguid=", "rtguid="}) {
      if (!lines_.accept(word)) continue;
      guid_ = lines_.guid("a GUID");
      return;
    }
    for (const char* word : {"vendid=", "devid=", "sysimgguid="}) {
      if (lines_.accept(word)) return;
    }
    for (const char* word : {"Switch", "Ca", "Hca", "Rt"}) {
      if (!lines_.accept(word)) continue;
      return take_node(std::string_view(word) == "Switch");
    }
    lines_.fail("expected a node, a port or an attribute of ibnetdiscover's text");
  }

  void take_node(bool is_switch) {
    lines_.skip_space();
    const auto ports = static_cast<unsigned>(lines_.decimal(kMaxPorts, "a number of ports"));
    lines_.skip_space();
    const std::string id = lines_.quoted();
    Node node;
    node.is_switch = is_switch;
    node.guid = guid_ != 0 ? guid_ : guid_in(id);
    node.id = id;
    node.name = id;
    node.ports.resize(ports + 1);
    guid_ = 0;
    const auto number = static_cast<std::uint32_t>(fabric_.nodes.size());
    if (!by_id_.emplace(id, number).second) lines_.fail("there is a node of this id already");
    if (!fabric_.by_guid.emplace(node.guid, number).second) {
      lines_.fail("another node has this GUID");
    }
    if (lines_.seek("# ") && lines_.peek() == '"') node.name = lines_.quoted();
    if (node.name.empty()) node.name = id;
    if (is_switch) {
      node.number = static_cast<std::uint32_t>(fabric_.switches.size());
      fabric_.switches.push_back(number);
      fabric_.by_port_guid[node.guid] = {number, 0};
      if (lines_.seek(" lid ")) take_lid({number, 0});
    }
    fabric_.nodes.push_back(std::move(node));
    ends_.emplace_back(ports + 1);
  }

  std::uint64_t guid_in(const std::string& id) {
    std::uint64_t value = 0;
    const std::size_t dash = id.find('-');
    if (dash == std::string::npos || id.size() - dash - 1 != 16) {
      lines_.fail("a node without a GUID: expected switchguid= or caguid= before it");
    }
    for (const char c : id.substr(dash + 1)) {
      if (std::isxdigit(static_cast<unsigned char>(c)) == 0) lines_.fail("expected a GUID");
      value = value * 16 + static_cast<unsigned>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return value;
  }

  void take_lid(Owner owner) {
    const auto lid = static_cast<std::uint32_t>(lines_.decimal(kMaxLid, "a LID"));
    if (lid == 0) return;
    const auto lmc =
        lines_.accept(" lmc ") ? static_cast<unsigned>(lines_.decimal(7, "an LMC")) : 0U;
    for (std::uint32_t i = 0; i < (1U << lmc); ++i) {
      if (!fabric_.by_lid.emplace(lid + i, owner).second) lines_.fail("this LID is taken already");
    }
  }

  void take_port() {
    if (fabric_.nodes.empty()) lines_.fail("a port before any node");
    const auto number = static_cast<std::uint32_t>(fabric_.nodes.size() - 1);
    const bool is_switch = fabric_.nodes.back().is_switch;
    lines_.expect("[");
    const auto port = static_cast<unsigned>(lines_.decimal(kMaxPorts, "a port"));
    lines_.expect("]");
    if (port == 0 || port >= ends_.back().size()) lines_.fail("the node has no such port");
    if (lines_.accept("(")) {
      const std::uint64_t guid = lines_.guid("a port GUID");
      lines_.expect(")");
      if (!is_switch && !fabric_.by_port_guid.emplace(guid, Owner{number, port}).second) {
        lines_.fail("another port has this GUID");
      }
    }
    lines_.skip_space();
    End& end = ends_.back()[port];
    if (!end.peer.empty()) lines_.fail("this port has a cable already");
    end.peer = lines_.quoted();
    lines_.expect("[");
    end.peer_port = static_cast<unsigned>(lines_.decimal(kMaxPorts, "a port"));
    lines_.expect("]");
    end.line = lines_.line();
    if (is_switch || !lines_.seek("#")) return;
    lines_.skip_space();
    if (lines_.accept("lid ")) take_lid({number, port});
  }

  void resolve() {
    for (std::uint32_t n = 0; n < ends_.size(); ++n) {
      for (unsigned port = 1; port < ends_[n].size(); ++port) {
        const End& end = ends_[n][port];
        if (end.peer.empty()) continue;
        const auto peer = by_id_.find(end.peer);
        const std::string where = " (line " + std::to_string(end.line) + ")";
        if (peer == by_id_.end()) lines_.fail("a cable leads to no node" + where);
        const std::vector<End>& there = ends_[peer->second];
        if (end.peer_port >= there.size() || there[end.peer_port].peer != fabric_.nodes[n].id ||
            there[end.peer_port].peer_port != port) {
          lines_.fail("the other end of a cable tells it differently" + where);
        }
        fabric_.nodes[n].ports[port] = {peer->second, end.peer_port, fabric_.channels++};
      }
    }
  }

  Lines lines_;
  Fabric fabric_;
  std::uint64_t guid_ = 0;
  std::unordered_map<std::string, std::uint32_t> by_id_;
  std::vector<std::vector<End>> ends_;
};

class TablesReader {
 public:
  TablesReader(const std::string& path, const Fabric& fabric) : lines_(path), fabric_(fabric) {
    tables_.row.resize(kMaxLid + 1);
    tables_.owner.resize(kMaxLid + 1);
    seen_.resize(fabric.switches.size());
  }

  Tables read() {
    while (lines_.next()) {
      lines_.skip_space();
      if (lines_.at_end() || lines_.peek() == '#') continue;
      if (lines_.accept("Unicast lids ")) {
        take_head();
      } else if (lines_.accept("0x")) {
        take_entry();
      } else if (lines_.accept("Lid ") || lines_.accept("Port ") || lines_.accept("Info ")) {
        continue;  // column heads of ibroute
      } else {
        lines_.decimal(kMaxLid + 1, "an entry, or the head of a switch's table");
        if (!lines_.accept(" lids dumped") && !lines_.accept(" valid lids dumped")) {
          lines_.fail("expected an entry, or the head of a switch's table");
        }
        switch_ = kNobody;
      }
    }
    for (std::size_t s = 0; s < seen_.size(); ++s) {
      if (!seen_[s]) lines_.fail("no table for switch " + fabric_.nodes[fabric_.switches[s]].name);
    }
    for (std::uint32_t lid = 0; lid <= kMaxLid; ++lid) {
      if (tables_.row[lid].empty() || tables_.owner[lid].node != kNobody) continue;
      const auto owner = fabric_.by_lid.find(lid);
      if (owner != fabric_.by_lid.end()) tables_.owner[lid] = owner->second;
    }
    return std::move(tables_);
  }

 private:
  void take_head() {
    if (!lines_.seek(" guid ")) lines_.fail("expected the GUID of the switch");
    const auto node = fabric_.by_guid.find(lines_.guid("a GUID"));
    if (node == fabric_.by_guid.end() || !fabric_.nodes[node->second].is_switch) {
      lines_.fail("the fabric has no switch with this GUID: tables of another fabric?");
    }
    switch_ = fabric_.nodes[node->second].number;
    if (seen_[switch_]) lines_.fail("this switch has a table already");
    seen_[switch_] = true;
  }

  void take_entry() {
    if (switch_ == kNobody) lines_.fail("an entry of no switch");
    const auto lid = static_cast<std::uint32_t>(lines_.number(16, kMaxLid, "a LID"));
    lines_.skip_space();
    const auto port = static_cast<std::uint8_t>(lines_.decimal(255, "a port"));
    std::vector<std::uint8_t>& row = tables_.row[lid];
    if (row.empty()) row.resize(fabric_.switches.size(), kNoEntry);
    if (row[switch_] != kNoEntry) lines_.fail("this LID has an entry already");
    row[switch_] = port;
    if (!lines_.seek("portguid ")) return;
    const auto owner = fabric_.by_port_guid.find(lines_.guid("a port GUID"));
    if (owner == fabric_.by_port_guid.end()) return;
    Owner& known = tables_.owner[lid];
    if (known.node != kNobody &&
        (known.node != owner->second.node || known.port != owner->second.port)) {
      lines_.fail("this LID belongs to another port in an earlier line");
    }
    known = owner->second;
  }

  Lines lines_;
  const Fabric& fabric_;
  Tables tables_;
  std::vector<bool> seen_;
  std::uint32_t switch_ = kNobody;
};

// "fatwood certificate 1", and the rest as the manual has it.
class CertificateReader {
 public:
  CertificateReader(const std::string& path, const Fabric& fabric)
      : lines_(path), fabric_(fabric) {}

  Certificate read() {
    next("\"fatwood certificate 1\"");
    lines_.expect("fatwood certificate 1");
    end_of_line();
    certificate_.fabric = fingerprint("fabric ");
    certificate_.tables = fingerprint("tables ");
    next("\"sources\"");
    if (lines_.accept("lane-map 0x")) {
      certificate_.changing = true;
      certificate_.lane_map = lines_.guid("a fingerprint");
      end_of_line();
      next("\"sources\"");
    }
    lines_.expect("sources ");
    certificate_.terminals_only = lines_.accept("terminals");
    if (!certificate_.terminals_only) lines_.expect("all");
    end_of_line();
    next("\"lanes\"");
    lines_.expect("lanes ");
    const auto lanes = static_cast<unsigned>(lines_.decimal(256, "a number of lanes"));
    if (lanes == 0) lines_.fail("expected one lane or more");
    end_of_line();
    certificate_.place.assign(lanes, std::vector<Place>(fabric_.channels));
    if (certificate_.changing) {
      next("\"order\"");
      lines_.expect("order ");
      read_order(0);
    } else {
      for (unsigned lane = 0; lane < lanes; ++lane) {
        next("\"lane\"");
        lines_.expect("lane " + std::to_string(lane) + " ");
        read_order(lane);
      }
    }
    next("\"end\"");
    lines_.expect("end");
    end_of_line();
    if (lines_.next()) lines_.fail("nothing is expected after \"end\"");
    return std::move(certificate_);
  }

 private:
  void next(const std::string& expected) {
    if (!lines_.next()) lines_.ends_early(expected);
  }
  void end_of_line() {
    if (!lines_.at_end()) lines_.fail("expected the end of the line");
  }
  std::uint64_t fingerprint(const std::string& head) {
    next("\"" + head + "\"");
    lines_.expect(head + "0x");
    const std::uint64_t value = lines_.guid("a fingerprint");
    end_of_line();
    return value;
  }

  void read_order(unsigned lane) {
    const std::uint64_t count = lines_.decimal(kNobody - 1, "a number of channels");
    end_of_line();
    for (std::uint32_t i = 0; i < count; ++i) {
      next("a channel: node GUID and port");
      lines_.expect("0x");
      const auto node = fabric_.by_guid.find(lines_.guid("a GUID"));
      if (node == fabric_.by_guid.end()) lines_.fail("the fabric has no node with this GUID");
      lines_.expect(" ");
      const std::vector<Port>& ports = fabric_.nodes[node->second].ports;
      const std::uint64_t port = lines_.decimal(kMaxPorts, "a port");
      if (port == 0 || port >= ports.size()) lines_.fail("the node has no such port");
      if (ports[port].channel == kNobody) lines_.fail("no cable leaves this port");
      if (certificate_.changing) {
        lines_.expect(" ");
        lane = static_cast<unsigned>(lines_.decimal(255, "a lane"));
        if (lane >= certificate_.place.size()) lines_.fail("there is no such lane");
      }
      end_of_line();
      Place& place = certificate_.place[lane][ports[port].channel];
      if (place.at != kNobody) lines_.fail("this channel has a place already");
      place = {i, static_cast<std::uint32_t>(lines_.line())};
    }
  }

  Lines lines_;
  const Fabric& fabric_;
  Certificate certificate_;
};

}  // namespace

Fabric read_fabric(const std::string& path) { return FabricReader(path).read(); }

Tables read_tables(const std::string& path, const Fabric& fabric) {
  return TablesReader(path, fabric).read();
}

Certificate read_certificate(const std::string& path, const Fabric& fabric) {
  return CertificateReader(path, fabric).read();
}

Levels read_levels(const std::string& path, const Fabric& fabric) {
  Lines lines(path);
  Levels levels;
  levels.given = true;
  levels.of.resize(kMaxLid + 1);
  while (lines.next()) {
    lines.skip_space();
    if (lines.at_end() || lines.peek() == '#') continue;
    lines.expect("0x");
    const auto node = fabric.by_guid.find(lines.guid("a node's GUID"));
    if (node == fabric.by_guid.end()) lines.fail("the fabric has no node with this GUID");
    lines.skip_space();
    const std::uint64_t lid = lines.decimal(kMaxLid, "a LID");
    lines.skip_space();
    const auto level = static_cast<std::uint8_t>(lines.decimal(kLevels - 1, "a service level"));
    std::vector<std::uint8_t>& row = levels.of[lid];
    if (row.empty()) row.resize(fabric.nodes.size(), 0);
    row[node->second] = level;
  }
  return levels;
}

LaneOfLevel same_number() {
  LaneOfLevel lanes{};
  for (unsigned level = 0; level < kLevels; ++level)
    lanes[level] = static_cast<std::uint8_t>(level);
  return lanes;
}

LaneMap read_lane_map(const std::string& path, const Fabric& fabric) {
  Lines lines(path);
  LaneMap map;
  map.rows.resize(fabric.switches.size());
  std::uint32_t at = kNobody;
  bool first = true;
  bool in_block = false;
  while (lines.next()) {
    lines.skip_space();
    if (lines.at_end() || lines.peek() == '#') continue;
    if (lines.accept("Switch ")) {
      const auto node = fabric.by_guid.find(lines.guid("a switch's GUID"));
      if (node == fabric.by_guid.end() || !fabric.nodes[node->second].is_switch) {
        lines.fail("the fabric has no switch with this GUID");
      }
      at = node->second;
      in_block = true;
      continue;
    }
    if (lines.accept("Channel Adapter ") || lines.accept("Router ")) {
      at = kNobody;
      in_block = true;
      continue;
    }
    if (!in_block) lines.fail("expected \"Switch\" and a GUID");
    if (at == kNobody) continue;
    const std::vector<Port>& ports = fabric.nodes[at].ports;
    const auto in = static_cast<std::uint32_t>(lines.decimal(kMaxPorts, "a port"));
    lines.skip_space();
    const auto out = static_cast<std::uint32_t>(lines.decimal(kMaxPorts, "a port"));
    if (in >= ports.size() || out >= ports.size()) lines.fail("the switch has no such port");
    lines.skip_space();
    lines.expect(":");
    LaneOfLevel lanes{};
    for (std::uint8_t& lane : lanes) {
      lines.skip_space();
      lane = static_cast<std::uint8_t>(lines.decimal(15, "a lane"));
    }
    // Only what leads from switch to switch is waited for.
    const std::uint32_t peer = ports[out].peer;
    if (in == out || peer == kNobody || !fabric.nodes[peer].is_switch) continue;
    if (in != 0 && ports[in].peer == kNobody) continue;
    map.rows[fabric.nodes[at].number][in * 256 + out] = lanes;
    if (!first && lanes != map.everywhere) map.differs = true;
    if (first) map.everywhere = lanes;
    first = false;
  }
  if (!in_block) lines.fail("no lanes: expected a block \"Switch\" for each switch");
  return map;
}

}  // namespace check
