// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Opens a fabric for any front end: reads it, applies faults, finds hints.
//
// A fabric is named by a formula, a file, the folder or archive of a run, "-" or "live"
// (io/fabric/load_fabric.hpp). Faults come after reading, hints are found in what is left.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/node_choice.hpp"
#include "app/parameter.hpp"
#include "io/base/loaded_fabric.hpp"
#include "plan/model/plan.hpp"
#include "topology/model.hpp"
#include "topology/run_data.hpp"

namespace fatwood {

// How files are read.
struct ReadChoice {
  std::string node_name_map = {};
  bool lenient = false;
  std::string ibnl = {};
  std::string rate = {};
  std::shared_ptr<const PortNumbers> like = {};  // of a fabric that this one is compared with
};
template <class Visitor>
void describe(Visitor& visit, ReadChoice& read) {
  visit(read.node_name_map, {.name = "node_name_map",
                             .help = "a file of lines 0xGUID \"name\": what to call nodes",
                             .file = true});
  visit(read.lenient, {.name = "lenient", .help = "of a plan: leave bad rows out, with a warning"});
  visit(read.ibnl,
        {.name = "ibnl", .help = "of a .topo file: the folder of IBNL files", .file = true});
  visit(read.rate,
        {.name = "rate",
         .help = "of Ethernet: Gb/s of cables whose speed no source has; job: of every cable, "
                 "like 4xHDR"});
}

// Faults as topology/change/faults.hpp reads them.
struct FaultChoice {
  std::vector<std::string> cut = {}, remove = {};
  std::vector<std::string> files = {};
  std::uint64_t seed = 1;
  bool keep_connected = false;

  bool any() const { return !cut.empty() || !remove.empty() || !files.empty(); }
};
template <class Visitor>
void describe(Visitor& visit, FaultChoice& faults) {
  visit(faults.cut,
        {.name = "cut",
         .help = "cut NAME[PORT], NAME (all its cables), 5%, 13, 5%@2-3 (levels) or @2-3"});
  visit(faults.remove, {.name = "remove", .help = "remove NAME, 0xGUID, 2%, 3, 2@3 (level) or @3"});
  visit(faults.files,
        {.name = "faults", .help = "a file of lines \"cut ...\" and \"remove ...\"", .file = true});
  visit(faults.seed, {.name = "fault_seed", .help = "seed of random faults"});
  visit(faults.keep_connected,
        {.name = "keep_connected", .help = "random faults do not disconnect anything"});
}

struct SpeedChoice {
  bool count_flows = false;
};
template <class Visitor>
void describe(Visitor& visit, SpeedChoice& speeds) {
  visit(speeds.count_flows,
        {.name = "count_flows",
         .help = "take all cables for equally fast: loads count flows, not shares of a speed"});
}

struct FabricRequest {
  std::string name = {};
  ReadChoice read = {};
  FaultChoice faults = {};
  LevelNodes levels = {};
  BalanceNodes balance = {};
  SpeedChoice speeds = {};
};

// A fabric with its hints, before anything is derived from them.
struct FabricData {
  Fabric fabric;
  ModelHints hints = {};
  std::string name = {};    // as requested
  std::string format = {};  // as LoadedFabric has it
  std::string note = {};    // of a run: what was read and what was not; may have param()
  std::vector<std::string> warnings = {};
  RunData run = {};
  std::shared_ptr<const Plan> plan = {};  // if the fabric was read from a plan, without faults
};

struct OpenFabric {
  std::shared_ptr<const Model> model;
  std::string name, format, note;
  std::vector<std::string> warnings;
  RunData run;  // of the model's fabric
  std::shared_ptr<const Plan> plan;

  const Fabric& fabric() const { return model->fabric(); }
};

// InputError with file, line and column if it cannot be read, or names something that is not there.
FabricData read_fabric_data(const FabricRequest& request);
OpenFabric open_fabric(FabricData read);
OpenFabric open_fabric(const FabricRequest& request);
// The same for a fabric that a program has made, or has opened before (its data is carried over).
OpenFabric open_fabric(Fabric made, const FabricRequest& request, std::string format);
OpenFabric changed_fabric(const OpenFabric& open, const FabricRequest& request);

}  // namespace fatwood
