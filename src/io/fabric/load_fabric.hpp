// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A fabric as a person names it on the command line: a spec, a file of any format we read (found
// by looking inside; gzip and xz as they are), a plan (src/io/plan), the folder or tar archive of a
// run of ibdiagnet, "-" for standard input, or "live" (live.hpp).

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
  // "cables" (any CSV), "topo", "plan"
  std::string format;
  std::vector<std::string> warnings{};  // what the file has wrong but can be read all the same
  RunData run{};                        // what it says besides
  std::string note{};                   // of a run: what was read and what was not
  std::shared_ptr<const Plan> plan{};   // of a plan: places, labels, lengths; else none
};

// How a bad row of a plan is treated.
enum class Strictness : std::uint8_t { kStrict, kLenient };  // an error, or a warning

struct LoadOptions {
  std::string node_name_map{};  // a file (node_name_map.hpp); "": none
  Strictness strictness = Strictness::kStrict;
  std::string ibnl{};  // a folder with IBNL files for a .topo file; "": next to it
};

// InputError with file, line and column when it cannot be read.
LoadedFabric load_fabric(const std::string& spec_or_path, const LoadOptions& options = {});
// The same for an opened file.
LoadedFabric read_fabric(Input& input, const LoadOptions& options = {});

}  // namespace fatwood
