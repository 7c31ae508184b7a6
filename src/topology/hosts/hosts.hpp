// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds which adapters are in one host, and the name that a scheduler has for it.
//
// Adapters with the same host name in their descriptions (device_name.hpp) are one host. A loose
// adapter is one whose name does not identify a host: no name, a stock name, a name with the same
// device twice (two hosts with one name), or a name with more than 32 adapters. Loose adapters of
// one box (system GUID) form one host; any other is a host of its own. If the cabling has rails,
// place_loose (rails.hpp) then assigns loose adapters to hosts by their leaf port. Parts of
// switches (aggregation nodes) are no hosts.
//
// Encoding: hosts are numbered by their lowest adapter. Adapters of a host are ordered by device,
// then by number. Cost: O(adapters log adapters).

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/fabric.hpp"
#include "topology/hosts/device_name.hpp"

namespace fatwood {

enum class Host : std::uint32_t {};  // all adapters of one host name, or of one box

enum class NamedBy : std::uint8_t {
  kDescription,  // the descriptions of its adapters
  kPosition,     // generated from its unit and port: "unit3-port5"
  kNothing,      // loose: the name is its description, or else the adapter's id
};

struct HostParts {
  std::string name;
  NamedBy named_by = NamedBy::kDescription;
  std::vector<Node> adapters;
};

class Hosts {
 public:
  Hosts() = default;
  // REQUIRES that no adapter is in two of them.
  Hosts(const Fabric& fabric, std::vector<HostParts> parts);

  std::size_t size() const { return hosts_.size(); }
  std::string_view name(Host m) const { return hosts_[m].name; }
  NamedBy named_by(Host m) const { return hosts_[m].named_by; }
  std::span<const Node> adapters(Host m) const { return hosts_[m].adapters; }
  Host of(Node adapter) const { return of_[adapter]; }  // kNone: part of a switch
  // Every host with this name, in order of number: none, one or several.
  std::span<const Host> called(std::string_view name) const;
  // Names of several hosts, each once, sorted.
  std::vector<std::string> shared_names() const;

 private:
  Table<Host, HostParts> hosts_;
  Table<Node, Host> of_;
  std::vector<Host> by_name_;  // sorted by name, then number
};

// The name, with the id of its first adapter if several hosts have it: "node-07 (H-0008f1050)".
std::string unique_name(const Fabric& fabric, const Hosts& hosts, Host m);

// By descriptions and boxes only, without rails.
Hosts named_hosts(const Fabric& fabric);

// The connected ports of a host, in the order of its adapters.
std::vector<Terminal> terminals_of(const Fabric& fabric, const Hosts& hosts, Host m);

}  // namespace fatwood
