// SPDX-License-Identifier: BSD-3-Clause
/* An engine of Fatwood's as OpenSM has it, and what the files of the plug-in do with it. */
#ifndef FATWOOD_OPENSM_ENGINE_H
#define FATWOOD_OPENSM_ENGINE_H

#include <fatwood/c.h>
#include <opensm/osm_config.h> /* what the other headers hold hangs on it */
#include <opensm/osm_multicast.h>
#include <opensm/osm_opensm.h>

#include "options.h"

/* What is known about tables that another run of OpenSM left in the switches. */
enum warm { WARM_NOT, WARM_OURS, WARM_FOREIGN };

/* One registered engine. Alive as long as OpenSM. */
struct engine {
  osm_opensm_t* osm;
  char name[64];          /* "fatwood_sftree" */
  const char* fatwood;    /* "sftree" */
  fatwood_routes* routes; /* of the last sweep: path_sl is asked for it */
  struct plugin_options options;
  int in_use;     /* opensm.conf names it */
  int wrote;      /* the tables of this sweep are its */
  int owns;       /* the tables of the sweep before were its: they can stay */
  int again;      /* entries wait for a further round */
  int in_round;   /* it was asked for: nothing more is spent on balance */
  enum warm warm; /* the tables of this sweep were read */
};

/* OpenSM's switches as Fatwood numbers them; NULL where it has none any more. The caller frees. */
osm_switch_t** list_switches(osm_opensm_t* osm, const fatwood_routes* routes);

/* Routes that keep what is in the switches and can stay (keep.c): takes the new ones over, and
 * returns them where nothing can. */
fatwood_routes* keep_old(struct engine* engine, fatwood_routes* routes);

/* The tree of a group (multicast.c): OpenSM's mcast_build_stree. */
ib_api_status_t build_multicast(void* engine, osm_mgrp_box_t* box);

#endif
