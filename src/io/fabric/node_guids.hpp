// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// GUIDs of nodes in the text of ibnetdiscover and ibsim: "switchguid=0x10" gives the next switch
// its GUID, and ibsim counts on from there for the switches that follow. "switchguid+0x10" counts
// from the last absolute number. Adapters and routers have numbers of their own.

#include <array>

#include "core/text/parse_number.hpp"
#include "io/base/cursor.hpp"
#include "io/fabric/raw_fabric.hpp"

namespace fatwood {

class NodeGuids {
 public:
  // After the word: "=0x10", "+0x10" or "=0x10(11)" with the GUID of the port. InputError.
  void read(Cursor& line, NodeKind kind) {
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

  // Gives a node its GUID: the next number of its kind, or the one in its name if there is none.
  void take(RawNode& node, Cursor& line) {
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

 private:
  struct Base {
    std::uint64_t absolute = 0;
    std::uint64_t next = 0;  // 0: not set
    std::uint64_t port = 0;  // in parentheses
  };
  Base& base(NodeKind kind) { return bases_[static_cast<std::size_t>(kind)]; }

  std::array<Base, 3> bases_;
};

}  // namespace fatwood
