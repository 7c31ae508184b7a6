// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Findings about a fabric, as values: the kind, the ports and nodes concerned, and the numbers that
// the sentence in report/fabric/finding_text.hpp needs.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "topology/hosts/rails.hpp"
#include "topology/recognise/finding_kind.hpp"
#include "topology/recognise/missing_cables.hpp"

namespace fatwood {

struct CablesTo {
  Switch to;
  std::uint32_t cables;
};

struct ComponentSizes {  // parts: disconnected components
  std::vector<std::size_t> switches;
};
struct LackingLinks {  // missing-cable: of the first node of the finding
  struct Gap {
    CableGap cable;
    FreePorts ports;
  };
  std::uint32_t there, usual;  // cables up
  std::vector<Gap> gaps;
};
struct CablesEach {  // uneven-cables, extra-cable: of the first node of the finding
  std::uint32_t usual;
  std::vector<CablesTo> to;
};
struct SmallGroups {         // small-group
  Level level;               // of the lower switches
  std::size_t size, usual;   // lower switches of a group
  std::size_t above;         // upper switches of a group
  std::vector<Switch> with;  // one lower switch of each group
};
struct UsualEnds {  // foreign-cable: where the other cables lead
  std::vector<Switch> above;
};
struct SideSwitch {  // side
  std::uint32_t hosts;
  std::vector<CablesTo> up;
};
struct JoinedPairs {  // horizontal, skipping: pairs of switches with equally many cables
  Level first, second;
  std::vector<std::vector<Channel>> pairs;
};
struct HostsByCables {  // several-ports: number of cables, and how many hosts have so many
  std::vector<std::pair<std::uint32_t, std::size_t>> hosts;
};
struct LeavesByHosts {  // uneven-hosts: leaves with the most hosts first
  std::vector<std::pair<std::uint32_t, std::vector<Switch>>> leaves;
};
struct UsualRate {  // slow-cable, slow-host
  Rate rate;
  Rate usual;
  std::uint64_t cables;  // with the usual rate
};
struct SharedValue {  // same-lid, same-guid
  std::uint64_t value;
};
struct OtherNumbering {  // rail-numbering: the rail by the device's name, and by its cable
  std::map<Rail, Rail> rails;
  std::vector<Host> hosts;
};
struct HostsOfUnit {  // rail-guest, unnamed-host (of any unit)
  ScalableUnit unit = kNone<ScalableUnit>;
  std::vector<Host> hosts;
};
struct NameOfHosts {  // stock-name, shared-name
  std::string name;
  std::size_t hosts;
  std::vector<Channel> leaf_ports;  // where those with a cable are
};
using FindingFacts =
    std::variant<std::monostate, ComponentSizes, LackingLinks, CablesEach, SmallGroups, UsualEnds,
                 SideSwitch, JoinedPairs, HostsByCables, LeavesByHosts, UsualRate, SharedValue,
                 RailFinding, OtherNumbering, HostsOfUnit, NameOfHosts>;

struct Finding {
  FindingKind kind{};
  std::vector<Channel> ports = {};  // concerned
  std::vector<Node> nodes = {};
  FindingFacts facts = {};
};

}  // namespace fatwood
