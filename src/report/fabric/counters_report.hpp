// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood counters`: the hottest, most congested and most error-prone links.
//
// {"links", "bytes", "seconds" or null, "hottest": [{"link", "to", "bytes", "gbps", "share",
//  "predicted_share"}], "congested": [{"link", "to", "waits", "bytes"}], "errors": [{"link", "to",
//  "errors", "kind"}]}
// "gbps" is null if the seconds between two runs are unknown, "predicted_share" if the routing has
// no list of paths. Shares are fractions of the bytes of all links.

#include <string>

#include "report/json.hpp"
#include "tasks/counters.hpp"

namespace fatwood {

std::string counters_text(const Model& model, const CounterResult& result, std::size_t most);
Json counters_object(const Model& model, const CounterResult& result, std::size_t most);

}  // namespace fatwood
