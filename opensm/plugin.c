// SPDX-License-Identifier: BSD-3-Clause
/* libfatwood_opensm.so: Fatwood's engines inside OpenSM.
 *
 * OpenSM loads it as an event plug-in (event_plugin_name fatwood_opensm); create() registers each
 * engine that fills tables as the routing engine "fatwood_<name>". At every heavy sweep, under
 * OpenSM's lock: the fabric is read from the subnet object, routed by Fatwood, and the result
 * written into each switch's new_lft, from where OpenSM sends the blocks that changed. An engine
 * that can't keep its promise is a logged error; OpenSM then goes on to its next engine.
 *
 * Where opensm.conf asks for it (event_plugin_options fatwood_repair; options.h has the words),
 * what is in the switches stays as far as it can, and only what changes is sent. Where old and new
 * entries may not be mixed in any order, some are left out at first; when all of that is answered,
 * the plug-in asks OpenSM to route again, and the next round follows.
 *
 * Trees of multicast groups are Fatwood's too.
 *
 * This file and subnet.c alone see OpenSM's headers (they are C: a member is named `delete`). The
 * symbols it calls are in the opensm executable.
 */
#include <opensm/osm_config.h>
#include <opensm/osm_event_plugin.h>
#include <opensm/osm_log.h>
#include <opensm/osm_multicast.h>
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
#include <time.h>

/* It does not include what it needs. */
#include <opensm/osm_mcast_mgr.h>

#include "options.h"
#include "subnet.h"

/* One registered engine. Alive as long as OpenSM. */
struct engine {
  osm_opensm_t* osm;
  char name[64];          /* "fatwood_sftree" */
  const char* fatwood;    /* "sftree" */
  fatwood_routes* routes; /* of the last sweep: path_sl is asked for it */
  struct plugin_options options;
  int again;    /* entries wait for a further round */
  int in_round; /* it was asked for: nothing more is spent on balance */
};

static osm_switch_t* find_switch(osm_subn_t* subnet, uint64_t guid) {
  cl_map_item_t* item = cl_qmap_get(&subnet->sw_guid_tbl, cl_hton64(guid));
  return item == cl_qmap_end(&subnet->sw_guid_tbl) ? NULL : (osm_switch_t*)item;
}

/* Hop counts to all switches by all ports of shortest paths. Only OpenSM's dumps of its tables show
 * them when an engine builds its multicast trees itself, so they are written only when OpenSM is
 * asked for dumps: they are more bytes than all tables. Rows are OpenSM's to free; they stay from
 * sweep to sweep. */
static int write_hops(osm_switch_t** switches, const fatwood_routes* routes, fatwood_error* error) {
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
  if (!result) result = fatwood_write_hops(routes, hops, ports, error);
  free(hops);
  free(ports);
  return result;
}

/* OpenSM's switches as Fatwood numbers them; NULL where it has none any more. The caller frees. */
static osm_switch_t** list_switches(osm_opensm_t* osm, const fatwood_routes* routes) {
  const size_t count = fatwood_switch_count(routes);
  osm_switch_t** switches = calloc(count + 1, sizeof *switches);
  for (size_t s = 0; switches && s < count; ++s)
    switches[s] = find_switch(&osm->subn, fatwood_switch_guid(routes, s));
  return switches;
}

static int write_tables(osm_opensm_t* osm, const fatwood_routes* routes, fatwood_error* error) {
  const size_t count = fatwood_switch_count(routes);
  osm_switch_t** switches = list_switches(osm, routes);
  uint8_t** lfts = malloc((count + 1) * sizeof *lfts);
  size_t size = IB_LID_UCAST_END_HO + 1;
  int result = switches && lfts ? 0 : -1;
  for (size_t s = 0; s < count && !result; ++s) {
    if (!switches[s] || !switches[s]->new_lft) {
      result = -1;
      break;
    }
    lfts[s] = switches[s]->new_lft;
    if (switches[s]->lft_size < size) size = switches[s]->lft_size;
  }
  if (!result) result = fatwood_write_tables(routes, lfts, size, error);
  if (!result && osm_log_is_active(&osm->log, OSM_LOG_ROUTING))
    result = write_hops(switches, routes, error);
  free(switches);
  free(lfts);
  return result;
}

/* OpenSM sends the whole table again to a switch with a port that changed its state. That is for
 * one that may have rebooted; one that still has the highest LID that was set did not. */
static void send_changes_only(osm_switch_t* sw) {
  if (sw->need_update == 1 && sw->max_lid_ho != 0 &&
      cl_ntoh16(sw->switch_info.lin_top) == sw->max_lid_ho)
    sw->need_update = 0;
}

