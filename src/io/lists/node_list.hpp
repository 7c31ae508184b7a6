// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lists of nodes, written by hand or as GUID files for OpenSM: the order of destinations, uncounted
// terminals, roots, compute nodes.
//
//   one node per line; blank lines and lines that begin with '#' are skipped
//   line := GUID | name | name "[" port "]"
//   GUID := "0x" hex digits: of a node or of a port
//   name := as in node_names.hpp; may contain blanks
//
// In a list of terminals or hosts, a line may also be a host list as in Slurm ("luna-0129",
// "luna-[0129-0160]"), which stands for all adapters of these hosts. In a terminal list an adapter
// stands for all its connected ports. A name of several nodes is refused: use the GUID.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/error.hpp"
#include "core/once.hpp"
#include "topology/hosts/hosts.hpp"
#include "topology/model.hpp"
#include "topology/node_names.hpp"

namespace fatwood {

// NodeNames that also finds end ports, and accepts names of hosts.
class TerminalNames : public NodeNames {
 public:
  explicit TerminalNames(const Fabric& fabric);

  // InputError at `where` if the text names nothing of this kind, or several.
  std::vector<Terminal> terminals(std::string_view text, const Location& where) const;
  // The named switch, or the switch of the named terminal.
  Switch leaf_of(std::string_view text, const Location& where) const;

 private:
  // The terminals of the hosts in a host list; empty if its first name is not a host.
  std::vector<Terminal> of_hosts(std::string_view text, const Location& where) const;

  Once<Hosts> hosts_;
  std::unordered_map<std::uint64_t, Terminal> by_port_guid_;
};

// InputError with file and line if the file cannot be read or a line names no such node.
std::vector<Terminal> read_terminal_list(const Fabric& fabric, const std::string& path);
std::vector<Switch> read_switch_list(const Fabric& fabric, const std::string& path);

}  // namespace fatwood
