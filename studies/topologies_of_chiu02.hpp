// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The 46 topologies of Table 1 of [Chiu02], as specs.
//
// Random ones by their parameters (switches, links, least and largest degree, seed): the paper's
// own generator is not public. Where the table is odd: "d" are those with duplicate links, read as
// a sixth of the links (48 links, but at most 5 neighbours, on 16 switches); its 3-D tori have as
// many links as if one dimension only were closed; a hypercube of 64 has 192 links, not 102;
// "rndm-nice" has 16 switches and 29 links, and nothing more is known of it.

#include <span>
#include <string_view>

namespace fatwood {

struct NamedSpec {
  std::string_view name;  // as in the table
  std::string_view spec;
};

std::span<const NamedSpec> topologies_of_chiu02();

}  // namespace fatwood
