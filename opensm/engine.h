// SPDX-License-Identifier: BSD-3-Clause
/* A routing engine of Fatwood inside OpenSM, and the functions of the plug-in that work on it. */
#ifndef FATWOOD_OPENSM_ENGINE_H
#define FATWOOD_OPENSM_ENGINE_H

#include <fatwood/c.h>
#include <opensm/osm_config.h> /* must come first: the other headers depend on it */
#include <opensm/osm_multicast.h>
#include <opensm/osm_opensm.h>

#include "options.h"

/* Tables that an earlier run of OpenSM left in the switches: not read, written by this engine, or
 * written by someone else. */
enum warm { WARM_NOT, WARM_OURS, WARM_FOREIGN };

/* One registered engine. It lives as long as OpenSM. */
struct engine {
  osm_opensm_t* osm;
  char name[64];          /* "fatwood_sftree" */
  const char* fatwood;    /* "sftree" */
  fatwood_routes* routes; /* of the last sweep */
  struct plugin_options options;
  int in_use;     /* OpenSM was told to use this engine */
  int wrote;      /* this engine set the tables of this sweep: made or kept */
  int owns;       /* the same of the last sweep */
  int again;      /* another round is needed: some entries wait for it */
  int in_round;   /* this sweep is such a round: no blocks are spent on balance */
  enum warm warm; /* how the tables of this sweep were found */
};

/* OpenSM's switches in Fatwood's order; NULL for a switch that is gone. The caller frees the list.
 */
osm_switch_t** list_switches(osm_opensm_t* osm, const fatwood_routes* routes);

/* Replaces new routes by a repair of the tables in the switches (keep.c). Takes ownership of
 * `routes`, and returns them if nothing can be kept. */
fatwood_routes* keep_old(struct engine* engine, fatwood_routes* routes);

/* Builds the tree of a multicast group (multicast.c): OpenSM's mcast_build_stree. */
ib_api_status_t build_multicast(void* engine, osm_mgrp_box_t* box);

#endif
