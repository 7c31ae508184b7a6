// SPDX-License-Identifier: BSD-3-Clause
/* Describes OpenSM's subnet object to Fatwood. */
#ifndef FATWOOD_OPENSM_SUBNET_H
#define FATWOOD_OPENSM_SUBNET_H

#include <fatwood/c.h>
#include <opensm/osm_config.h> /* what the other headers hold hangs on it */
#include <opensm/osm_subnet.h>

/* Adds every node, address and healthy cable; 0, or -1 with an error. most_lanes becomes the
 * number of data lanes that every port between switches can have and OpenSM's options allow, 8 at
 * most. */
int add_subnet(fatwood_fabric* fabric, osm_subn_t* subnet, unsigned* most_lanes,
               fatwood_error* error);

#endif
