/* libfatwood_opensm.so: Fatwood's engines inside OpenSM.
 *
 * OpenSM loads it as an event plug-in (event_plugin_name fatwood_opensm); create() registers each
 * engine that fills tables as the routing engine "fatwood_<name>". At every heavy sweep, under
 * OpenSM's lock: the fabric is read from the subnet object, routed by Fatwood, and the result
 * written into each switch's new_lft, from where OpenSM sends the blocks that changed. An engine
 * that can't keep its promise is a logged error; OpenSM then goes on to its next engine.
 *
 * This file is the only one that sees OpenSM's headers (they are C: a member is named `delete`).
 * The symbols it calls are in the opensm executable.
 */
#include <opensm/osm_config.h>
#include <opensm/osm_event_plugin.h>
#include <opensm/osm_log.h>
#include <opensm/osm_node.h>
#include <opensm/osm_opensm.h>
#include <opensm/osm_port.h>
#include <opensm/osm_subnet.h>
#include <opensm/osm_switch.h>
#include <opensm/osm_ucast_mgr.h>
#include <opensm/osm_version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge.h"

/* One registered engine. Alive as long as OpenSM. */
struct engine {
  osm_opensm_t* osm;
  char name[64];          /* "fatwood_sftree" */
  const char* fatwood;    /* "sftree" */
  fatwood_bridge* routes; /* of the last sweep: path_sl is asked for it */
};

static const char* rate_name(const osm_physp_t* port, char* text, size_t size) {
  const ib_port_info_t* info = &port->port_info;
  const char* speed = "";
  int width = 0;
  switch (info->link_width_active) {
    case IB_LINK_WIDTH_ACTIVE_1X:
      width = 1;
      break;
    case IB_LINK_WIDTH_ACTIVE_2X:
      width = 2;
      break;
    case IB_LINK_WIDTH_ACTIVE_4X:
      width = 4;
      break;
    case IB_LINK_WIDTH_ACTIVE_8X:
      width = 8;
      break;
    case IB_LINK_WIDTH_ACTIVE_12X:
      width = 12;
      break;
    default:
      break;
  }
  switch (ib_port_info_get_link_speed_ext_active(info)) {
    case 1:
      speed = "FDR";
      break;
    case 2:
      speed = "EDR";
      break;
    case 4:
      speed = "HDR";
      break;
    case 8:
      speed = "NDR";
      break;
    default:
      switch (ib_port_info_get_link_speed_active(info)) {
        case IB_LINK_SPEED_ACTIVE_2_5:
          speed = "SDR";
          break;
        case IB_LINK_SPEED_ACTIVE_5:
          speed = "DDR";
          break;
        case IB_LINK_SPEED_ACTIVE_10:
          speed = "QDR";
          break;
        default:
          break;
      }
  }
  snprintf(text, size, "%dx%s", width, speed);
  return text;
}

static int tell_addresses(fatwood_bridge* routes, osm_node_t* node) {
  const uint64_t guid = cl_ntoh64(osm_node_get_node_guid(node));
  const int is_switch = osm_node_get_type(node) == IB_NODE_TYPE_SWITCH;
  const uint8_t last = is_switch ? 1 : osm_node_get_num_physp(node);
  for (uint8_t port = is_switch ? 0 : 1; port < last; ++port) {
    osm_physp_t* physp = osm_node_get_physp_ptr(node, port);
    if (!physp) continue;
    if (fatwood_tell_address(routes, guid, port, cl_ntoh64(osm_physp_get_port_guid(physp)),
                             cl_ntoh16(osm_physp_get_base_lid(physp)),
                             ib_port_info_get_lmc(&physp->port_info)))
      return -1;
  }
  return 0;
}

static int tell_node(fatwood_bridge* routes, osm_node_t* node) {
  struct fatwood_node told = {
      .kind = FATWOOD_ADAPTER,
      .ports = node->node_info.num_ports,
      .guid = cl_ntoh64(osm_node_get_node_guid(node)),
      .system_guid = cl_ntoh64(node->node_info.sys_guid),
      .vendor = cl_ntoh32(ib_node_info_get_vendor_id(&node->node_info)),
      .device = cl_ntoh16(node->node_info.device_id),
      .description = node->print_desc ? node->print_desc : "",
  };
  if (osm_node_get_type(node) == IB_NODE_TYPE_SWITCH) told.kind = FATWOOD_SWITCH;
  if (osm_node_get_type(node) == IB_NODE_TYPE_ROUTER) told.kind = FATWOOD_ROUTER;
  return fatwood_tell_node(routes, &told) || tell_addresses(routes, node) ? -1 : 0;
}

