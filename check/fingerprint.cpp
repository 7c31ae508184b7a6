// SPDX-License-Identifier: BSD-3-Clause
#include "fingerprint.hpp"

#include <cstdio>
#include <initializer_list>
#include <unordered_map>

namespace check {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
std::uint64_t chain(std::initializer_list<std::uint64_t> words, std::uint64_t state = 0) {
  for (const std::uint64_t word : words) state = mix((state + 0x9e3779b97f4a7c15ULL) ^ word);
  return state;
}

std::uint64_t fabric_fingerprint(const Fabric& fabric) {
  std::uint64_t sum = 0;
  for (const Node& node : fabric.nodes) {
    sum += chain({node.guid, node.is_switch ? 1U : 0U});
    for (unsigned port = 1; port < node.ports.size(); ++port) {
      const Port& end = node.ports[port];
      if (end.peer == kNobody) continue;
      sum += chain({node.guid, port, fabric.nodes[end.peer].guid, end.peer_port});
    }
  }
  return sum;
}

// Calls visit(LID, what stands for its address) for each LID with a row.
template <class Visit>
void each_address(const Inputs& in, const Visit& visit) {
  std::unordered_map<std::uint64_t, std::uint32_t> base;  // lowest LID of each port
  for (std::uint32_t lid = 0; lid < in.tables.row.size(); ++lid) {
    const Owner& owner = in.tables.owner[lid];
    if (in.tables.row[lid].empty() || owner.node == kNobody) continue;
    const std::uint64_t port = std::uint64_t{owner.node} * 256 + owner.port;
    const std::uint64_t number = lid - base.emplace(port, lid).first->second;
    visit(lid, chain({in.fabric.nodes[owner.node].guid, owner.port, number}));
  }
}

std::uint64_t tables_fingerprint(const Inputs& in) {
  const auto lane = [&](std::uint32_t lid, std::uint32_t s) -> unsigned {
    const unsigned level = in.levels.of_switch(lid, s);
    return in.proof.changing ? level : in.lanes.everywhere[level];
  };
  std::uint64_t sum = 0;
  each_address(in, [&](std::uint32_t lid, std::uint64_t address) {
    for (std::uint32_t s = 0; s < in.fabric.switches.size(); ++s) {
      const std::uint64_t entry = in.tables.row[lid][s];
      if (entry == kNoEntry) continue;
      const std::uint64_t key = mix(in.fabric.nodes[in.fabric.switches[s]].guid);
      sum += mix(address ^ (key + 256 * entry + lane(lid, s)));
    }
  });
  return sum;
}

// Entries with several ports.
std::uint64_t sets_fingerprint(const Inputs& in) {
  std::vector<std::uint64_t> of_list;
  for (const std::vector<std::uint8_t>& ports : in.tables.lists) {
    std::uint64_t state = 0;
    for (const std::uint8_t port : ports) state = chain({port}, state);
    of_list.push_back(state);
  }
  std::uint64_t sum = 0;
  each_address(in, [&](std::uint32_t lid, std::uint64_t address) {
    for (std::uint32_t s = 0; s < in.fabric.switches.size(); ++s) {
      const std::uint32_t list = in.tables.list_at(lid, s);
      if (list == 0 || in.tables.lists[list].size() < 2) continue;
      sum += mix(address ^ (mix(in.fabric.nodes[in.fabric.switches[s]].guid) + of_list[list]));
    }
  });
  return sum;
}

std::uint64_t lane_map_fingerprint(const Inputs& in) {
  std::uint64_t sum = 0;
  for (std::uint32_t s = 0; s < in.lanes.rows.size(); ++s) {
    for (const auto& [ports, lanes] : in.lanes.rows[s]) {
      std::uint64_t state =
          chain({in.fabric.nodes[in.fabric.switches[s]].guid, ports / 256, ports % 256});
      for (const std::uint8_t lane : lanes) state = chain({lane}, state);
      sum += state;
    }
  }
  return sum;
}

}  // namespace

std::string first_mismatch(const Inputs& in) {
  const auto differ = [&](unsigned line, const char* what, std::uint64_t expected,
                          std::uint64_t here) {
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, "%#018llx; this is %#018llx",
                  static_cast<unsigned long long>(expected), static_cast<unsigned long long>(here));
    return in.proof_path + ":" + std::to_string(line) + ": it is about " + what + numbers;
  };
  const std::uint64_t fabric = fabric_fingerprint(in.fabric);
  if (in.proof.fabric != fabric) return differ(2, "a fabric ", in.proof.fabric, fabric);
  const std::uint64_t tables = tables_fingerprint(in);
  if (in.proof.tables != tables) return differ(3, "tables ", in.proof.tables, tables);
  // The other way round holds: groups of one port, or none, give each packet one port to take.
  if (in.tables.adaptive && !in.proof.adaptive) {
    return in.proof_path + ":4: it is about plain tables; these are adaptive";
  }
  if (in.proof.adaptive) {
    const std::uint64_t sets = sets_fingerprint(in);
    if (in.proof.sets != sets) return differ(4, "groups of ports ", in.proof.sets, sets);
  }
  if (in.lanes.differs && !in.proof.changing) {
    return in.proof_path + (in.proof.adaptive ? ":6" : ":4") +
           ": it is about routes that keep their lanes; these change them";
  }
  if (!in.proof.changing) return "";
  const std::uint64_t lanes = lane_map_fingerprint(in);
  if (in.proof.lane_map != lanes)
    return differ(in.proof.adaptive ? 6 : 4, "a lane map ", in.proof.lane_map, lanes);
  return "";
}

}  // namespace check
