// SPDX-License-Identifier: BSD-3-Clause
/* Describes OpenSM's subnet object to Fatwood in one pass.
 *
 * An OpenSM port has 1.7 kB. Accessing one costs a cache miss and a page table miss, which is
 * nearly the whole cost of reading a fabric. So each port is accessed once. The node that a port
 * leads to is found by address, because the ports of a node are stored within the node. Whether the
 * other end is healthy is known after the first end was visited, so a cable is added from its
 * second end.
 *
 * Order: switches by GUID; adapters in the order of the switch ports that lead to them; then other
 * adapters. Fatwood numbers nodes in this order anyway, so it need not sort. (OpenSM orders GUIDs
 * by their bytes backwards.)
 */
#include "subnet.h"

#include <opensm/osm_node.h>
#include <opensm/osm_port.h>
#include <opensm/osm_switch.h>
#include <stdio.h>
#include <stdlib.h>

/* Nodes added so far, by address: open addressing, at most half full. */
struct added {
  const osm_node_t* node; /* NULL: free */
  uint32_t number;        /* its handle in Fatwood */
};

/* A switch, and the address of its ports. */
struct place {
  const osm_physp_t *ports, *end;
  uint32_t number;
};

struct builder {
  fatwood_fabric* fabric;
  fatwood_error* error;
  struct place* switches; /* by address */
  size_t switch_count;
  uint8_t (*healthy)[256 / 8]; /* by switch number, a bit for each visited port */
  struct added* added;
  size_t mask; /* places - 1, places a power of two */
  uint32_t count;
  unsigned lanes;
};

static struct added* place_of(const struct builder* builder, const osm_node_t* node) {
  /* The lowest bits are always zero, because of the allocator's alignment. */
  size_t at = ((uintptr_t)node >> 5) * UINT64_C(0x9e3779b97f4a7c15) >> 20;
  while (builder->added[at & builder->mask].node && builder->added[at & builder->mask].node != node)
    ++at;
  return &builder->added[at & builder->mask];
}

static int add_node(struct builder* builder, osm_node_t* node, struct added* place) {
  const ib_node_info_t* info = &node->node_info;
  const struct fatwood_node added = {
      .kind = info->node_type == IB_NODE_TYPE_SWITCH   ? FATWOOD_SWITCH
              : info->node_type == IB_NODE_TYPE_ROUTER ? FATWOOD_ROUTER
                                                       : FATWOOD_ADAPTER,
      .ports = info->num_ports,
      .guid = cl_ntoh64(info->node_guid),
      .system_guid = cl_ntoh64(info->sys_guid),
      .vendor = cl_ntoh32(ib_node_info_get_vendor_id(info)),
      .device = cl_ntoh16(info->device_id),
      .description = node->print_desc ? node->print_desc : "",
  };
  place->node = node;
  place->number = builder->count++;
  return fatwood_add_node(builder->fabric, &added, builder->error);
}

static int add_address(struct builder* builder, uint32_t number, const osm_physp_t* port,
                       uint8_t port_number) {
  return fatwood_set_address(builder->fabric, number, port_number, cl_ntoh64(port->port_guid),
                             cl_ntoh16(port->port_info.base_lid),
                             ib_port_info_get_lmc(&port->port_info), builder->error);
}

/* Converts InfiniBand's code for a number of data VLs. */
static unsigned lanes_of(unsigned code) {
  return code == 0 ? 1 : code >= 5 ? 15 : 1U << (code - 1);
}

/* Uses what the port supports: OpenSM enables it, up to max_op_vls, after the first routing. The
 * option limits it from the start (add_subnet). */
static void count_lanes(struct builder* builder, const osm_physp_t* port) {
  const unsigned lanes = lanes_of(ib_port_info_get_vl_cap(&port->port_info));
  if (lanes < builder->lanes) builder->lanes = lanes;
}

