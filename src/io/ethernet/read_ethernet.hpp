// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An Ethernet fabric from what its devices and tools print: one file, or a folder or archive
// (plain, gzip or xz; folders and archives in it, too) with files of many devices. The kind of a
// file is found by its content; lldp_json, lldp_text, sonic and cable_graphs have the formats.
// Files of suzieq hold the answers of many devices:
//   [{"hostname": "leaf1", "cmd": "net show lldp json", "data": "..."}][{...}]

#include <optional>

#include "io/base/loaded_fabric.hpp"
#include "io/ethernet/reports.hpp"

namespace fatwood {

bool looks_like_ethernet(std::string_view head);
LoadedFabric read_ethernet(Input& input, const LoadOptions& options = {});

// No value if no file has anything about cables. A file that cannot be read is a warning.
std::optional<LoadedFabric> read_ethernet_files(const std::string& path,
                                                const LoadOptions& options);

// The reports of one file. `word`: the device's name as its file's name suggests it.
DeviceReports read_device_reports(Input& input, std::string_view word);
// "leaf1" for "dump/leaf1/lldp.json", "leaf1-lldp.txt", "sonic_dump_leaf1_20240131_101500.tar.gz".
std::string device_in_path(std::string_view path);

}  // namespace fatwood
