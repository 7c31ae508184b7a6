// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What `fatwood order` prints.
//
// {"better", "given": {"largest", "mean"}, "best": {"largest", "mean", "found_by", "order": [...]},
//  "stages": [{"given", "best"}]}; degrees are fractions as strings, the order hosts' names.

#include <string>

#include "analysis/jobs/node_order.hpp"

namespace fatwood {

std::string order_text(const AdapterNames& names, const NodeOrder& order);
std::string order_json(const AdapterNames& names, const NodeOrder& order);
// One host a line: a hosts file again.
std::string order_hosts(const AdapterNames& names, const NodeOrder& order);

}  // namespace fatwood
