// SPDX-License-Identifier: BSD-3-Clause
#include "verify/adaptive/packet_kinds.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "routing/adaptive/changed_sets.hpp"
#include "verify/adaptive/choices.hpp"
#include "verify/reach/discarded.hpp"

namespace fatwood {

namespace {

bool chooses(const AdaptiveSettings& set, unsigned level, unsigned transport, bool in_order) {
  if (!set.known) return !in_order;
  const auto bit = [](std::uint16_t bits, unsigned at) { return (unsigned{bits} >> at & 1U) != 0; };
  const bool spread = set.enabled && !in_order && (!set.by_level || bit(set.levels, level)) &&
                      !bit(set.transports_off, transport);
  const bool hashed =
      set.hashing_supported && (!set.hashed_by_level || bit(set.hashed_levels, level));
  return spread || hashed;
}

// [in order][transport], bits of levels.
using Members = std::array<std::array<std::uint16_t, kNumTransports>, 2>;

// Merges transports with the same levels.
std::vector<Packets> packets_of(const Members& members) {
  std::vector<Packets> all;
  for (const bool in_order : {false, true}) {
    const std::size_t first = all.size();
    for (unsigned transport = 0; transport < kNumTransports; ++transport) {
      const std::uint16_t levels = members[in_order ? 1 : 0][transport];
      if (levels == 0) continue;
      const auto same = std::find_if(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
                                     [&](const Packets& p) { return p.levels == levels; });
      const auto bit = static_cast<std::uint8_t>(1U << transport);
      if (same == all.end()) {
        all.push_back({levels, bit, in_order});
      } else {
        same->transports |= bit;
      }
    }
  }
  return all;
}

}  // namespace

std::vector<PacketKind> packet_kinds(const Table<Switch, AdaptiveSettings>& settings,
                                     std::size_t switches) {
  std::map<std::string, Members> by_choice;  // one character per switch: 1 if it chooses
  for (const bool in_order : {false, true}) {
    for (unsigned transport = 0; transport < kNumTransports; ++transport) {
      for (unsigned level = 0; level < kLevels; ++level) {
        std::string choice(switches, '0');
        for (const Switch s : ids<Switch>(switches)) {
          const AdaptiveSettings set = settings.empty() ? AdaptiveSettings{} : settings[s];
          if (chooses(set, level, transport, in_order)) choice[index(s)] = '1';
        }
        by_choice[choice][in_order ? 1 : 0][transport] |= static_cast<std::uint16_t>(1U << level);
      }
    }
  }
  std::vector<PacketKind> kinds;
  for (const auto& [choice, members] : by_choice) {
    PacketKind& kind = kinds.emplace_back();
    kind.packets = packets_of(members);
    for (const char letter : choice) kind.chooses.push_back(letter == '1' ? 1 : 0);
    kind.choosing = static_cast<std::size_t>(std::ranges::count(choice, '1'));
  }
  std::ranges::stable_sort(kinds, std::ranges::greater{}, &PacketKind::choosing);
  return kinds;
}

KindVerdict check_kind(const Model& model, const Routing& routing, PacketKind kind, Sources sources,
                       int threads) {
  const Routing own{.engine = routing.engine,
                    .tables = routing.tables,
                    .lanes = routing.lanes,
                    .sl2vl = routing.sl2vl,
                    .sets = sets_only_at(model.fabric(), routing, kind.chooses),
                    .unknown = routing.unknown,
                    .may_return = routing.may_return};
  Reachability reached =
      own.sets.empty()
          ? find_reachability(model.fabric(), own, threads)
          : find_choices(model, own, destination_classes(model.fabric(), own, threads), threads)
                .reachability;
  reached.unreachable += find_discarded(model.fabric(), own).pairs;
  return {.kind = std::move(kind),
          .unreachable = reached.unreachable,
          .loops = reached.loops,
          .deadlock_free = find_deadlock(model.fabric(), own, sources, threads).free()};
}

}  // namespace fatwood
