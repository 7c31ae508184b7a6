// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lists of nodes that people write by hand or that OpenSM takes as GUID files: the order of
// destinations, terminals that do not count, roots, compute nodes.
//
//   one node a line; blank lines and lines that begin with '#' are skipped
//   line := GUID | name | name "[" port "]"
//   GUID := "0x" hex digits: of a node or of a port
//   name := as node_names.hpp has it; may hold blanks
//
// A line of a list of terminals or hosts may also be a host list as Slurm has it ("luna-0129",
// "luna-[0129-0160]"), which names hosts for all their adapters. A terminal list takes an adapter
// for all its connected ports. A name that several nodes have is refused: give the GUID.

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

// NodeNames that also find end ports, by names of hosts too.
class TerminalNames : public NodeNames {
 public:
  explicit TerminalNames(const Fabric& fabric);

  // InputError at `where` when the text names nothing of the kind, or several.
  std::vector<Terminal> terminals(std::string_view text, const Location& where) const;
  // A switch, or the one that the named terminal is attached to.
  Switch leaf_of(std::string_view text, const Location& where) const;

 private:
  // Of the hosts in a host list; empty if the first is none.
  std::vector<Terminal> of_hosts(std::string_view text, const Location& where) const;

  Once<Hosts> hosts_;
  std::unordered_map<std::uint64_t, Terminal> by_port_guid_;
};

// InputError with file and line when the file cannot be read or a line names no such node.
std::vector<Terminal> read_terminal_list(const Fabric& fabric, const std::string& path);
std::vector<Switch> read_switch_list(const Fabric& fabric, const std::string& path);

}  // namespace fatwood
