/* OpenSM's subnet object, told to Fatwood. */
#ifndef FATWOOD_OPENSM_SUBNET_H
#define FATWOOD_OPENSM_SUBNET_H

#include <opensm/osm_subnet.h>

#include "bridge.h"

/* Tells every node, address and healthy cable; 0, or -1 with fatwood_error. most_lanes becomes the
 * number of data lanes that every port between switches has, 8 at most. */
int tell_subnet(fatwood_bridge* routes, osm_subn_t* subnet, unsigned* most_lanes);

#endif
