// SPDX-License-Identifier: BSD-3-Clause
#include "io/fabric/node_guids.hpp"

#include "core/text/parse_number.hpp"

namespace fatwood {

void NodeGuids::read(Cursor& line, NodeKind kind) {
  Base& base = this->base(kind);
  if (line.accept("+")) {
    base.next = base.absolute + line.number("a GUID");
  } else {
    line.expect("=");
    base.absolute = base.next = line.number("a GUID");
  }
  base.port = 0;
  if (line.accept("(")) {
    base.port = line.hex("a port GUID");
    line.expect(")");
  }
}

void NodeGuids::take(RawNode& node, Cursor& line) {
  Base& base = this->base(node.kind);
  if (base.next == 0) {
    node.guid = guid_in_id(node.id);
    return;
  }
  const bool is_switch = node.kind == NodeKind::kSwitch;
  node.guid = base.next;
  node.address.guid = is_switch ? base.port : 0;
  base.next += is_switch ? 1 : node.ports + 1;
  base.port = 0;
  if (base.next < node.guid) line.fail("GUIDs run past 64 bits");
}

}  // namespace fatwood
