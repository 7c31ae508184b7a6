// SPDX-License-Identifier: BSD-3-Clause
#include "files.hpp"
#include "lines.hpp"

namespace check {
namespace {

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
    if (!lines_.at_end() && lines_.peek() != ' ' && lines_.peek() != '\t' && lines_.peek() != '#') {
      lines_.fail("expected a port, a decimal number");
    }
    if (lid == 0 && port != 255) lines_.fail("no port has LID 0");
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

}  // namespace

Tables read_tables(const std::string& path, const Fabric& fabric) {
  return TablesReader(path, fabric).read();
}

std::vector<std::vector<Owner>> hosts_on_switches(const Fabric& fabric) {
  std::vector<std::vector<Owner>> hosts(fabric.switches.size());
  for (std::uint32_t n = 0; n < fabric.nodes.size(); ++n) {
    const Node& node = fabric.nodes[n];
    for (unsigned port = 1; port < node.ports.size() && !node.is_switch; ++port) {
      const std::uint32_t peer = node.ports[port].peer;
      if (peer == kNobody || !fabric.nodes[peer].is_switch) continue;
      hosts[fabric.nodes[peer].number].push_back({n, port});
    }
  }
  return hosts;
}

namespace {

void find_levels_of_switches(const Fabric& fabric, Levels& levels) {
  const std::vector<std::vector<Owner>> hosts = hosts_on_switches(fabric);
  levels.on_switch.resize(levels.of.size());
  for (std::size_t lid = 0; lid < levels.of.size(); ++lid) {
    const std::vector<std::uint8_t>& row = levels.of[lid];
    if (row.empty()) continue;
    for (std::uint32_t s = 0; s < fabric.switches.size(); ++s) {
      std::uint8_t level = row[fabric.switches[s]];
      for (std::size_t i = 0; i < hosts[s].size() && level == Levels::kNotGiven; ++i) {
        level = row[hosts[s][i].node];
      }
      levels.on_switch[lid].push_back(level == Levels::kNotGiven ? 0 : level);
    }
  }
}

}  // namespace

Levels read_levels(const std::string& path, const Fabric& fabric) {
  Lines lines(path);
  Levels levels;
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
    if (row.empty()) row.resize(fabric.nodes.size(), Levels::kNotGiven);
    row[node->second] = level;
  }
  find_levels_of_switches(fabric, levels);
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
    // Only channels between switches can be in a cycle.
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
