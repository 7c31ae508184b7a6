// SPDX-License-Identifier: BSD-3-Clause
// Reads adaptive tables in the format of ibdiagnet2.far, as `fatwood route --to far` writes them:
// for each switch its groups of ports, then a row for each LID.

#include <algorithm>
#include <map>

#include "files.hpp"
#include "lines.hpp"

namespace check {
namespace {

class FarReader {
 public:
  FarReader(const std::string& path, const Fabric& fabric) : lines_(path), fabric_(fabric) {
    tables_.row.resize(kMaxLid + 1);
    tables_.list.resize(kMaxLid + 1);
    tables_.owner.resize(kMaxLid + 1);
    tables_.lists.emplace_back();
    seen_.resize(fabric.switches.size());
  }

  Tables read() {
    while (lines_.next()) {
      lines_.skip_space();
      if (lines_.at_end() || lines_.peek() == '#' || lines_.peek() == '-') continue;
      if (lines_.accept("Switch 0x")) {
        take_switch();
      } else if (lines_.accept("Groups Definition:")) {
        part_ = Part::kGroups;
      } else if (lines_.accept("LFT Definition:")) {
        part_ = Part::kRows;
      } else if (lines_.accept("PLFT_NUM:")) {
        lines_.skip_space();
        if (lines_.decimal(255, "the number of a table") != 0) {
          lines_.fail("a second table of the switch: this program takes one");
        }
      } else if (lines_.accept("File version:") || lines_.accept("LID ")) {
        continue;
      } else if (lines_.accept("Group ")) {
        if (!lines_.seek("Sub Group") || !lines_.seek("WHBF") || !lines_.seek("Ports")) {
          lines_.fail("expected the columns Group, Sub Group, WHBF, Ports");
        }
      } else if (part_ == Part::kGroups) {
        take_group();
      } else if (part_ == Part::kRows) {
        take_row();
      } else {
        lines_.fail("expected a switch, its groups or its rows");
      }
    }
    for (std::size_t s = 0; s < seen_.size(); ++s) {
      if (!seen_[s]) lines_.fail("no table for switch " + fabric_.nodes[fabric_.switches[s]].name);
    }
    bool any = false;
    for (std::uint32_t lid = 0; lid <= kMaxLid; ++lid) {
      const auto owner = fabric_.by_lid.find(lid);
      if (tables_.row[lid].empty() || owner == fabric_.by_lid.end()) continue;
      tables_.owner[lid] = owner->second;
      any = true;
    }
    if (!any) lines_.fail("the fabric gives none of these LIDs to a port");
    return std::move(tables_);
  }

 private:
  enum class Part { kNone, kGroups, kRows };

  void take_switch() {
    const auto node = fabric_.by_guid.find(lines_.guid("a GUID"));
    if (node == fabric_.by_guid.end() || !fabric_.nodes[node->second].is_switch) {
      lines_.fail("the fabric has no switch with this GUID: tables of another fabric?");
    }
    switch_ = fabric_.nodes[node->second].number;
    if (seen_[switch_]) lines_.fail("this switch has a table already");
    seen_[switch_] = true;
    groups_.clear();
    part_ = Part::kNone;
  }

  // Group, sub-group, weight, "3,4,": all sub-groups of a group count.
  void take_group() {
    const std::uint64_t group = lines_.decimal(0xffff, "the number of a group");
    lines_.skip_space();
    lines_.decimal(0xffff, "the number of a sub-group");
    lines_.skip_space();
    lines_.decimal(0xffff, "a weight");
    lines_.skip_space();
    std::vector<std::uint8_t>& ports = groups_[group];
    while (!lines_.at_end()) {
      ports.push_back(static_cast<std::uint8_t>(lines_.decimal(kMaxPorts, "a port")));
      lines_.accept(",");
      lines_.skip_space();
    }
  }

  void take_row() {
    if (switch_ == kNobody) lines_.fail("a row of no switch");
    lines_.expect("0x");
    const auto lid = static_cast<std::uint32_t>(lines_.number(16, kMaxLid, "a LID"));
    lines_.skip_space();
    const auto port = static_cast<std::uint8_t>(lines_.decimal(255, "a port"));
    lines_.skip_space();
    const bool is_static = lines_.accept("Static");
    if (!is_static && !lines_.accept("Free") && !lines_.accept("Bounded") &&
        !lines_.accept("HBF")) {
      lines_.fail("expected Static, Free, Bounded or HBF");
    }
    lines_.skip_space();
    const std::uint64_t group = lines_.decimal(0xffff, "the number of a group");
    if (tables_.row[lid].empty()) {
      tables_.row[lid].resize(fabric_.switches.size(), kNoEntry);
      tables_.list[lid].resize(fabric_.switches.size());
    }
    if (tables_.row[lid][switch_] != kNoEntry) lines_.fail("this LID has a row already");
    tables_.row[lid][switch_] = port;
    if (!is_static) tables_.list[lid][switch_] = list_of(port, group);
  }

  // The default port, and the ports of the group that have a cable.
  std::uint32_t list_of(std::uint8_t port, std::uint64_t group) {
    std::vector<std::uint8_t> list;
    if (port != kNoEntry) list.push_back(port);
    const std::vector<Port>& ports = fabric_.nodes[fabric_.switches[switch_]].ports;
    for (const std::uint8_t one : groups_[group]) {
      if (one != 0 && one < ports.size() && ports[one].peer != kNobody) list.push_back(one);
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    const auto next = static_cast<std::uint32_t>(tables_.lists.size());
    const auto [at, fresh] = number_.emplace(std::string(list.begin(), list.end()), next);
    if (fresh) tables_.lists.push_back(list);
    tables_.adaptive = tables_.adaptive || list.size() > 1;
    return at->second;
  }

  Lines lines_;
  const Fabric& fabric_;
  Tables tables_;
  std::vector<bool> seen_;
  std::uint32_t switch_ = kNobody;
  Part part_ = Part::kNone;
  std::map<std::uint64_t, std::vector<std::uint8_t>> groups_;  // of the switch at hand
  std::map<std::string, std::uint32_t> number_;                // of lists, by their bytes
};

}  // namespace

Tables read_far(const std::string& path, const Fabric& fabric) {
  return FarReader(path, fabric).read();
}

bool is_far(const std::string& path) {
  Lines lines(path);
  for (int i = 0; i < 64 && lines.next(); ++i) {
    lines.skip_space();
    if (lines.accept("File version:") || lines.accept("Switch 0x")) return true;
    if (lines.accept("Unicast lids")) return false;
  }
  return false;
}

}  // namespace check
