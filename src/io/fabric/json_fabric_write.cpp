// SPDX-License-Identifier: BSD-3-Clause
// Writes the JSON of json_fabric.hpp, a node or a link a line. Cost: O(ports).

#include <fmt/format.h>

#include <string>

#include "io/base/text.hpp"
#include "io/fabric/json_fabric.hpp"

namespace fatwood {

namespace {

std::string address_text(Port port, const Address& address) {
  return fmt::format("[{}, \"0x{:016x}\", {}, {}]", index(port), address.guid, index(address.lid),
                     address.lmc);
}

std::string node_text(const Fabric& fabric, Node node) {
  std::string text =
      fmt::format("{{\"id\": {}, \"kind\": \"{}\", \"ports\": {}, \"guid\": \"0x{:016x}\"",
                  json_quoted(fabric.id(node)), kind_name(fabric.kind(node)), fabric.ports(node),
                  fabric.guid(node));
  if (!fabric.description(node).empty()) {
    text += ", \"description\": " + json_quoted(fabric.description(node));
  }
  if (const Hardware& hardware = fabric.hardware(node); hardware != Hardware{}) {
    text += fmt::format(", \"vendor\": {}, \"device\": {}, \"system_guid\": \"0x{:016x}\"",
                        hardware.vendor, hardware.device, hardware.system_guid);
  }
  std::string addresses;
  if (fabric.is_switch(node)) {
    const Address& address = fabric.address(fabric.as_switch(node));
    if (address.enhanced) text += ", \"enhanced\": true";
    addresses = address_text(kOwnPort, address);
  }
  for (const Channel c : fabric.channels(node)) {
    const Terminal t = fabric.terminal_at(c);
    if (t == kNone<Terminal>) continue;
    addresses += (addresses.empty() ? "" : ", ") + address_text(fabric.port(c), fabric.address(t));
  }
  return text + ", \"addresses\": [" + addresses + "]}";
}

}  // namespace

void write_json_fabric(std::ostream& out, const Fabric& fabric) {
  out << "{\"format\": \"fatwood-fabric\", \"version\": 1,\n\"nodes\": [";
  const char* comma = "\n";
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    out << comma << node_text(fabric, node);
    comma = ",\n";
  }
  out << "],\n\"links\": [";
  comma = "\n";
  Table<Node, std::string> quoted;  // a node is named once for each of its ports
  for (const Node node : ids<Node>(fabric.num_nodes())) {
    quoted.push_back(json_quoted(fabric.id(node)));
  }
  for (const Channel c : ids<Channel>(fabric.num_channels())) {
    if (!fabric.connected(c) || fabric.peer(c) < c) continue;
    const Channel far = fabric.peer(c);
    out << comma
        << fmt::format("[{}, {}, {}, {}, \"{}\"]", quoted[fabric.owner(c)], index(fabric.port(c)),
                       quoted[fabric.owner(far)], index(fabric.port(far)),
                       to_string(fabric.rate(c)));
    comma = ",\n";
  }
  out << "]}\n";
}

}  // namespace fatwood
