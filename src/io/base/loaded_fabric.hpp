// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a reader of fabrics returns, and what it is asked.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plan/model/plan.hpp"
#include "topology/fabric.hpp"
#include "topology/run_data.hpp"

namespace fatwood {

struct LoadedFabric {
  Fabric fabric;
  // "spec", "ibnetdiscover", "ports", "ibsim", "subnet.lst", "json", "db_csv", "net_dump", "run",
  // "cables" (any CSV), "topo", "plan", "edges", "ethernet"
  std::string format;
  std::vector<std::string> warnings{};  // faults of the file that do not prevent reading it
  RunData run{};                        // other data of the file
  std::string note{};                   // for a run: what was read and what was not
  std::shared_ptr<const Plan> plan{};   // for a plan: places, labels, lengths; otherwise none
};

// Numbers of the ports of switches, by device (in lower case, without its domain) and name.
using PortNumbers = std::map<std::string, std::map<std::string, std::uint32_t>, std::less<>>;

// How a bad row of a plan is treated.
enum class Strictness : std::uint8_t { kStrict, kLenient };  // an error, or a warning

struct LoadOptions {
  std::string node_name_map{};  // a file (node_name_map.hpp); "": none
  Strictness strictness = Strictness::kStrict;
  std::string ibnl{};  // a folder with IBNL files for a .topo file; "": next to it
  std::string rate{};  // of Ethernet cables whose speed no source has: "400" or "400G"; or ""
  // Of an Ethernet fabric that this one is compared with: equal names get equal numbers.
  std::shared_ptr<const PortNumbers> like{};
};

}  // namespace fatwood
