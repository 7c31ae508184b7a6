// SPDX-License-Identifier: BSD-3-Clause
/* Fatwood for programs in C, and for those that want no C++ at their border: describe a fabric,
 * have it routed, and get forwarding tables, hop counts, service levels and multicast trees. The
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
 * - No call throws, prints or ends the program, out of memory included. One that can fail returns
 *   int, 0 for success, or a pointer, NULL for failure; why is in `error`, which is the caller's.
 *   Pass NULL to get no message.
 * - Handles are opaque, made by one call and freed by one. Freeing NULL does nothing. A handle is
 *   used by one thread at a time. A fabric that a call failed on is good for nothing but to be
 *   freed. Routes never change, and don't need their fabric any more.
 * - The same fabric gives the same routes, in whatever order it is described: switches are numbered
 *   by their GUIDs, adapters by the switch ports that lead to them.
 * - GUIDs and LIDs are in the byte order of the machine. Strings are copied.
 */
#ifndef FATWOOD_C_H
#define FATWOOD_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One sentence, cut where it is too long. Left alone by a call that succeeds. */
typedef struct fatwood_error {
  char text[1024];
} fatwood_error;

/* ---- Engines -------------------------------------------------------------------------------- */

/* Those that fill forwarding tables. A name stays valid as long as the program. */
size_t fatwood_engine_count(void);
const char* fatwood_engine_name(size_t i); /* NULL: i is not below the count */

/* ---- Describing a fabric --------------------------------------------------------------------- */

typedef struct fatwood_fabric fatwood_fabric;

enum fatwood_kind { FATWOOD_ADAPTER, FATWOOD_ROUTER, FATWOOD_SWITCH };

struct fatwood_node {
  enum fatwood_kind kind;
  uint8_t ports;        /* 254 at most; they are numbered from 1 */
  uint64_t guid;        /* of the node */
  uint64_t system_guid; /* 0: unknown, as for the two below */
  uint32_t vendor;
  uint32_t device;
  const char* description; /* what people call it */
};

fatwood_fabric* fatwood_fabric_new(void); /* NULL: no memory */
void fatwood_fabric_free(fatwood_fabric* fabric);

/* Nodes have handles 0, 1, 2, ... in the order of the calls. */
int fatwood_add_node(fatwood_fabric* fabric, const struct fatwood_node* node, fatwood_error* error);
/* Of an adapter's port, or of a switch's port 0; kept if the port has a cable. */
int fatwood_set_address(fatwood_fabric* fabric, uint32_t node, uint8_t port, uint64_t guid,
                        uint16_t lid, uint8_t lmc, fatwood_error* error);
int fatwood_connect(fatwood_fabric* fabric, uint32_t node_a, uint8_t port_a, uint32_t node_b,
                    uint8_t port_b, fatwood_error* error);

/* ---- Routes --------------------------------------------------------------------------------- */

typedef struct fatwood_routes fatwood_routes;

struct fatwood_options {
  unsigned lmc;           /* 2^lmc addresses for each adapter port; 7 at most */
  unsigned max_lanes;     /* virtual lanes that the routes may use; at least 1 */
  uint64_t manager_guid;  /* port GUID of the subnet manager; 0: unknown */
  const char* roots_file; /* lists of GUIDs or names, one a line; NULL: none */
  const char* compute_file;
  const char* order_file;
  double seconds; /* for fatwood_route and the fatwood_keep of its routes, each; 0: no limit */
};

/* Routes the fabric described so far. The promise of the engine is kept within the time limit, or
 * this fails and says why. Without options (NULL) there are one address per port, 8 lanes, no hints
 * and no limit. */
fatwood_routes* fatwood_route(const fatwood_fabric* fabric, const char* engine,
                              const struct fatwood_options* options, fatwood_error* error);
void fatwood_routes_free(fatwood_routes* routes);

/* The time of the engine alone: wall clock, and CPU of all threads of the program. */
struct fatwood_seconds {
  double wall, cpu;
};
struct fatwood_seconds fatwood_engine_seconds(const fatwood_routes* routes);

/* Switches are numbered 0, 1, 2, ... by GUID. */
size_t fatwood_switch_count(const fatwood_routes* routes);
/* REQUIRES s < fatwood_switch_count(routes). */
uint64_t fatwood_switch_guid(const fatwood_routes* routes, size_t s);
uint16_t fatwood_switch_lid(const fatwood_routes* routes, size_t s);