/* What became of the tables in the switches. */
static void tell_kept(const struct engine* engine, const struct fatwood_kept* kept) {
  osm_log_t* const log = &engine->osm->log;
  if (kept->taken == FATWOOD_NEW_UNPROVED)
    osm_log(log, OSM_LOG_INFO, "%s: routed anew: a repair can't be proved\n", engine->name);
  if (kept->taken == FATWOOD_NEW_UNEVEN)
    osm_log(log, OSM_LOG_INFO,
            "%s: routed anew: the fullest channel would carry %.3f times as much, %.3f allowed\n",
            engine->name, kept->drift, engine->options.keep.most_drift);
  osm_log(log, OSM_LOG_INFO, "%s: %s: %zu entries in %zu blocks change\n", engine->name,
          kept->taken == FATWOOD_KEPT ? "repaired" : "anew", kept->entries, kept->blocks);
  if (kept->taken == FATWOOD_KEPT && engine->options.keep.even)
    osm_log(log, OSM_LOG_INFO, "%s: %zu of %zu spare blocks spent\n", engine->name,
            kept->spare_blocks, engine->in_round ? 0 : engine->options.keep.spare_blocks);
  if (kept->held)
    osm_log(log, OSM_LOG_INFO, "%s: %zu entries wait for the next round\n", engine->name,
            kept->held);
  if (kept->mixed_unsafe)
    osm_log(
        log, OSM_LOG_ERROR,
        "%s: ERR FW07: until all blocks are written, old and new entries can loop or deadlock\n",
        engine->name);
}

/* Keeps what is in the switches and can stay. The tables there are those that answered the last
 * sweep's packets: a new switch has none, and a block that was not answered is all zeros. */
static void keep_old(struct engine* engine, fatwood_routes* routes) {
  osm_opensm_t* osm = engine->osm;
  const size_t count = fatwood_switch_count(routes);
  osm_switch_t** switches = list_switches(osm, routes);
  const uint8_t** old = calloc(count + 1, sizeof *old);
  size_t size = IB_LID_UCAST_END_HO + 1;
  for (size_t s = 0; switches && old && s < count; ++s) {
    if (!switches[s] || switches[s]->need_update == 2 || !switches[s]->lft) continue;
    old[s] = switches[s]->lft;
    if (switches[s]->lft_size < size) size = switches[s]->lft_size;
  }
  struct fatwood_keep_options options = engine->options.keep;
  options.before = engine->routes;
  if (engine->in_round) options.even = 0, options.spare_blocks = 0;
  struct fatwood_kept kept;
  fatwood_error error = {"no memory"};
  if (!switches || !old || fatwood_keep(routes, old, size, &options, &kept, &error)) {
    osm_log(&osm->log, OSM_LOG_INFO, "%s: routed anew: %s\n", engine->name, error.text);
  } else {
    tell_kept(engine, &kept);
    engine->again = kept.held != 0;
    for (size_t s = 0; s < count; ++s)
      if (old[s]) send_changes_only(switches[s]);
  }
  engine->in_round = 0;
  free(switches);
  free(old);
}

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* For benchmarks (bench/opensm), and left out of the plug-in otherwise: a line in the file that the
 * environment names, "<engine> <wall seconds> <CPU seconds of the process> 0 <wall> <CPU seconds of
 * the engine alone>". The former are from OpenSM's call to our return: the fabric read, routed,
 * tables written. */
#ifdef FATWOOD_TIMING
static void note_seconds(const struct engine* engine, double wall, double cpu,
                         const fatwood_routes* routes) {
  const char* path = getenv("FATWOOD_TIMING");
  FILE* file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  const struct fatwood_seconds alone = fatwood_engine_seconds(routes);
  fprintf(file, "%s %.6f %.6f 0 %.6f %.6f\n", engine->name, wall, cpu, alone.wall, alone.cpu);
  fclose(file);
}
#endif

/* All is done with the tables. */
static int build_lid_matrices(void* context) {
  (void)context;
  return 0;
}

/* nue takes what lanes it is given, so it is given those of OpenSM's own nue: nue_max_num_vls (0:
 * all there are), and one where nothing would set up the others. */
static unsigned allowed_lanes(const struct engine* engine, const osm_subn_opt_t* options,
                              unsigned lanes) {
  if (strcmp(engine->fatwood, "nue") != 0) return lanes;
  if (!options->qos) return 1;
  const unsigned asked = options->nue_max_num_vls;
  return asked == 0 || asked > lanes ? lanes : asked;
}

