// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Answers of many devices in one file, as suzieq keeps them: JSON values one after another, each a
// record or a list of records.
//
//   [{"hostname": "leaf1", "cmd": "ip route show table all", "data": "default via ..."}][{...}]

#include <string>
#include <string_view>
#include <vector>

#include "io/base/input.hpp"

namespace fatwood {

struct RouteRecord {
  std::string device;
  std::string answer;  // as the device prints it
};

bool looks_like_records(std::string_view head);
// InputError if it is broken, or has more than 256 MiB.
std::vector<RouteRecord> read_records(Input& input);

}  // namespace fatwood