/* tables[s] is the table of switch s, `size` entries, indexed by LID: the port to leave by, 255
 * where there is no path or nothing has the LID. Entries above the highest LID are left alone.
 * After a failure the tables hold anything. */
int fatwood_write_tables(const fatwood_routes* routes, uint8_t* const* tables, size_t size,
                         fatwood_error* error);

/* How to keep entries that are in the switches already. */
struct fatwood_keep_options {
  int even;            /* entries of blocks that are sent anyway may move to even out all-to-all */
  size_t spare_blocks; /* and those of this many more blocks of 64 LIDs */
  double most_drift;   /* 1 at least: how many times as full as with the new routes the fullest
                        * channel of all-to-all may be; the new ones are taken otherwise. 0: any */
  /* Of the call before, or NULL: what it had in mind counts where a switch has no entry yet, and
   * its lanes are those of the routes in use. Without it routes of several lanes are not kept. */
  const fatwood_routes* before;
};

/* The routes that were chosen. */
enum fatwood_taken {
  FATWOOD_KEPT,
  FATWOOD_NEW_UNPROVED, /* the new ones: a repair can't be proved */
  FATWOOD_NEW_UNEVEN    /* the new ones: a repair drifts too far */
};

struct fatwood_kept {
  enum fatwood_taken taken;
  size_t entries;      /* that differ from the old tables, of LIDs in use */
  size_t blocks;       /* of 64 LIDs that hold them, over all switches */
  size_t held;         /* entries that are 255 for now, and wait for a further round */
  size_t spare_blocks; /* of those allowed, spent */
  double drift;        /* of the repair, where a limit was asked for; else 0 */
  int mixed_unsafe;    /* old and new entries can loop or deadlock, and no rounds are known */
};

/* New routes that keep of the old tables what need not change; NULL on failure. The caller frees
 * them; `routes` stay as they are, and may be freed before or after.
 * old[s] is the table that switch s has, as fatwood_write_tables would have written it, or NULL
 * where that is not known. An entry stays unless its cable is gone or no legal path leads on from
 * where it leads. Where the old table says nothing (255, or 0 but for the switch's own LID),
 * `routes` count. The result is proved as the engine's is: no loop, no deadlock, no pair of
 * adapters lost that `routes` have. Where old and new entries may not be mixed in any order, and
 * rounds are known that avoid a loop and a deadlock, the result is the first round: once all
 * switches have it, and packets under way have arrived, keep again with the tables that the
 * switches have then, until nothing is held. Routes that stay keep their lanes. Without options
 * (NULL) only what must change does. Fails where this can't be had: a fabric that is not like a
 * tree, lanes that are not known. */
fatwood_routes* fatwood_keep(const fatwood_routes* routes, const uint8_t* const* old, size_t size,
                             const struct fatwood_keep_options* options, struct fatwood_kept* kept,
                             fatwood_error* error);

/* Hop counts: hops[s][LID of switch d] is a row of ports[s] bytes, malloc'ed where it is NULL, to
 * be freed by the caller. Written are the least hops at port 0 and at the ports that begin such a
 * path, 255 elsewhere. REQUIRES a LID for every switch. After a failure some rows are written. */
int fatwood_write_hops(const fatwood_routes* routes, uint8_t** const* hops, const uint8_t* ports,
                       fatwood_error* error);

/* The number of virtual lanes that the routes need, and the service level, below that number, of
 * the path between two LIDs: level i is to travel in lane i. 0 for LIDs that nothing has. */
unsigned fatwood_lane_count(const fatwood_routes* routes);
unsigned fatwood_service_level(const fatwood_routes* routes, uint16_t source_lid,
                               uint16_t destination_lid);

/* The tree of a multicast group, given as the ports that its packets leave by: use(context, switch,
 * port) for both ends of each cable of the tree. members: LIDs of the switches that are members or
 * have some; capable[s]: whether switch s can copy packets; groups with other numbers get other
 * trees where there are several. left_out becomes the number of members that no tree can join. Of a
 * tree that can't be had use is not called. */
int fatwood_multicast_tree(const fatwood_routes* routes, const uint16_t* members, size_t count,
                           const uint8_t* capable, uint32_t group,
                           void (*use)(void* context, size_t s, uint8_t port), void* context,
                           size_t* left_out, fatwood_error* error);

#ifdef __cplusplus
}
#endif

#endif
