// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Extra data of adaptive tables for the page, in addition to loads and proof.

#include <vector>

#include "cli/verb.hpp"
#include "report/page/page.hpp"

namespace fatwood::cli {

// For those engines and tables that have groups of ports.
std::vector<PageAdaptive> page_adaptive(const Model& model,
                                        const std::vector<EvaluatedEngine>& engines,
                                        const Session& session);

}  // namespace fatwood::cli
