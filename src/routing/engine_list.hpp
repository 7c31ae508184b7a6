// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The engines' entry points, for the rows of engines.cpp. Each is one file of a sub-folder.

#include "routing/engine.hpp"

namespace fatwood {

Routing route_minhop(const Model& model, const RouteOptions& options);
Routing route_updn(const Model& model, const RouteOptions& options);
Routing route_updn_plus(const Model& model, const RouteOptions& options);
Routing route_dnup(const Model& model, const RouteOptions& options);
Routing route_sssp(const Model& model, const RouteOptions& options);
Routing route_dfsssp(const Model& model, const RouteOptions& options);
Routing route_lash(const Model& model, const RouteOptions& options);
Routing route_nue(const Model& model, const RouteOptions& options);
Routing route_ftree(const Model& model, const RouteOptions& options);
Routing route_sftree(const Model& model, const RouteOptions& options);
Routing route_even(const Model& model, const RouteOptions& options);
Routing route_dmodk(const Model& model, const RouteOptions& options);
Routing route_ar_updn(const Model& model, const RouteOptions& options);
Routing route_ar_ftree(const Model& model, const RouteOptions& options);
Routing route_ar_even(const Model& model, const RouteOptions& options);
Routing route_ecmp(const Model& model, const RouteOptions& options);
Routing route_ospf(const Model& model, const RouteOptions& options);
Routing route_bfot(const Model& model, const RouteOptions& options);
Routing route_bfot_plus(const Model& model, const RouteOptions& options);
Routing route_apot(const Model& model, const RouteOptions& options);
Routing route_apot_matrix(const Model& model, const RouteOptions& options);

}  // namespace fatwood