/* Each cable once: from the end with the smaller (GUID, port). */
static int tell_cables(fatwood_bridge* routes, osm_node_t* node) {
  const uint64_t guid = cl_ntoh64(osm_node_get_node_guid(node));
  for (uint8_t port = 1; port < osm_node_get_num_physp(node); ++port) {
    osm_physp_t* physp = osm_node_get_physp_ptr(node, port);
    if (!physp || !osm_physp_get_remote(physp) || !osm_link_is_healthy(physp)) continue;
    const osm_physp_t* far = osm_physp_get_remote(physp);
    const uint64_t far_guid = cl_ntoh64(osm_node_get_node_guid(far->p_node));
    if (far_guid < guid || (far_guid == guid && far->port_num <= port)) continue;
    char rate[16];
    if (fatwood_tell_cable(routes, guid, port, far_guid, far->port_num,
                           rate_name(physp, rate, sizeof rate)))
      return -1;
  }
  return 0;
}

/* Where a node comes in the telling: adapters by leaf switch and port, so that the destinations of
 * a leaf follow each other, as engines like it; then switches by GUID. (OpenSM's own order is that
 * of the GUIDs' bytes backwards.) */
struct place {
  int is_switch;
  uint64_t leaf; /* GUID; unconnected adapters last */
  uint8_t port;
  uint64_t guid;
  osm_node_t* node;
};

static struct place place_of(osm_node_t* node) {
  struct place place = {.is_switch = osm_node_get_type(node) == IB_NODE_TYPE_SWITCH,
                        .leaf = UINT64_MAX,
                        .guid = cl_ntoh64(osm_node_get_node_guid(node)),
                        .node = node};
  for (uint8_t port = 1; !place.is_switch && port < osm_node_get_num_physp(node); ++port) {
    osm_physp_t* physp = osm_node_get_physp_ptr(node, port);
    const osm_physp_t* far = physp ? osm_physp_get_remote(physp) : NULL;
    if (!far) continue;
    place.leaf = cl_ntoh64(osm_node_get_node_guid(far->p_node));
    place.port = far->port_num;
    break;
  }
  return place;
}

static int compare_places(const void* a, const void* b) {
  const struct place *x = a, *y = b;
  if (x->is_switch != y->is_switch) return x->is_switch - y->is_switch;
  if (x->leaf != y->leaf) return x->leaf < y->leaf ? -1 : 1;
  if (x->port != y->port) return x->port < y->port ? -1 : 1;
  return x->guid < y->guid ? -1 : x->guid > y->guid;
}

static int tell_fabric(fatwood_bridge* routes, osm_subn_t* subnet) {
  cl_qmap_t* nodes = &subnet->node_guid_tbl;
  const size_t count = cl_qmap_count(nodes);
  struct place* places = malloc((count + 1) * sizeof *places);
  if (!places) return -1;
  size_t at = 0;
  for (cl_map_item_t* item = cl_qmap_head(nodes); item != cl_qmap_end(nodes);
       item = cl_qmap_next(item))
    places[at++] = place_of((osm_node_t*)item);
  qsort(places, count, sizeof *places, compare_places);
  int result = 0;
  for (size_t i = 0; i < count && !result; ++i) result = tell_node(routes, places[i].node);
  for (size_t i = 0; i < count && !result; ++i) result = tell_cables(routes, places[i].node);
  free(places);
  return result;
}

/* Data lanes that every connected port between switches has: as many as an engine may use. */
static unsigned lanes_everywhere(osm_subn_t* subnet) {
  unsigned least = 8;
  cl_qmap_t* switches = &subnet->sw_guid_tbl;
  for (cl_map_item_t* item = cl_qmap_head(switches); item != cl_qmap_end(switches);
       item = cl_qmap_next(item)) {
    osm_node_t* node = ((osm_switch_t*)item)->p_node;
    for (uint8_t port = 1; port < osm_node_get_num_physp(node); ++port) {
      osm_physp_t* physp = osm_node_get_physp_ptr(node, port);
      if (!physp || !osm_physp_get_remote(physp)) continue;
      if (!osm_physp_get_remote(physp)->p_node->sw) continue;
      const unsigned code = ib_port_info_get_op_vls(&physp->port_info);
      const unsigned lanes = code == 0 ? 1 : code >= 5 ? 15 : 1U << (code - 1);
      if (lanes < least) least = lanes;
    }
  }
  return least;
}