/* The fabric read and routed; NULL, with the reason in the log. */
static fatwood_routes* route_subnet(const struct engine* engine, unsigned* lanes) {
  osm_opensm_t* osm = engine->osm;
  osm_subn_t* subnet = &osm->subn;
  fatwood_fabric* fabric = fatwood_fabric_new();
  if (!fabric) {
    osm_log(&osm->log, OSM_LOG_ERROR, "%s: ERR FW01: no memory\n", engine->name);
    return NULL;
  }
  fatwood_error error;
  fatwood_routes* routes = NULL;
  if (!tell_subnet(fabric, subnet, lanes, &error)) {
    *lanes = allowed_lanes(engine, &subnet->opt, *lanes);
    const struct fatwood_options options = {
        .lmc = subnet->opt.lmc,
        .max_lanes = *lanes,
        .manager_guid = cl_ntoh64(subnet->sm_port_guid),
        .roots_file = subnet->opt.root_guid_file,
        .compute_file = subnet->opt.cn_guid_file,
        .order_file = subnet->opt.guid_routing_order_file,
    };
    routes = fatwood_route(fabric, engine->fatwood, &options, &error);
  }
  if (!routes) osm_log(&osm->log, OSM_LOG_ERROR, "%s: ERR FW02: %s\n", engine->name, error.text);
  fatwood_fabric_free(fabric);
  return routes;
}

static int build_fwd_tables(void* context) {
  struct engine* engine = context;
  osm_opensm_t* osm = engine->osm;
  const double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  unsigned lanes = 1; /* that the fabric and OpenSM's options allow */
  fatwood_routes* routes = route_subnet(engine, &lanes);
  if (!routes) return -1;
  if (engine->options.repair) keep_old(engine, routes);
  const double routed = now(CLOCK_MONOTONIC);
  fatwood_error error = {"OpenSM's switches are not as they were, or there is no memory"};
  if (write_tables(osm, routes, &error)) {
    osm_log(&osm->log, OSM_LOG_ERROR, "%s: ERR FW03: the tables can't be written: %s\n",
            engine->name, error.text);
    fatwood_routes_free(routes);
    return -1;
  }
  const double end = now(CLOCK_MONOTONIC);
  osm_log(&osm->log, OSM_LOG_INFO,
          "%s: %zu switches routed in %.6f s, tables written in %.6f s, %u lane%s (%u allowed)\n",
          engine->name, fatwood_switch_count(routes), routed - wall, end - routed,
          fatwood_lane_count(routes), fatwood_lane_count(routes) == 1 ? "" : "s", lanes);
#ifdef FATWOOD_TIMING
  note_seconds(engine, end - wall, now(CLOCK_PROCESS_CPUTIME_ID) - cpu, routes);
#else
  (void)cpu;
#endif
  fatwood_routes_free(engine->routes);
  engine->routes = routes;
  return 0;
}

static uint8_t path_sl(void* context, uint8_t hint, const ib_net16_t slid, const ib_net16_t dlid) {
  const struct engine* engine = context;
  if (!engine->routes || fatwood_lane_count(engine->routes) == 1) return hint;
  return (uint8_t)fatwood_service_level(engine->routes, cl_ntoh16(slid), cl_ntoh16(dlid));
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
  const unsigned lanes = fatwood_lane_count(engine->routes);
  for (unsigned sl = 0; lanes > 1 && sl < lanes; ++sl)
    ib_slvl_table_set(table, (uint8_t)sl, (uint8_t)sl);
}

/* What the tree of one group is written into. */
struct group {
  osm_switch_t** switches;
  uint16_t mlid;
};

static void use_port(void* context, size_t s, uint8_t port) {
  const struct group* group = context;
  osm_mcast_tbl_set(&group->switches[s]->mcast_tbl, group->mlid, port);
}

/* The switch of each member, with the port to the member set in its table; how many there are. */
static size_t join_members(cl_qlist_t* ports, uint16_t mlid, uint16_t* lids) {
  size_t count = 0;
  for (cl_list_item_t* item = cl_qlist_head(ports); item != cl_qlist_end(ports);
       item = cl_qlist_next(item)) {
    const osm_port_t* port = ((osm_mcast_work_obj_t*)item)->p_port;
    const osm_physp_t* at = port->p_physp;
    if (!port->p_node->sw) at = at ? at->p_remote_physp : NULL;
    if (!at || !at->p_node->sw) continue;
    osm_mcast_tbl_set(&at->p_node->sw->mcast_tbl, mlid, port->p_node->sw ? 0 : at->port_num);
    lids[count++] = cl_ntoh16(osm_node_get_base_lid(at->p_node, 0));
  }
  return count;
}

/* The members' switches joined by a tree of Fatwood's: OpenSM would need hop counts of all pairs.
 */
