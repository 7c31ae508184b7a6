/* Between OpenSM, whose headers are C alone, and Fatwood, which is C++: the whole conversation.
 *
 * At each heavy sweep plugin.c tells the fabric node by node and cable by cable, asks for routes,
 * and has them written into OpenSM's own tables. No function throws; one that can fail returns 0
 * for success, and fatwood_error tells why not.
 */
#ifndef FATWOOD_OPENSM_BRIDGE_H
#define FATWOOD_OPENSM_BRIDGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum fatwood_kind { FATWOOD_ADAPTER, FATWOOD_ROUTER, FATWOOD_SWITCH };

struct fatwood_node {
  enum fatwood_kind kind;
  uint8_t ports;
  uint64_t guid;
  uint64_t system_guid;
  uint32_t vendor;
  uint32_t device;
  const char* description;
};

struct fatwood_options {
  unsigned lmc;
  unsigned max_lanes;
  uint64_t manager_guid;  /* port GUID of the subnet manager; 0: unknown */
  const char* roots_file; /* GUID files of OpenSM's options; NULL: none */
  const char* compute_file;
  const char* order_file;
};

typedef struct fatwood_bridge fatwood_bridge;

/* Engines that fill tables, to register as "fatwood_<name>". */
size_t fatwood_engine_count(void);
const char* fatwood_engine_name(size_t i);

/* A fabric being told. NULL when there is no memory. */
fatwood_bridge* fatwood_begin(const char* engine);
void fatwood_end(fatwood_bridge* bridge);
const char* fatwood_error(const fatwood_bridge* bridge);

/* Nodes are numbered from 0 in order of telling. */
int fatwood_tell_node(fatwood_bridge* bridge, const struct fatwood_node* node);
/* Of an adapter's port, or of a switch's port 0. */
int fatwood_tell_address(fatwood_bridge* bridge, uint32_t node, uint8_t port, uint64_t guid,
                         uint16_t lid, uint8_t lmc);
int fatwood_tell_cable(fatwood_bridge* bridge, uint32_t node_a, uint8_t port_a, uint32_t node_b,
                       uint8_t port_b);

/* Routes what was told. The promise of the engine is kept, or this fails and says why. */
int fatwood_route(fatwood_bridge* bridge, const struct fatwood_options* options);

/* After fatwood_route. Switches are numbered in order of telling among the switches. */
size_t fatwood_switch_count(const fatwood_bridge* bridge);
uint64_t fatwood_switch_guid(const fatwood_bridge* bridge, size_t s);
uint16_t fatwood_switch_lid(const fatwood_bridge* bridge, size_t s);
/* lfts[s] is the table of switch s, lft_size entries, indexed by LID; 255 at LIDs that nothing
 * has. Those above the highest LID are left alone. */
void fatwood_write_lfts(const fatwood_bridge* bridge, uint8_t* const* lfts, size_t lft_size);
/* Hop counts as OpenSM keeps them: hops[s][LID of switch d] is a row of ports[s] bytes, malloc'ed
 * where it is NULL. Written are the least hops at port 0 and at the ports that begin such a path,
 * 255 elsewhere. */
int fatwood_write_hops(fatwood_bridge* bridge, uint8_t** const* hops, const uint8_t* ports);
/* The tree of a multicast group, told as the ports that its packets leave by: use(context, switch,
 * port) for both ends of each cable of the tree. members: LIDs of the switches that are members or
 * have some; capable[s]: whether switch s can copy packets. left_out becomes the number of members
 * that no tree can join. */
int fatwood_multicast(fatwood_bridge* bridge, const uint16_t* members, size_t count,
                      const uint8_t* capable, uint32_t group,
                      void (*use)(void* context, size_t s, uint8_t port), void* context,
                      size_t* left_out);
/* Seconds that the engine alone took in fatwood_route. */
struct fatwood_seconds {
  double wall, cpu;
};
struct fatwood_seconds fatwood_engine_seconds(const fatwood_bridge* bridge);
/* Those since some time in the past: the process's CPU seconds, of all its threads. */
struct fatwood_seconds fatwood_clock(void);
/* The virtual lane of a path, and how many lanes there are. */
unsigned fatwood_lanes(const fatwood_bridge* bridge);
unsigned fatwood_lane(const fatwood_bridge* bridge, uint16_t source_lid, uint16_t destination_lid);

#ifdef __cplusplus
}
#endif

#endif
