// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cctype>

#include "files.hpp"
#include "lines.hpp"

namespace check {
namespace {

constexpr std::uint64_t kAggregationDevice = 0xcf09;

// Nodes first know their neighbours by id. Both ends must describe a cable in the same way.
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
    std::uint32_t megabits;
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
    if (lines_.accept("devid=")) {
      aggregates_ = lines_.guid("a device") == kAggregationDevice;
      return;
    }
    for (const char* word : {"vendid=", "sysimgguid="}) {
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
    node.aggregates = aggregates_ || node.name.find("Aggregation Node") != std::string::npos;
    aggregates_ = false;
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
    if (owner.port != 0) fabric_.lmc = std::max(fabric_.lmc, lmc);
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
    end.megabits = lines_.last_rate();
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
          lines_.fail("the other end of a cable says otherwise" + where);
        }
        fabric_.nodes[n].ports[port] = {peer->second, end.peer_port, fabric_.channels++,
                                        end.megabits};
      }
    }
  }

  Lines lines_;
  Fabric fabric_;
  std::uint64_t guid_ = 0;
  bool aggregates_ = false;
  std::unordered_map<std::string, std::uint32_t> by_id_;
  std::vector<std::vector<End>> ends_;
};

}  // namespace

Fabric read_fabric(const std::string& path) { return FabricReader(path).read(); }

}  // namespace check
