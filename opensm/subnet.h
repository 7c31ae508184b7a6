// SPDX-License-Identifier: BSD-3-Clause
/* Describes OpenSM's subnet object to Fatwood. */
#ifndef FATWOOD_OPENSM_SUBNET_H
#define FATWOOD_OPENSM_SUBNET_H

#include <fatwood/c.h>
#include <opensm/osm_config.h> /* must come first: the other headers depend on it */
#include <opensm/osm_subnet.h>

/* Adds every node, address and healthy cable. Returns 0, or -1 with an error. most_lanes becomes
 * the number of data VLs that every port between switches supports and OpenSM's options allow, at
 * most 8. */
int add_subnet(fatwood_fabric* fabric, osm_subn_t* subnet, unsigned* most_lanes,
               fatwood_error* error);

#endif