static osm_switch_t* find_switch(osm_subn_t* subnet, uint64_t guid) {
  cl_map_item_t* item = cl_qmap_get(&subnet->sw_guid_tbl, cl_hton64(guid));
  return item == cl_qmap_end(&subnet->sw_guid_tbl) ? NULL : (osm_switch_t*)item;
}

/* OpenSM's multicast trees are built on hop counts: tell it the ports of shortest paths. Rows are
 * OpenSM's to free; they stay from sweep to sweep. */
static int set_hops(osm_switch_t** switches, fatwood_bridge* routes) {
  const size_t count = fatwood_switch_count(routes);
  uint16_t most = 0;
  for (size_t s = 0; s < count; ++s) {
    const uint16_t lid = fatwood_switch_lid(routes, s);
    if (!lid) return -1;
    if (lid > most) most = lid;
  }
  uint8_t*** hops = malloc((count + 1) * sizeof *hops);
  uint8_t* ports = malloc(count + 1);
  int result = hops && ports ? 0 : -1;
  for (size_t s = 0; s < count && !result; ++s) {
    osm_switch_clear_hops(switches[s]);
    if (most > switches[s]->max_lid_ho || most >= switches[s]->num_hops) result = -1;
    hops[s] = switches[s]->hops;
    ports[s] = switches[s]->num_ports;
  }
  if (!result) result = fatwood_write_hops(routes, hops, ports);
  free(hops);
  free(ports);
  return result;
}

static int write_tables(osm_opensm_t* osm, fatwood_bridge* routes) {
  const size_t count = fatwood_switch_count(routes);
  osm_switch_t** switches = malloc((count + 1) * sizeof *switches);
  uint8_t** lfts = malloc((count + 1) * sizeof *lfts);
  size_t size = IB_LID_UCAST_END_HO + 1;
  int result = switches && lfts ? 0 : -1;
  for (size_t s = 0; s < count && !result; ++s) {
    switches[s] = find_switch(&osm->subn, fatwood_switch_guid(routes, s));
    if (!switches[s] || !switches[s]->new_lft) {
      result = -1;
      break;
    }
    lfts[s] = switches[s]->new_lft;
    if (switches[s]->lft_size < size) size = switches[s]->lft_size;
  }
  if (!result) fatwood_write_lfts(routes, lfts, size);
  if (!result) result = set_hops(switches, routes);
  free(switches);
  free(lfts);
  return result;
}

/* For benchmarks: a line in the file that FATWOOD_TIMING names, "<engine> <wall seconds> <CPU
 * seconds of the process> 0 <wall> <CPU seconds of the engine alone>". The former are from OpenSM's
 * call to our return: the fabric read, routed, tables and hop counts written. */
static void note_seconds(const struct engine* engine, const struct fatwood_seconds* start,
                         const fatwood_bridge* routes) {
  const char* path = getenv("FATWOOD_TIMING");
  FILE* file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  const struct fatwood_seconds end = fatwood_clock(), alone = fatwood_engine_seconds(routes);
  fprintf(file, "%s %.6f %.6f 0 %.6f %.6f\n", engine->name, end.wall - start->wall,
          end.cpu - start->cpu, alone.wall, alone.cpu);
  fclose(file);
}

/* Hop counts are told together with the tables. */
static int build_lid_matrices(void* context) {
  (void)context;
  return 0;
}