/* The switch that a port belongs to, or NULL. */
static const struct place* switch_of(const struct builder* builder, const osm_physp_t* port) {
  const struct place* at = builder->switches;
  for (size_t left = builder->switch_count; left > 1;) {
    const size_t half = left / 2;
    at += (uintptr_t)at[half].ports <= (uintptr_t)port ? half : 0;
    left -= half;
  }
  const int inside = builder->switch_count && (uintptr_t)at->ports <= (uintptr_t)port &&
                     (uintptr_t)port < (uintptr_t)at->end;
  return inside ? at : NULL;
}

static int add_adapter_cable(struct builder* builder, uint32_t number, const osm_physp_t* port) {
  const osm_physp_t* far = port->p_remote_physp;
  /* If OpenSM could not query everything, there may be a node without a switch object. */
  if (osm_node_get_type(far->p_node) == IB_NODE_TYPE_SWITCH || !far->healthy) return 0;
  struct added* place = place_of(builder, far->p_node);
  if (!place->node && add_node(builder, far->p_node, place)) return -1;
  if (add_address(builder, place->number, far, far->port_num)) return -1;
  return fatwood_connect(builder->fabric, number, port->port_num, place->number, far->port_num,
                         builder->error);
}

/* Prefetches, so that cache misses overlap. */
static void ask_for_ports(const osm_node_t* node) {
  for (uint32_t i = 1; i < node->physp_tbl_size; ++i) {
    __builtin_prefetch(&node->physp_table[i].p_remote_physp);
    __builtin_prefetch(&node->physp_table[i].port_info);
  }
}
static void ask_for_adapters(const struct builder* builder, const osm_node_t* node) {
  for (uint32_t i = 1; i < node->physp_tbl_size; ++i) {
    const osm_physp_t* far = node->physp_table[i].p_remote_physp;
    if (!far || switch_of(builder, far)) continue;
    __builtin_prefetch(&far->p_node);
    __builtin_prefetch(&far->port_info);
    __builtin_prefetch((const char*)(far - 1) - 64);
  }
}

static int add_ports(struct builder* builder, const osm_node_t* node) {
  const uint32_t number = place_of(builder, node)->number;
  ask_for_adapters(builder, node);
  for (uint32_t i = 1; i < node->physp_tbl_size; ++i) {
    const osm_physp_t* port = &node->physp_table[i];
    const osm_physp_t* far = port->p_remote_physp;
    if (!osm_physp_is_valid(port) || !far || !port->healthy) continue;
    const struct place* other = switch_of(builder, far);
    if (!other) {
      if (add_adapter_cable(builder, number, port)) return -1;
      continue;
    }
    count_lanes(builder, port);
    builder->healthy[number][i / 8] |= (uint8_t)(1U << i % 8);
    const size_t far_port = (size_t)(far - other->ports);
    if (other->number == number && far_port == i) continue;
    if (!(builder->healthy[other->number][far_port / 8] >> far_port % 8 & 1)) continue;
    if (fatwood_connect(builder->fabric, number, (uint8_t)i, other->number, (uint8_t)far_port,
                        builder->error))
      return -1;
  }
  return 0;
}

/* Adapters with a cable to another adapter, or with none. */
static int add_others(struct builder* builder, cl_qmap_t* nodes) {
  const uint32_t before = builder->count;
  if (cl_qmap_count(nodes) == before) return 0;
  for (cl_map_item_t* item = cl_qmap_head(nodes); item != cl_qmap_end(nodes);
       item = cl_qmap_next(item)) {
    osm_node_t* node = (osm_node_t*)item;
    struct added* place = place_of(builder, node);
    if (place->node || osm_node_get_type(node) == IB_NODE_TYPE_SWITCH) continue;
    if (add_node(builder, node, place)) return -1;
    for (uint32_t i = 1; i < osm_node_get_num_physp(node); ++i) {
      const osm_physp_t* port = &node->physp_table[i];
      if (!osm_physp_is_valid(port)) continue;
      if (add_address(builder, place->number, port, (uint8_t)i)) return -1;
      if (!port->p_remote_physp || !osm_link_is_healthy(port)) continue;
      /* Add the cable from its second end. */
      const osm_physp_t* far = port->p_remote_physp;
      const struct added* other = place_of(builder, far->p_node);
      if (!other->node || (other->node == node && far->port_num <= port->port_num)) continue;
      if (osm_node_get_type(far->p_node) == IB_NODE_TYPE_SWITCH) continue;
      if (add_address(builder, other->number, far, far->port_num)) return -1;
      if (fatwood_connect(builder->fabric, place->number, port->port_num, other->number,
                          far->port_num, builder->error))
        return -1;
    }
  }
  return 0;
}

