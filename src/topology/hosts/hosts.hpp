// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Hosts: which adapters are in one host, and what a scheduler calls it.
//
// Adapters with one host name in their descriptions (device_name.hpp) are one host. An adapter is
// loose, at first a host of its own, if it has no name, a stock name, or a name that has the same
// device twice (two hosts of one name) or more than 32 adapters. Loose adapters of one box (system
// GUID) go together. Where the cabling has rails, a loose adapter is then placed by its port
// (place_loose, in rails.hpp). Parts of switches (aggregation nodes) are no hosts.
//
// Encoding: hosts are numbered by their lowest adapter; adapters of a host are ordered by
// device, then by number. Cost: O(adapters log adapters).

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/fabric.hpp"
#include "topology/hosts/device_name.hpp"

namespace fatwood {

enum class Host : std::uint32_t {};  // all adapters of one host name

enum class NamedBy : std::uint8_t {
  kDescription,  // its adapters say so
  kPosition,     // made up from its unit and port: "unit3-port5"
  kNothing,      // loose: the name is its text if it has some, else the adapter's id
};

struct HostParts {
  std::string name;
  NamedBy named_by = NamedBy::kDescription;
  std::vector<Node> adapters;
};

class Hosts {
 public:
  Hosts() = default;
  // REQUIRES no adapter in two of them.
  Hosts(const Fabric& fabric, std::vector<HostParts> parts);

  std::size_t size() const { return hosts_.size(); }
  std::string_view name(Host m) const { return hosts_[m].name; }
  NamedBy named_by(Host m) const { return hosts_[m].named_by; }
  std::span<const Node> adapters(Host m) const { return hosts_[m].adapters; }
  Host of(Node adapter) const { return of_[adapter]; }  // kNone: a part of a switch
  // Every host with this name, in order of number: none, one or several.
  std::span<const Host> called(std::string_view name) const;
  // Names that several hosts have, each once, sorted.
  std::vector<std::string> shared_names() const;

 private:
  Table<Host, HostParts> hosts_;
  Table<Node, Host> of_;
  std::vector<Host> by_name_;  // sorted by name, then number
};

// By descriptions and boxes alone.
Hosts named_hosts(const Fabric& fabric);

// The connected ports of a host, in the order of its adapters.
std::vector<Terminal> terminals_of(const Fabric& fabric, const Hosts& hosts, Host m);

}  // namespace fatwood
