// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Text and JSON of `fatwood whatif --settled` and `--transient`: which losses can lock up.

#include <string>

#include "routing/tables/prefixes.hpp"
#include "tasks/ethernet/prove_losses.hpp"

namespace fatwood {

// `labels`: of ports by channel, or empty.
std::string losses_text(const Model& model, const Routing& routing, const LossAnswer& answer,
                        const Prefixes& prefixes, const Names& labels, std::size_t top);
std::string losses_json(const Model& model, const Routing& routing, const LossAnswer& answer,
                        const Prefixes& prefixes, const Names& labels);

}  // namespace fatwood
