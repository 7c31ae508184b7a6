// SPDX-License-Identifier: BSD-3-Clause
#include "io/fabric/graph_files.hpp"

#include <fmt/format.h>

#include "io/base/text.hpp"

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

std::string xml(std::string_view text) {
  std::string out;
  for (const char c : as_utf8(one_line(text))) {
    out += c == '&'   ? "&amp;"
           : c == '<' ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  }
  return out;
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
          << " [label=" << dot_quoted(unique_name(fabric, node)) << "];\n";
    }
    out << "  }\n";
  }
  for (const Node node : ids<Node>(fabric.num_adapters())) {
    out << "  " << dot_quoted(fabric.id(node))
        << " [label=" << dot_quoted(unique_name(fabric, node)) << "];\n";
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

void write_graphml(std::ostream& out, const Fabric& fabric) {
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
         "  <key id=\"kind\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>\n"
         "  <key id=\"description\" for=\"node\" attr.name=\"description\" attr.type=\"string\"/>\n"
         "  <key id=\"guid\" for=\"node\" attr.name=\"guid\" attr.type=\"string\"/>\n"
         "  <key id=\"ports\" for=\"node\" attr.name=\"ports\" attr.type=\"int\"/>\n"
         "  <key id=\"source_port\" for=\"edge\" attr.name=\"source_port\" attr.type=\"int\"/>\n"
         "  <key id=\"target_port\" for=\"edge\" attr.name=\"target_port\" attr.type=\"int\"/>\n"
         "  <key id=\"rate\" for=\"edge\" attr.name=\"rate\" attr.type=\"string\"/>\n"
         "  <graph id=\"fabric\" edgedefault=\"undirected\">\n";
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    out << fmt::format(
        "    <node id=\"{}\"><data key=\"kind\">{}</data><data key=\"description\">{}</data>"
        "<data key=\"guid\">0x{:016x}</data><data key=\"ports\">{}</data></node>\n",
        xml(fabric.id(node)), kind_name(fabric.kind(node)), xml(fabric.description(node)),
        fabric.guid(node), fabric.ports(node));
  }
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || fabric.peer(c) < c) continue;
    const Channel far = fabric.peer(c);
    out << fmt::format(
        "    <edge source=\"{}\" target=\"{}\"><data key=\"source_port\">{}</data>"
        "<data key=\"target_port\">{}</data><data key=\"rate\">{}</data></edge>\n",
        xml(fabric.id(fabric.owner(c))), xml(fabric.id(fabric.owner(far))), index(fabric.port(c)),
        index(fabric.port(far)), to_string(fabric.rate(c)));
  }
  out << "  </graph>\n</graphml>\n";
}

}  // namespace fatwood
