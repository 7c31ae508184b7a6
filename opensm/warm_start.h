// SPDX-License-Identifier: BSD-3-Clause
/* Tables that another run of OpenSM left in the switches.
 *
 * OpenSM never reads forwarding tables: when it starts it knows none and sends all. Here they are
 * read after the first discovery, while no lock is held, and what OpenSM holds of each switch is
 * then what is in it. A block without an answer is zeros, as after a block of OpenSM's own that was
 * not answered: not known, to be sent.
 *
 * Whose they are is known by a record in OpenSM's cache folder (fatwood-tables, kept by OpenSM's
 * own database): for each switch the engine that wrote its table, how many entries, and a hash of
 * them. Tables are ours where most switches have what the record says: a cable that was cut since
 * changes none, a switch that forgot its table one, and another manager all.
 *
 * Cost: as many packets as writing all tables once; a line for each switch in the record.
 */
#ifndef FATWOOD_OPENSM_WARM_START_H
#define FATWOOD_OPENSM_WARM_START_H

#include <opensm/osm_config.h> /* what the other headers hold hangs on it */
#include <opensm/osm_opensm.h>

struct read_tables {
  size_t switches, blocks; /* asked for */
};

/* REQUIRES that no lock is held, and waits for all answers. */
struct read_tables read_tables(osm_opensm_t* osm);

/* Entries that were not read, because the switch had fewer, become zeros: what it has there is not
 * known. REQUIRES that the table has been read and is as long now as it is to be. */
void forget_rest(osm_switch_t* sw);

/* The record; NULL where it can't be had. OpenSM frees it. */
osm_db_domain_t* open_record(osm_opensm_t* osm);

/* Whether the tables that were read are those that the engine left. */
int are_ours(osm_opensm_t* osm, osm_db_domain_t* record, const char* engine);

/* Records the tables that are in the switches now. */
void record_tables(osm_opensm_t* osm, osm_db_domain_t* record, const char* engine);

#endif
