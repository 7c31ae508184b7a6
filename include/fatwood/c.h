// SPDX-License-Identifier: BSD-3-Clause
/* Fatwood for programs in C, and for programs that want no C++ in their interfaces: describe a
 * fabric, route it, and get forwarding tables, hop counts, service levels and multicast trees. The
 * plug-in for OpenSM (opensm/) uses nothing else of Fatwood.
 *
 *   fatwood_error error;
 *   fatwood_fabric* fabric = fatwood_fabric_new();
 *   if (!fabric || fatwood_add_node(...) || fatwood_connect(...)) ...
 *   fatwood_routes* routes = fatwood_route(fabric, "sftree", &options, &error);
 *   if (!routes) fprintf(stderr, "%s\n", error.text);
 *   ...
 *   fatwood_routes_free(routes);
 *   fatwood_fabric_free(fabric);
 *
 * Rules:
 * - No call throws, prints or ends the program, even without memory. A call that can fail returns
 *   int (0 for success) or a pointer (NULL for failure), and writes the reason to `error`, which
 *   belongs to the caller. Pass NULL to get no message.
 * - Handles are opaque. One call makes a handle, one frees it; freeing NULL does nothing. Only one
 *   thread may use a handle at a time. After a failed call a fabric can only be freed. Routes never
 *   change, and do not need their fabric any more.
 * - The same fabric gives the same routes, in whatever order it is described: switches are numbered
 *   by their GUIDs, adapters by the switch ports that lead to them.
 * - GUIDs and LIDs are in host byte order. Strings are copied.
 */
#ifndef FATWOOD_C_H
#define FATWOOD_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One sentence, truncated if it is too long. A successful call does not change it. */
typedef struct fatwood_error {
  char text[1024];
} fatwood_error;

/* ---- Engines -------------------------------------------------------------------------------- */

/* Engines that fill tables with one port per entry. A name stays valid as long as the program runs.
 */
size_t fatwood_engine_count(void);
const char* fatwood_engine_name(size_t i); /* NULL: i is not below the count */

/* ---- Describing a fabric --------------------------------------------------------------------- */

typedef struct fatwood_fabric fatwood_fabric;

enum fatwood_kind { FATWOOD_ADAPTER, FATWOOD_ROUTER, FATWOOD_SWITCH };

struct fatwood_node {
  enum fatwood_kind kind;
  uint8_t ports;        /* at most 254; numbered from 1 */
  uint64_t guid;        /* of the node */
  uint64_t system_guid; /* 0: unknown, as for the two below */
  uint32_t vendor;
  uint32_t device;
  const char* description; /* the name that people use */
};

fatwood_fabric* fatwood_fabric_new(void); /* NULL: no memory */
void fatwood_fabric_free(fatwood_fabric* fabric);

/* Nodes get the handles 0, 1, 2, ... in the order of the calls. */
int fatwood_add_node(fatwood_fabric* fabric, const struct fatwood_node* node, fatwood_error* error);
/* For port 0 of a switch, or a port of an adapter; the latter is kept only if it has a cable. */
int fatwood_set_address(fatwood_fabric* fabric, uint32_t node, uint8_t port, uint64_t guid,
                        uint16_t lid, uint8_t lmc, fatwood_error* error);
int fatwood_connect(fatwood_fabric* fabric, uint32_t node_a, uint8_t port_a, uint32_t node_b,
                    uint8_t port_b, fatwood_error* error);

/* ---- Routes --------------------------------------------------------------------------------- */

typedef struct fatwood_routes fatwood_routes;

struct fatwood_options {
  unsigned lmc;           /* 2^lmc addresses per adapter port; at most 7 */
  unsigned max_lanes;     /* virtual lanes that the routes may use; at least 1 */
  uint64_t manager_guid;  /* port GUID of the subnet manager; 0: unknown */
  const char* roots_file; /* lists of GUIDs or names, one per line; NULL: none */
  const char* compute_file;
  const char* order_file;
  double seconds; /* time limit of fatwood_route, and of fatwood_keep with its routes; 0: none */
};

/* Routes the fabric described so far. Either the engine keeps its promise within the time limit, or
 * the call fails with the reason. Without options (NULL): one address per port, 8 lanes, no hints,
 * no limit. */
fatwood_routes* fatwood_route(const fatwood_fabric* fabric, const char* engine,
                              const struct fatwood_options* options, fatwood_error* error);
void fatwood_routes_free(fatwood_routes* routes);

/* The time of the engine alone: wall clock, and CPU time of all threads of the program. */
struct fatwood_seconds {
  double wall, cpu;
};
struct fatwood_seconds fatwood_engine_seconds(const fatwood_routes* routes);

/* Switches are numbered 0, 1, 2, ... by GUID. */
size_t fatwood_switch_count(const fatwood_routes* routes);
/* REQUIRES s < fatwood_switch_count(routes). */
uint64_t fatwood_switch_guid(const fatwood_routes* routes, size_t s);
uint16_t fatwood_switch_lid(const fatwood_routes* routes, size_t s);

