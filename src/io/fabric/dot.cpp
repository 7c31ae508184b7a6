// SPDX-License-Identifier: BSD-3-Clause
// Graphviz DOT (graph_files.hpp). Cost: O(ports).

#include <fmt/format.h>

#include "io/base/text.hpp"
#include "io/fabric/graph_files.hpp"

namespace fatwood {

namespace {

std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : as_utf8(one_line(text))) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace

void write_dot(std::ostream& out, const Fabric& fabric, const Levels& levels) {
  out << "graph fabric {\n  rankdir=BT;\n  node [shape=ellipse];\n";
  for (Level level = levels.height; level >= 1; --level) {
    out << "  {\n    rank=same; node [shape=box];\n";
    for (const Switch s : ids<Switch>(fabric.num_switches())) {
      if (levels.level[s] != level) continue;
      const Node node = fabric.node(s);
      out << "    " << dot_quoted(fabric.id(node))
          << " [label=" << dot_quoted(display_name(fabric, node)) << "];\n";
    }
    out << "  }\n";
  }
  for (const Node node : ids<Node>(fabric.num_adapters())) {
    out << "  " << dot_quoted(fabric.id(node))
        << " [label=" << dot_quoted(display_name(fabric, node)) << "];\n";
  }
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || fabric.peer(c) < c) continue;
    const Channel far = fabric.peer(c);
    out << fmt::format("  {} -- {} [taillabel={}, headlabel={}, tooltip=\"{}\"];\n",
                       dot_quoted(fabric.id(fabric.owner(c))),
                       dot_quoted(fabric.id(fabric.owner(far))), index(fabric.port(c)),
                       index(fabric.port(far)), to_string(fabric.rate(c)));
  }
  out << "}\n";
}

}  // namespace fatwood
