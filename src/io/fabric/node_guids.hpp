// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// GUIDs of nodes in the text of ibnetdiscover and ibsim: "switchguid=0x10" gives the next switch
// its GUID, and ibsim counts on from there for the switches that follow. "switchguid+0x10" counts
// from the last absolute number. Adapters and routers have numbers of their own.

#include <array>

#include "io/base/cursor.hpp"
#include "io/fabric/raw_fabric.hpp"

namespace fatwood {

class NodeGuids {
 public:
  // After the word: "=0x10", "+0x10" or "=0x10(11)" with the GUID of the port. InputError.
  void read(Cursor& line, NodeKind kind);

  // Gives a node its GUID: the next number of its kind, or the one in its name if there is none.
  void take(RawNode& node, Cursor& line);

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
