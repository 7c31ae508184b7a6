// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood counters`: the hottest, most congested and most error-prone links.
// Shares are fractions of the bytes of all links.

#include <string>

#include "report/json.hpp"
#include "tasks/counters.hpp"

namespace fatwood {

std::string counters_text(const Model& model, const CounterResult& result, std::size_t most);
Json counters_object(const Model& model, const CounterResult& result, std::size_t most);

}  // namespace fatwood
