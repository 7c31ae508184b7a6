#pragma once
// The engines' entry points, for the rows of engines.cpp. Each is one file of this folder.

#include "routing/engine.hpp"

namespace fatwood {

Routing route_minhop(const Fabric& fabric, const RouteOptions& options);
Routing route_updn(const Fabric& fabric, const RouteOptions& options);
Routing route_dnup(const Fabric& fabric, const RouteOptions& options);
Routing route_sssp(const Fabric& fabric, const RouteOptions& options);
Routing route_dfsssp(const Fabric& fabric, const RouteOptions& options);
Routing route_lash(const Fabric& fabric, const RouteOptions& options);
Routing route_ftree(const Fabric& fabric, const RouteOptions& options);
Routing route_sftree(const Fabric& fabric, const RouteOptions& options);
Routing route_dmodk(const Fabric& fabric, const RouteOptions& options);
Routing route_bfot(const Fabric& fabric, const RouteOptions& options);
Routing route_bfot_plus(const Fabric& fabric, const RouteOptions& options);
Routing route_apot(const Fabric& fabric, const RouteOptions& options);
Routing route_apot_matrix(const Fabric& fabric, const RouteOptions& options);

}  // namespace fatwood
