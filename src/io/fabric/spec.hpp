// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fabrics by formula: "xgft(3;4,4,8;1,4,4)", "ft(16,3)", "switch648+racks", ...
//
//   spec   := family [ "(" groups ")" ]
//   groups := group { ";" group },  group := item { "," item },  item := number | key "=" number
//
// White space is ignored. Each family is one row of the table in spec.cpp.

#include <span>
#include <string_view>

#include "topology/fabric.hpp"

namespace fatwood {

struct Family {
  std::string_view name;
  std::string_view usage;    // "ft(m,n)"
  std::string_view summary;  // one line
};

std::span<const Family> families();

// Whether the text is meant as a spec and not as a path: a family's name, or any word followed by
// '('. A misspelt family is a spec too, so that the error can list the families.
bool looks_like_spec(std::string_view text);

// InputError with the column and what was expected, or with the wrong number and the reason.
Fabric make_fabric(std::string_view spec);

}  // namespace fatwood
