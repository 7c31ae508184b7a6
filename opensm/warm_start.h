// SPDX-License-Identifier: BSD-3-Clause
/* Warm start: uses the tables that an earlier run of OpenSM left in the switches.
 *
 * OpenSM never reads forwarding tables. When it starts, it knows none and sends all. The plug-in
 * reads them after the first discovery, while no lock is held, so that OpenSM's copy of each table
 * is what the switch has. A block without an answer becomes zeros, as with OpenSM's own blocks:
 * unknown, and to be sent.
 *
 * A record in OpenSM's cache folder (fatwood-tables, in OpenSM's own database) has for each switch
 * the engine that wrote its table, the number of entries and a hash. Tables are ours if most
 * switches match the record. A cable that was cut since changes no table, a switch that lost its
 * table changes one, and another subnet manager changes all.
 *
 * Cost: as many packets as writing all tables once; one line per switch in the record.
 */
#ifndef FATWOOD_OPENSM_WARM_START_H
#define FATWOOD_OPENSM_WARM_START_H

#include <opensm/osm_config.h> /* must come first: the other headers depend on it */
#include <opensm/osm_opensm.h>

struct read_tables {
  size_t switches, blocks; /* requested */
};

/* Waits for all answers. REQUIRES that no lock is held. */
struct read_tables read_tables(osm_opensm_t* osm);

/* Sets entries that were not read, because the switch had fewer, to zero: unknown. REQUIRES that
 * the table was read and has its final length. */
void forget_rest(osm_switch_t* sw);

/* Opens the record; NULL on failure. OpenSM frees it. */
osm_db_domain_t* open_record(osm_opensm_t* osm);

/* Whether the tables that were read are those that this engine wrote. */
int are_ours(osm_opensm_t* osm, osm_db_domain_t* record, const char* engine);

/* Records the tables that are now in the switches. */
void record_tables(osm_opensm_t* osm, osm_db_domain_t* record, const char* engine);

#endif