static int compare_guids(const void* a, const void* b) {
  const uint64_t x = cl_ntoh64(osm_node_get_node_guid(*(osm_node_t* const*)a));
  const uint64_t y = cl_ntoh64(osm_node_get_node_guid(*(osm_node_t* const*)b));
  return x < y ? -1 : x > y;
}

static int compare_places(const void* a, const void* b) {
  const uintptr_t x = (uintptr_t)((const struct place*)a)->ports;
  const uintptr_t y = (uintptr_t)((const struct place*)b)->ports;
  return x < y ? -1 : x > y;
}

static int add_switches(struct builder* builder, osm_node_t** nodes) {
  for (size_t i = 0; i < builder->switch_count; ++i) {
    osm_node_t* node = nodes[i];
    struct added* place = place_of(builder, node);
    if (add_node(builder, node, place)) return -1;
    if (add_address(builder, place->number, &node->physp_table[0], 0)) return -1;
    builder->switches[i] = (struct place){.ports = node->physp_table,
                                          .end = node->physp_table + node->physp_tbl_size,
                                          .number = place->number};
  }
  qsort(builder->switches, builder->switch_count, sizeof *builder->switches, compare_places);
  for (size_t i = 0; i < builder->switch_count; ++i) {
    if (i + 1 < builder->switch_count) ask_for_ports(nodes[i + 1]);
    if (add_ports(builder, nodes[i])) return -1;
  }
  return 0;
}

int add_subnet(fatwood_fabric* fabric, osm_subn_t* subnet, unsigned* most_lanes,
               fatwood_error* error) {
  cl_qmap_t* switches = &subnet->sw_guid_tbl;
  const size_t count = cl_qmap_count(switches);
  size_t places = 64;
  while (places < (size_t)2 * cl_qmap_count(&subnet->node_guid_tbl)) places *= 2;
  struct builder builder = {
      .fabric = fabric, .error = error, .mask = places - 1, .switch_count = count, .lanes = 8};
  builder.added = calloc(places, sizeof *builder.added);
  builder.switches = malloc((count + 1) * sizeof *builder.switches);
  builder.healthy = calloc(count + 1, sizeof *builder.healthy);
  osm_node_t** nodes = malloc((count + 1) * sizeof *nodes);
  int result = builder.added && builder.switches && builder.healthy && nodes ? 0 : -1;
  if (result) snprintf(error->text, sizeof error->text, "out of memory");
  if (!result) {
    size_t at = 0;
    for (cl_map_item_t* item = cl_qmap_head(switches); item != cl_qmap_end(switches);
         item = cl_qmap_next(item))
      nodes[at++] = ((osm_switch_t*)item)->p_node;
    qsort(nodes, count, sizeof *nodes, compare_guids);
    result = add_switches(&builder, nodes);
  }
  if (!result) result = add_others(&builder, &subnet->node_guid_tbl);
  free(builder.added);
  free(builder.switches);
  free(builder.healthy);
  free(nodes);
  const unsigned option = lanes_of(subnet->opt.max_op_vls); /* 0: no limit */
  const int limited = subnet->opt.max_op_vls != 0 && option < builder.lanes;
  *most_lanes = limited ? option : builder.lanes;
  return result;
}
