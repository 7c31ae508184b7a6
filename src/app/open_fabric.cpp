// SPDX-License-Identifier: BSD-3-Clause
#include "app/open_fabric.hpp"

#include <utility>

#include "io/fabric/load_fabric.hpp"
#include "io/lists/fault_file.hpp"
#include "topology/change/faults.hpp"
#include "topology/channel_speeds.hpp"

namespace fatwood {

namespace {

std::vector<FaultRequest> requests_of(const FaultChoice& choice) {
  std::vector<FaultRequest> requests;
  for (const std::string& text : choice.cut) {
    requests.push_back({FaultKind::kCut, text, {.file = param("cut", text)}});
  }
  for (const std::string& text : choice.remove) {
    requests.push_back({FaultKind::kRemove, text, {.file = param("remove", text)}});
  }
  for (const std::string& file : choice.files) {
    for (FaultRequest& one : read_faults(file)) requests.push_back(std::move(one));
  }
  return requests;
}

// Faults and hints of the request, on a fabric that is read or made.
void complete(const FabricRequest& request, FabricData& read) {
  Fabric& fabric = read.fabric;
  if (request.speeds.count_flows) fabric = with_equal_speeds(fabric);
  if (request.faults.any()) {
    const FaultOptions options{request.faults.seed, request.faults.keep_connected
                                                        ? Connection::kKept
                                                        : Connection::kMayBreak};
    Fabric left = with_faults(fabric, find_faults(fabric, requests_of(request.faults), options));
    read.run = carried(read.run, fabric, left);
    fabric = std::move(left);
    read.plan.reset();
  }
  read.hints = find_hints(fabric, request.levels, request.balance);
}

}  // namespace

FabricData read_fabric_data(const FabricRequest& request) {
  LoadedFabric loaded =
      load_fabric(request.name,
                  {.node_name_map = request.read.node_name_map,
                   .strictness = request.read.lenient ? Strictness::kLenient : Strictness::kStrict,
                   .ibnl = request.read.ibnl,
                   .rate = request.read.rate,
                   .like = request.read.like});
  FabricData read{.fabric = std::move(loaded.fabric),
                  .name = request.name,
                  .format = std::move(loaded.format),
                  .note = std::move(loaded.note),
                  .warnings = std::move(loaded.warnings),
                  .run = std::move(loaded.run),
                  .plan = std::move(loaded.plan)};
  complete(request, read);
  return read;
}

OpenFabric open_fabric(FabricData read) {
  return {std::make_shared<const Model>(std::move(read.fabric), std::move(read.hints)),
          std::move(read.name),
          std::move(read.format),
          std::move(read.note),
          std::move(read.warnings),
          std::move(read.run),
          std::move(read.plan)};
}

OpenFabric open_fabric(const FabricRequest& request) {
  return open_fabric(read_fabric_data(request));
}

OpenFabric open_fabric(Fabric made, const FabricRequest& request, std::string format) {
  FabricData read{.fabric = std::move(made), .name = request.name, .format = std::move(format)};
  complete(request, read);
  return open_fabric(std::move(read));
}

OpenFabric changed_fabric(const OpenFabric& open, const FabricRequest& request) {
  FabricData read{.fabric = open.fabric(),
                  .name = open.name,
                  .format = open.format,
                  .note = open.note,
                  .warnings = open.warnings,
                  .run = open.run,
                  .plan = open.plan};
  complete(request, read);
  return open_fabric(std::move(read));
}

}  // namespace fatwood
