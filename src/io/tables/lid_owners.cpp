// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/lid_owners.hpp"

#include <algorithm>
#include <bit>

namespace fatwood {
namespace {

// A fabric without LIDs, tables without GUIDs: the least LMC that has the file's LIDs.
unsigned guess_lmc(const Fabric& fabric, const LidTables& read) {
  Lid highest = kNoLid;
  for (const Lid lid : ids<Lid>(kNumLids)) {
    if (read.row[lid]) highest = lid;
  }
  for (unsigned lmc = 0; lmc < kMaxLmc; ++lmc) {
    if (assign_lids(fabric, lmc).highest() >= highest) return lmc;
  }
  return kMaxLmc;
}

// The LIDs whose lines have a GUID that the fabric has.
LidOwners lids_by_guid(const EndPorts& ends, const LidTables& read) {
  LidOwners map;
  map.base.resize(ends.size(), kNoLid);
  std::vector<Lid> last(ends.size(), kNoLid);
  for (const Lid lid : ids<Lid>(kNumLids)) {
    if (lid == kNoLid || read.port_guid[lid] == 0) continue;
    const std::uint32_t end = ends.find(read.port_guid[lid]);
    if (end == kNone<std::uint32_t>) continue;
    map.owner[lid] = end;
    if (map.base[end] == kNoLid) map.base[end] = lid;
    last[end] = lid;
  }
  std::uint32_t width = 0;
  for (std::uint32_t e = 0; e < ends.size(); ++e) {
    if (ends.is_switch(e) || map.base[e] == kNoLid) continue;
    width = std::max(width, index(last[e]) - index(map.base[e]));
  }
  map.lmc = std::min(static_cast<unsigned>(std::bit_width(width)), kMaxLmc);
  return map;
}

}  // namespace

LidOwners find_lid_owners(const Fabric& fabric, const EndPorts& ends, const LidTables& read) {
  LidOwners map = lids_by_guid(ends, read);
  const bool any_guid =
      std::any_of(map.base.begin(), map.base.end(), [](Lid lid) { return lid != kNoLid; });
  map.own = assign_lids(fabric, 0).own;
  if (map.own) map.lmc = std::max(map.lmc, own_lmc(fabric));
  if (!map.own && !any_guid) map.lmc = guess_lmc(fabric, read);
  // A GUID is the better witness: LIDs of the fabric, or those that we give out when the tables
  // have them, are for the end-ports that no GUID names.
  const Lids lids = map.own ? assign_lids(fabric, 0) : assign_lids(fabric, map.lmc);
  const auto base_of = [&](std::uint32_t e) {
    const auto s = static_cast<Switch>(e - fabric.num_terminals());
    return ends.is_switch(e) ? lids.switches[s] : lids.terminal[static_cast<Terminal>(e)];
  };
  for (std::uint32_t e = 0; e < ends.size() && !map.own && any_guid; ++e) {
    if (map.base[e] != kNoLid && map.base[e] != base_of(e)) return map;
  }
  for (std::uint32_t e = 0; e < ends.size(); ++e) {
    const bool is_switch = ends.is_switch(e);
    const Lid base = base_of(e);
    const unsigned lmc = is_switch ? 0 : map.own ? ends.address(e).lmc : map.lmc;
    // Given by GUID, at an offset.
    if (index(map.base[e]) - index(base) < (1U << lmc)) map.base[e] = base;
    if (map.base[e] != kNoLid) continue;
    map.base[e] = base;
    for (std::uint32_t i = 0; i < 1U << lmc && base + i <= kMaxLid; ++i) {
      if (map.owner[base + i] == kNone<std::uint32_t>) map.owner[base + i] = e;
    }
  }
  return map;
}

LidContradictions find_contradictions(const Fabric& fabric, const EndPorts& ends,
                                      const LidTables& read) {
  LidContradictions found;
  if (!assign_lids(fabric, 0).own) return found;
  Table<Lid, std::uint32_t> owner(kNumLids, kNone<std::uint32_t>);
  for (std::uint32_t e = 0; e < ends.size(); ++e) {
    const Address& address = ends.address(e);
    for (std::uint32_t i = 0; i < 1U << address.lmc && address.lid + i <= kMaxLid; ++i) {
      if (address.lid != kNoLid) owner[address.lid + i] = e;
    }
  }
  const auto name = [&](std::uint32_t e) {
    if (e == kNone<std::uint32_t>) return std::string();
    const Node node = ends.is_switch(e)
                          ? fabric.node(static_cast<Switch>(e - fabric.num_terminals()))
                          : fabric.adapter_node(static_cast<Terminal>(e));
    return unique_name(fabric, node);
  };
  for (const Lid lid : ids<Lid>(kNumLids)) {
    if (lid == kNoLid || read.port_guid[lid] == 0) continue;
    const std::uint32_t end = ends.find(read.port_guid[lid]);
    if (end == kNone<std::uint32_t> || end == owner[lid]) continue;
    if (found.lids++ == 0) {
      found.first = lid;
      found.by_guid = name(end);
      found.in_fabric = name(owner[lid]);
    }
  }
  return found;
}

}  // namespace fatwood