static int build_fwd_tables(void* context) {
  struct engine* engine = context;
  osm_opensm_t* osm = engine->osm;
  osm_subn_t* subnet = &osm->subn;
  const struct fatwood_seconds start = fatwood_clock();
  fatwood_bridge* routes = fatwood_begin(engine->fatwood);
  if (!routes) {
    osm_log(&osm->log, OSM_LOG_ERROR, "%s: ERR FW01: no memory\n", engine->name);
    return -1;
  }
  const struct fatwood_options options = {
      .lmc = subnet->opt.lmc,
      .max_lanes = lanes_everywhere(subnet),
      .manager_guid = cl_ntoh64(subnet->sm_port_guid),
      .roots_file = subnet->opt.root_guid_file,
      .compute_file = subnet->opt.cn_guid_file,
      .order_file = subnet->opt.guid_routing_order_file,
  };
  if (tell_fabric(routes, subnet) || fatwood_route(routes, &options)) {
    osm_log(&osm->log, OSM_LOG_ERROR, "%s: ERR FW02: %s\n", engine->name, fatwood_error(routes));
    fatwood_end(routes);
    return -1;
  }
  const double routed = fatwood_clock().wall - start.wall;
  if (write_tables(osm, routes)) {
    osm_log(&osm->log, OSM_LOG_ERROR, "%s: ERR FW03: the tables can't be written\n", engine->name);
    fatwood_end(routes);
    return -1;
  }
  osm_log(&osm->log, OSM_LOG_INFO,
          "%s: %zu switches routed in %.6f s, tables and hop counts written in %.6f s, %u lane%s\n",
          engine->name, fatwood_switch_count(routes), routed,
          fatwood_clock().wall - start.wall - routed,
          fatwood_lanes(routes), fatwood_lanes(routes) == 1 ? "" : "s");
  note_seconds(engine, &start, routes);
  fatwood_end(engine->routes);
  engine->routes = routes;
  return 0;
}

static uint8_t path_sl(void* context, uint8_t hint, const ib_net16_t slid, const ib_net16_t dlid) {
  const struct engine* engine = context;
  if (!engine->routes || fatwood_lanes(engine->routes) == 1) return hint;
  return (uint8_t)fatwood_lane(engine->routes, cl_ntoh16(slid), cl_ntoh16(dlid));
}

/* Service level i travels in lane i; levels that the engine hands out to no path keep what
 * OpenSM's configuration says. */
static void update_sl2vl(void* context, osm_physp_t* port, uint8_t in_port, uint8_t out_port,
                         ib_slvl_table_t* table) {
  const struct engine* engine = context;
  (void)port;
  (void)in_port;
  (void)out_port;
  if (!engine->routes) return;
  const unsigned lanes = fatwood_lanes(engine->routes);
  for (unsigned sl = 0; lanes > 1 && sl < lanes; ++sl)
    ib_slvl_table_set(table, (uint8_t)sl, (uint8_t)sl);
}

static void destroy(void* context) {
  struct engine* engine = context;
  fatwood_end(engine->routes);
  engine->routes = NULL;
}

/* OpenSM hands no context to setup beside the engine's own name. */
static struct engine* registered;
static size_t registered_count;

static int setup(struct osm_routing_engine* re, struct osm_opensm* osm) {
  for (size_t i = 0; i < registered_count; ++i) {
    struct engine* engine = &registered[i];
    if (strcmp(engine->name, re->name)) continue;
    engine->osm = osm;
    re->context = engine;
    re->build_lid_matrices = build_lid_matrices;
    re->ucast_build_fwd_tables = build_fwd_tables;
    re->path_sl = path_sl;
    re->update_sl2vl = update_sl2vl;
    re->destroy = destroy;
    return 0;
  }
  return -1;
}

static void* create(struct osm_opensm* osm) {
  registered_count = fatwood_engine_count();
  registered = calloc(registered_count + 1, sizeof *registered);
  external_routing_engine_module_t* modules = calloc(registered_count + 1, sizeof *modules);
  if (!registered || !modules) return NULL;
  for (size_t i = 0; i < registered_count; ++i) {
    struct engine* engine = &registered[i];
    engine->osm = osm;
    engine->fatwood = fatwood_engine_name(i);
    snprintf(engine->name, sizeof engine->name, "fatwood_%s", engine->fatwood);
    modules[i].name = engine->name;
    modules[i].setup = setup;
    modules[i].context = engine;
    if (osm_register_external_routing_engine(osm, &modules[i], engine))
      osm_log(&osm->log, OSM_LOG_ERROR, "fatwood: ERR FW04: engine %s can't be registered\n",
              engine->name);
  }
  osm_log(&osm->log, OSM_LOG_INFO, "fatwood: %zu routing engines registered\n", registered_count);
  return modules;
}

static void delete_plugin(void* modules) {
  free(modules);
  free(registered);
  registered = NULL;
  registered_count = 0;
}

osm_event_plugin_t osm_event_plugin = {
    .osm_version = OSM_VERSION,
    .create = create,
    .delete = delete_plugin,
    .report = NULL,
};
