// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fabrics that resemble four real machines, by formula. The numbers of switches, hosts and cables,
// the levels and the kinds of findings are real; names, GUIDs, LIDs and the places of faults are
// made up.
//
//   like-selene    HDR, 2021: 25 units of 20 hosts and 8 rails in 4 pods, 140 cores; management
//                  leaves below two spines and below the cores; 42 hosts and 29 cables missing
//   like-dgx-ndr   NDR, 2025: 8 units of 18 hosts and 4 rails under 9 spines, a leaf, hosts and
//                  cables missing, rails of one host crossed, adapters without a name
//   like-x5        QDR and DDR, 2020: 7 uneven leaves (one empty) under 4 spines, bundles of 1, 3
//                  and 6 cables, no adapter named
//   like-stage     QDR under FDR10, 2014: 6 leaves under 2 spines, a cable missing, hosts on a
//                  spine, dual-port cards on port 1, port 2 or both

#include "topology/fabric.hpp"
#include "topology/generate/rail_fabric.hpp"

namespace fatwood {

RailFabric like_selene();
RailFabric like_dgx_ndr();
Fabric make_like_x5();
Fabric make_like_stage();

}  // namespace fatwood
