// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Restricts a PathSource to some adapters, with the adapter numbers of a measured model
// (topology/hosts/participants.hpp).

#include <memory>

#include "routing/tables/path_source.hpp"

namespace fatwood {

// REQUIRES two models of one fabric. `measured` has some of the adapters of `all`; `paths` belong
// to `all`. The arguments must outlive the result.
std::unique_ptr<PathSource> paths_among(const Model& measured, const Model& all,
                                        const PathSource& paths);

}  // namespace fatwood
