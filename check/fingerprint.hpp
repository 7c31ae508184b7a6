// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Whether a proof is about the files it is checked with: fingerprints of fabric, tables and lane
// map, as the manual of fatwood-check defines them. They spare a user of a mix-up; what
// a proof is worth is found by walking the routes.

#include <string>
#include <vector>

#include "files.hpp"

namespace check {

struct Inputs {
  Fabric fabric;
  Tables tables;
  Levels levels;
  LaneMap lanes;
  Certificate proof;
  std::string proof_path;
};

// Hosts on each switch: node and port.
std::vector<std::vector<Owner>> hosts_on_switches(const Fabric& fabric);

// "FILE:LINE: ..." of the first thing that is another; empty when the proof is about these files.
std::string what_else_it_is_about(const Inputs& inputs);

}  // namespace check
