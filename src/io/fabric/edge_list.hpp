// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric as a plain list of edges, the form of papers and graph tools: "edges:links.txt".
//
//   a b            a cable; ports are numbered in the order of the lines
//   a 3 b 17       the same with its ports; every line has them, or none
//   a b 4xHDR      a rate may end a line; so may {...}, as networkx writes it, which is skipped
//
// Words are separated by blanks, tabs or commas; # starts a comment. The same two nodes again are a
// parallel cable. Nodes with one cable are hosts, unless a second file has the hosts:
// "edges:links.txt,hosts.txt", where * is every switch:
//
//   a 16           16 hosts, called a-h0 to a-h15
//   a = n[1-16]    hosts with these names
//   * 4
//
// A host that is named on several lines has a port for each. Ports of hosts come after the cables.

#include <string>
#include <string_view>

#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"

namespace fatwood {

// Whether the word is "edges:FILE" or "edges:FILE,HOSTS". A file with this name is "./edges:...".
bool is_edge_list(std::string_view word);

// REQUIRES is_edge_list(word). InputError with file, line and column.
LoadedFabric load_edge_list(std::string_view word);

// `hosts`: nullptr if nodes with one cable are hosts.
LoadedFabric read_edge_list(Input& edges, Input* hosts);

}  // namespace fatwood
