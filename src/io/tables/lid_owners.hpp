// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Finds the port to which each LID of a file of tables belongs.
//
// Tables and fabric may be from different times, and both can be incomplete. A port GUID in the
// tables counts most. Other ports have the LIDs of the fabric; a fabric without LIDs gets those
// that Fatwood assigns. Cost: O(LIDs + ports).

#include <unordered_map>

#include "io/tables/lid_tables.hpp"
#include "io/tables/load_tables.hpp"

namespace fatwood {

// End ports (those with an address), numbered: terminals, then switches.
class EndPorts {
 public:
  explicit EndPorts(const Fabric& fabric) : fabric_(fabric) {
    for (std::uint32_t e = 0; e < size(); ++e) {
      const auto [at, fresh] = by_guid_.emplace(address(e).guid, e);
      if (!fresh) at->second = kNone<std::uint32_t>;  // a GUID of several ports identifies none
    }
  }
  std::uint32_t size() const {
    return static_cast<std::uint32_t>(fabric_.num_terminals() + fabric_.num_switches());
  }
  bool is_switch(std::uint32_t end) const { return end >= fabric_.num_terminals(); }
  const Address& address(std::uint32_t end) const {
    if (!is_switch(end)) return fabric_.address(static_cast<Terminal>(end));
    return fabric_.address(static_cast<Switch>(end - fabric_.num_terminals()));
  }
  std::uint32_t find(std::uint64_t guid) const {
    const auto found = by_guid_.find(guid);
    return found == by_guid_.end() ? kNone<std::uint32_t> : found->second;
  }

 private:
  const Fabric& fabric_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_guid_;
};

// The end port that each LID belongs to.
struct LidOwners {
  unsigned lmc = 0;
  bool own = false;  // the LIDs are those of the fabric
  // By LID; kNone if no end port has it.
  Table<Lid, std::uint32_t> owner = Table<Lid, std::uint32_t>(kNumLids, kNone<std::uint32_t>);
  std::vector<Lid> base;  // by end port
};

LidOwners find_lid_owners(const Fabric& fabric, const EndPorts& ends, const LidTables& read);

// Port GUIDs in the tables whose LID belongs to another port in the fabric.
LidContradictions find_contradictions(const Fabric& fabric, const EndPorts& ends,
                                      const LidTables& read);

}  // namespace fatwood
