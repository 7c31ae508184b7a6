// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tables/lids.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"

namespace fatwood {

namespace {

Lids given_lids(const Fabric& fabric, unsigned lmc) {
  Lids lids{.lmc = lmc, .own = true, .refused = kNone<Channel>, .terminal = {}, .switches = {}};
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    lids.terminal.push_back(fabric.address(t).lid);
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    lids.switches.push_back(fabric.address(s).lid);
  }
  return lids;
}

// The first end port whose LID cannot be used; kNone if all can.
Channel first_refused(const Fabric& fabric, const Lids& lids) {
  const std::uint32_t width = 1U << lids.lmc;
  Table<Lid, bool> taken(kNumLids);
  const auto take = [&](Lid base, std::uint32_t count) {
    if (base == kNoLid || index(base) % count != 0 || base + (count - 1) > kMaxLid) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (taken[base + i]) return false;
      taken[base + i] = true;
    }
    return true;
  };
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    if (!take(lids.terminal[t], width)) return fabric.terminal_channel(t);
  }
  for (const Switch s : ids<Switch>(fabric.num_switches())) {
    if (!take(lids.switches[s], 1)) return fabric.channel(fabric.node(s), kOwnPort);
  }
  return kNone<Channel>;
}

}  // namespace

Lid Lids::highest() const {
  Lid high = kNoLid;
  for (const Lid lid : terminal) high = std::max(high, lid + ((1U << lmc) - 1));
  for (const Lid lid : switches) high = std::max(high, lid);
  return high;
}

Lids assign_lids(const Fabric& fabric, unsigned lmc) {
  if (lmc > kMaxLmc) {
    throw InputError("LMC " + std::to_string(lmc) + " is too large; expected 0 to 7");
  }
  Lids lids = given_lids(fabric, lmc);
  const auto given = [](Lid lid) { return lid != kNoLid; };
  const bool some =
      std::ranges::any_of(lids.terminal, given) || std::ranges::any_of(lids.switches, given);
  lids.refused = first_refused(fabric, lids);
  if (lids.refused == kNone<Channel>) return lids;
  if (!some) lids.refused = kNone<Channel>;
  lids.own = false;
  Lid next{1U << lmc};
  const auto give = [&next](Lid& lid, std::uint32_t count) {
    lid = next;
    next = next + count;
  };
  for (Lid& lid : lids.terminal) give(lid, 1U << lmc);
  for (Lid& lid : lids.switches) give(lid, 1);
  return lids;
}

Lids completed(Lids lids) {
  const std::uint32_t step = 1U << lids.lmc;
  std::uint32_t next = (index(lids.highest()) / step + 1) * step;
  for (Lid& lid : lids.terminal) {
    if (lid != kNoLid) continue;
    lid = static_cast<Lid>(next);
    next += step;
  }
  for (Lid& lid : lids.switches) {
    if (lid == kNoLid) lid = static_cast<Lid>(next++);
  }
  return lids;
}

unsigned own_lmc(const Fabric& fabric) {
  unsigned lmc = 0;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    lmc = std::max<unsigned>(lmc, fabric.address(t).lmc);
  }
  return std::min(lmc, kMaxLmc);
}

void require_real_lids(const Lids& lids) {
  if (lids.highest() <= kMaxLid) return;
  throw InputError("this fabric needs LIDs up to " + std::to_string(index(lids.highest())) +
                   " with LMC " + std::to_string(lids.lmc) + "; an InfiniBand subnet has " +
                   std::to_string(index(kMaxLid)));
}

}  // namespace fatwood