/* tables[s] is the table of switch s with `size` entries, indexed by LID: the output port, or 255
 * if there is no path or no such LID. Entries above the highest LID are not changed. After a
 * failure the contents are undefined. */
int fatwood_write_tables(const fatwood_routes* routes, uint8_t* const* tables, size_t size,
                         fatwood_error* error);

/* How to keep entries that are already in the switches. */
struct fatwood_keep_options {
  int rebalance;       /* entries of blocks that are sent anyway may move to balance all-to-all */
  size_t spare_blocks; /* and those of this many more blocks of 64 LIDs */
  /* 0: no limit. At least 1: limit of the most loaded channel in all-to-all relative to the new
   * routes. Below 1: the part of what jobs and the slowest pair get with the new routes that they
   * may lose; with `rebalance` more blocks are sent first: up to spare_blocks, or if that is 0, up
   * to 7 times those that must be sent. Above the limit the new routes are taken. */
  double most_drift;
  /* Routes of the previous call, or NULL. They are used where a switch has no entry yet, and their
   * lanes are those of the routes in use. Without them routes with several lanes are not kept. */
  const fatwood_routes* before;
};

/* The routes that were chosen. */
enum fatwood_taken {
  FATWOOD_KEPT,
  FATWOOD_NEW_UNPROVED, /* the new routes: a repair cannot be proved */
  FATWOOD_NEW_UNEVEN    /* the new routes: a repair exceeds most_drift */
};

struct fatwood_kept {
  enum fatwood_taken taken;
  size_t entries;      /* that differ from the old tables, for LIDs in use */
  size_t blocks;       /* of 64 LIDs with such entries, over all switches */
  size_t held;         /* entries that are 255 for now and wait for another round */
  size_t spare_blocks; /* spent */
  double drift;        /* of the repair, in the terms of the limit, if there was one; otherwise 0 */
  int mixed_unsafe;    /* old and new entries can loop or deadlock, and no safe rounds are known */
};

/* Makes new routes that keep everything of the old tables that need not change. NULL on failure.
 * The caller frees the result; `routes` are not changed, and may be freed before or after.
 *
 * old[s] is the present table of switch s, in the format of fatwood_write_tables, or NULL if it is
 * unknown. An entry stays unless its cable is gone, or no legal path continues from the next
 * switch. If the old table has no entry (255, or 0 except for the switch's own LID), that of
 * options->before is used, or else that of `routes`. Routes that stay keep their lanes. Without
 * options (NULL) only necessary entries change.
 *
 * A repair (FATWOOD_KEPT) is proved: no loop, no deadlock, and no more pairs of adapters without a
 * route than with `routes`. Otherwise the result is `routes`, with what their engine promises: for
 * minhop and sssp no freedom from deadlock. If old and new entries may not be mixed in any order,
 * and safe rounds are known, the result is the first round. When all switches have it and packets
 * in flight have arrived, call this again with the new tables of the switches, until `held` is 0.
 *
 * Fails if a repair is impossible (the fabric is not like a tree, or lanes are unknown), at the
 * time limit, and for wrong options. */
fatwood_routes* fatwood_keep(const fatwood_routes* routes, const uint8_t* const* old, size_t size,
                             const struct fatwood_keep_options* options, struct fatwood_kept* kept,
                             fatwood_error* error);

/* Hop counts. hops[s][LID of switch d] is a row of ports[s] bytes; if it is NULL it is malloc'ed,
 * and the caller frees it. The fewest hops are written at port 0 and at the ports with which such a
 * path begins, 255 elsewhere. REQUIRES a LID for every switch. After a failure some rows are
 * written. */
int fatwood_write_hops(const fatwood_routes* routes, uint8_t** const* hops, const uint8_t* ports,
                       fatwood_error* error);

/* The number of virtual lanes that the routes need, and the service level, below that number, of
 * the path between two LIDs. Level i must use lane i. 0 for unknown LIDs. */
unsigned fatwood_lane_count(const fatwood_routes* routes);
unsigned fatwood_service_level(const fatwood_routes* routes, uint16_t source_lid,
                               uint16_t destination_lid);

/* The tree of a multicast group: calls use(context, switch, port) for both ends of each cable of
 * the tree. members: LIDs of the switches that are members or have members. capable[s]: whether
 * switch s can copy packets. group: different numbers give different trees if there are several.
 * left_out becomes the number of members that no tree can connect. On failure `use` is not called.
 */
int fatwood_multicast_tree(const fatwood_routes* routes, const uint16_t* members, size_t count,
                           const uint8_t* capable, uint32_t group,
                           void (*use)(void* context, size_t s, uint8_t port), void* context,
                           size_t* left_out, fatwood_error* error);

#ifdef __cplusplus
}
#endif

#endif
