// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loads a fabric from an argument: a spec, a file of any known format (detected by content; gzip
// and xz are decompressed), a plan (src/io/plan), the folder or tar archive of a run of ibdiagnet,
// "-" for standard input, "live" (live.hpp), or "edges:FILE" (edge_list.hpp).

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "topology/fabric.hpp"
#include "topology/plan/plan.hpp"
#include "topology/run_data.hpp"

namespace fatwood {

class Input;

struct LoadedFabric {
  Fabric fabric;
  // "spec", "ibnetdiscover", "ports", "ibsim", "subnet.lst", "json", "db_csv", "net_dump", "run",
  // "cables" (any CSV), "topo", "plan", "edges"
  std::string format;
  std::vector<std::string> warnings{};  // faults of the file that do not prevent reading it
  RunData run{};                        // other data of the file
  std::string note{};                   // for a run: what was read and what was not
  std::shared_ptr<const Plan> plan{};   // for a plan: places, labels, lengths; otherwise none
};

// How a bad row of a plan is treated.
enum class Strictness : std::uint8_t { kStrict, kLenient };  // an error, or a warning

struct LoadOptions {
  std::string node_name_map{};  // a file (node_name_map.hpp); "": none
  Strictness strictness = Strictness::kStrict;
  std::string ibnl{};  // a folder with IBNL files for a .topo file; "": next to it
};

// InputError with file, line and column if it cannot be read.
LoadedFabric load_fabric(const std::string& spec_or_path, const LoadOptions& options = {});
// The same for an opened file.
LoadedFabric read_fabric(Input& input, const LoadOptions& options = {});

}  // namespace fatwood
