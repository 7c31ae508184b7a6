// SPDX-License-Identifier: BSD-3-Clause
#include "io/fabric/load_fabric.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "io/base/input.hpp"
#include "io/ethernet/read_ethernet.hpp"
#include "io/fabric/edge_list.hpp"
#include "io/fabric/live.hpp"
#include "io/fabric/spec.hpp"
#include "io/ibdiagnet/run_files.hpp"
#include "io/opensm/node_name_map.hpp"
#include "plan/formats/plan_formats.hpp"

namespace fatwood {

namespace {

// The plan in a folder that fatwood plan wrote; of anything else, the path itself.
std::string plan_in(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return path;
  const std::string plan = (std::filesystem::path(path) / "plan.json").string();
  if (!std::filesystem::is_regular_file(plan)) return path;
  return looks_like_plan_json(Input(plan).peek()) ? plan : path;
}

// A run of ibdiagnet, or the output of Ethernet devices.
LoadedFabric read_folder(const std::string& path, const LoadOptions& options) {
  const RunFiles files(path);
  if (!files.has_fabric()) {
    if (auto ethernet = read_ethernet_files(path, options)) return std::move(*ethernet);
  }
  return read_run(files);
}

}  // namespace

LoadedFabric load_fabric(const std::string& spec_or_path, const LoadOptions& options) {
  LoadedFabric loaded;
  if (is_edge_list(spec_or_path)) {
    loaded = load_edge_list(spec_or_path);
  } else if (looks_like_spec(spec_or_path)) {
    loaded = {make_fabric(spec_or_path), "spec", {}};
  } else if (is_live(spec_or_path)) {
    Input input = live_fabric(spec_or_path);
    loaded = read_fabric(input);
  } else if (spec_or_path != "-" && !std::filesystem::exists(spec_or_path)) {
    throw InputError({.file = spec_or_path}, "no such file, and no fabric spec");
  } else if (const std::string path = plan_in(spec_or_path); RunFiles::is_run(path)) {
    loaded = read_folder(path, options);
  } else {
    Input input(path);
    loaded = read_fabric(input, options);
  }
  if (!options.node_name_map.empty()) {
    Input map(options.node_name_map);
    loaded.fabric = with_names(loaded.fabric, read_node_name_map(map));
  }
  return loaded;
}

}  // namespace fatwood