static int join_switches(struct engine* engine, uint16_t mlid, const uint16_t* lids, size_t count) {
  const size_t switch_count = fatwood_switch_count(engine->routes);
  struct group group = {.switches = list_switches(engine->osm, engine->routes), .mlid = mlid};
  uint8_t* capable = calloc(switch_count + 1, 1);
  int result = group.switches && capable ? 0 : -1;
  for (size_t s = 0; s < switch_count && !result; ++s)
    capable[s] = group.switches[s] && osm_switch_supports_mcast(group.switches[s]);
  size_t left_out = 0;
  fatwood_error error = {"no memory"};
  if (!result)
    result = fatwood_multicast_tree(engine->routes, lids, count, capable, mlid, use_port, &group,
                                    &left_out, &error);
  if (result)
    osm_log(&engine->osm->log, OSM_LOG_ERROR, "%s: ERR FW05: MLID 0x%X: %s\n", engine->name, mlid,
            error.text);
  if (left_out)
    osm_log(&engine->osm->log, OSM_LOG_ERROR,
            "%s: ERR FW06: MLID 0x%X: %zu switches with members can't be joined\n", engine->name,
            mlid, left_out);
  free(group.switches);
  free(capable);
  return result;
}

/* OpenSM has cleared the group's entries before. */
static ib_api_status_t build_multicast(void* context, osm_mgrp_box_t* box) {
  struct engine* engine = context;
  osm_purge_mtree(&engine->osm->sm, box);
  if (!engine->routes) return IB_ERROR;
  cl_qlist_t ports;
  cl_qmap_t seen;
  if (osm_mcast_make_port_list_and_map(&ports, &seen, box)) {
    osm_mcast_drop_port_list(&ports);
    return IB_INSUFFICIENT_MEMORY;
  }
  int result = 0;
  if (cl_qlist_count(&ports) > 1) {
    uint16_t* lids = malloc(cl_qlist_count(&ports) * sizeof *lids);
    result = lids ? 0 : -1;
    if (lids)
      result = join_switches(engine, box->mlid, lids, join_members(&ports, box->mlid, lids));
    free(lids);
  }
  osm_mcast_drop_port_list(&ports);
  return result ? IB_ERROR : IB_SUCCESS;
}

static void destroy(void* context) {
  struct engine* engine = context;
  fatwood_routes_free(engine->routes);
  engine->routes = NULL;
}

/* OpenSM hands no context to setup beside the engine's own name. */
static struct engine* registered;
static size_t registered_count;

static int setup(struct osm_routing_engine* re, struct osm_opensm* osm) {
  for (size_t i = 0; i < registered_count; ++i) {
    struct engine* engine = &registered[i];
    if (strcmp(engine->name, re->name) != 0) continue;
    engine->osm = osm;
    re->context = engine;
    re->build_lid_matrices = build_lid_matrices;
    re->ucast_build_fwd_tables = build_fwd_tables;
    re->path_sl = path_sl;
    re->update_sl2vl = update_sl2vl;
    re->mcast_build_stree = build_multicast;
    re->destroy = destroy;
    return 0;
  }
  return -1;
}

static void* create(struct osm_opensm* osm) {
  registered_count = fatwood_engine_count();
  registered = calloc(registered_count + 1, sizeof *registered);
  external_routing_engine_module_t* modules = calloc(registered_count + 1, sizeof *modules);
  if (!registered || !modules) {
    free(registered);
    free(modules);
    registered = NULL;
    return NULL;
  }
  struct plugin_options options;
  fatwood_error error;
  if (read_options(osm->subn.opt.event_plugin_options, &options, &error))
    osm_log(&osm->log, OSM_LOG_ERROR, "fatwood: ERR FW06: %s; every sweep routes anew\n",
            error.text);
  for (size_t i = 0; i < registered_count; ++i) {
    struct engine* engine = &registered[i];
    engine->osm = osm;
    engine->options = options;
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

/* All blocks of a round are answered: the next one. What OpenSM still does in this sweep is time
 * for packets under way to arrive. */
static void report(void* modules, osm_epi_event_id_t event, void* data) {
  (void)modules;
  (void)data;
  if (event != OSM_EVENT_ID_UCAST_ROUTING_DONE) return;
  for (size_t i = 0; i < registered_count; ++i) {
    struct engine* engine = &registered[i];
    if (!engine->again) continue;
    engine->again = 0;
    engine->in_round = 1;
    engine->osm->subn.force_reroute = TRUE;
    osm_sm_signal(&engine->osm->sm, OSM_SIGNAL_SWEEP);
  }
}

osm_event_plugin_t osm_event_plugin = {
    .osm_version = OSM_VERSION,
    .create = create,
    .delete = delete_plugin,
    .report = report,
};
