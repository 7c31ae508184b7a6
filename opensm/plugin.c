// SPDX-License-Identifier: BSD-3-Clause
/* libfatwood_opensm.so: Fatwood's engines inside OpenSM.
 *
 * OpenSM loads it as an event plug-in (event_plugin_name fatwood_opensm); create() registers each
 * engine with one port per entry as "fatwood_<name>". At every heavy sweep, under
 * OpenSM's lock, the plug-in reads the fabric from the subnet object, routes it with Fatwood, and
 * writes the result into each switch's new_lft. OpenSM then sends the blocks that changed. If an
 * engine cannot keep its promise, or takes longer than fatwood_seconds, an error is logged. The
 * switches then keep the tables that it wrote before; if there are none, OpenSM tries its next
 * engine.
 *
 * With the option fatwood_repair (options.h), entries in the switches stay if possible (keep.c),
 * also those that an earlier run of OpenSM left there (warm_start.h), and only changes are sent. If
 * old and new entries may not be mixed in any order, some are left out at first. When all blocks
 * are answered, the plug-in asks OpenSM to route again, which gives the next round.
 *
 * Multicast trees are Fatwood's too (multicast.c).
 *
 * Of the plug-in, only the files of this folder see OpenSM's headers (they are in C because a
 * member is named `delete`). The symbols that they call are in the opensm executable.
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
#include <time.h>

#include "engine.h"
#include "subnet.h"
#include "warm_start.h"

/* Writes hop counts to all switches for all ports of shortest paths. If an engine builds its own
 * multicast trees, only OpenSM's dumps show them, and they are larger than all tables. So they are
 * written only if OpenSM is configured to dump. OpenSM frees the rows; they stay between sweeps. */
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

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* For benchmarks (bench/opensm) only: appends a line to the file that the environment names,
 * "<engine> <wall seconds> <CPU seconds of the process> 0 <wall> <CPU seconds of the engine
 * alone>". The first two cover everything from OpenSM's call to our return: reading the fabric,
 * routing, and writing tables. */
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

/* Nothing to do here: all work happens when the tables are built. */
static int build_lid_matrices(void* context) {
  (void)context;
  return 0;
}

/* nue opens lanes as it needs them, up to its limit. So it gets the limit of OpenSM's own nue:
 * nue_max_num_vls (0: all), and 1 without QoS, because OpenSM would not set up the others. */
static unsigned allowed_lanes(const struct engine* engine, const osm_subn_opt_t* options,
                              unsigned lanes) {
  if (strcmp(engine->fatwood, "nue") != 0) return lanes;
  if (!options->qos) return 1;
  const unsigned asked = options->nue_max_num_vls;
  return asked == 0 || asked > lanes ? lanes : asked;
}

/* Reads and routes the fabric. NULL on failure, with the reason in the log. */
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
  if (!add_subnet(fabric, subnet, lanes, &error)) {
    *lanes = allowed_lanes(engine, &subnet->opt, *lanes);
    const struct fatwood_options options = {
        .lmc = subnet->opt.lmc,
        .max_lanes = *lanes,
        .manager_guid = cl_ntoh64(subnet->sm_port_guid),
        .roots_file = subnet->opt.root_guid_file,
        .compute_file = subnet->opt.cn_guid_file,
        .order_file = subnet->opt.guid_routing_order_file,
        .seconds = engine->options.seconds,
    };
    routes = fatwood_route(fabric, engine->fatwood, &options, &error);
  }
  if (!routes) osm_log(&osm->log, OSM_LOG_ERROR, "%s: ERR FW02: %s\n", engine->name, error.text);
  fatwood_fabric_free(fabric);
  return routes;
}

/* Called if the engine refused or took too long: the switches keep the tables that it wrote before.
 * If there are none (first sweep, or another engine wrote them), OpenSM tries its next engine. */
static int keep_current(struct engine* engine) {
  osm_opensm_t* osm = engine->osm;
  if (!engine->owns && engine->warm != WARM_OURS) return -1;
  cl_qmap_t* switches = &osm->subn.sw_guid_tbl;
  for (cl_map_item_t* item = cl_qmap_head(switches); item != cl_qmap_end(switches);
       item = cl_qmap_next(item)) {
    osm_switch_t* sw = (osm_switch_t*)item;
    if (!sw->lft || !sw->new_lft) continue;
    if (engine->warm != WARM_NOT) forget_rest(sw);
    memcpy(sw->new_lft, sw->lft, sw->lft_size);
  }
  osm_log(&osm->log, OSM_LOG_ERROR,
          "%s: ERR FW09: no new tables: the switches keep their current ones\n", engine->name);
  engine->in_round = 0;
  engine->wrote = 1;
  return 0;
}

static int build_fwd_tables(void* context) {
  struct engine* engine = context;
  osm_opensm_t* osm = engine->osm;
  const double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  unsigned lanes = 1; /* allowed by the fabric and OpenSM's options */
  fatwood_routes* routes = route_subnet(engine, &lanes);
  if (!routes) return keep_current(engine);
  if (engine->options.repair) routes = keep_old(engine, routes);
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
  engine->wrote = 1;
  return 0;
}

static uint8_t path_sl(void* context, uint8_t hint, const ib_net16_t slid, const ib_net16_t dlid) {
  const struct engine* engine = context;
  if (!engine->routes || fatwood_lane_count(engine->routes) == 1) return hint;
  return (uint8_t)fatwood_service_level(engine->routes, cl_ntoh16(slid), cl_ntoh16(dlid));
}

/* SL i uses VL i. SLs that no path uses keep OpenSM's configuration. */
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

static void destroy(void* context) {
  struct engine* engine = context;
  fatwood_routes_free(engine->routes);
  engine->routes = NULL;
}

/* OpenSM passes no context to setup, only the name of the engine. */
static struct engine* registered;
static size_t registered_count;
/* The record of tables (warm_start.h); NULL until needed. */
static osm_db_domain_t* record;

static int setup(struct osm_routing_engine* re, struct osm_opensm* osm) {
  for (size_t i = 0; i < registered_count; ++i) {
    struct engine* engine = &registered[i];
    if (strcmp(engine->name, re->name) != 0) continue;
    engine->osm = osm;
    engine->in_use = 1;
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
    osm_log(&osm->log, OSM_LOG_ERROR, "fatwood: ERR FW06: %s; every sweep routes from scratch\n",
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
  osm_log(&osm->log, OSM_LOG_INFO, "fatwood: %zu routing engines registered, built for %s\n",
          registered_count, OSM_VERSION);
  return modules;
}

static void delete_plugin(void* modules) {
  free(modules);
  free(registered);
  registered = NULL;
  registered_count = 0;
  record = NULL;
}

static int keeps_across_restarts(const struct engine* engine) {
  return engine->in_use && engine->options.repair && !engine->options.cold;
}

/* Called after discovery and before routing. If OpenSM has just become master (need_update), it
 * knows no tables. */
static void start_warm(void) {
  int read = 0;
  for (size_t i = 0; i < registered_count; ++i) {
    struct engine* engine = &registered[i];
    engine->warm = WARM_NOT;
    if (!keeps_across_restarts(engine) || !engine->osm->subn.need_update) continue;
    osm_opensm_t* osm = engine->osm;
    if (!read) {
      const struct read_tables asked = read_tables(osm);
      osm_log(&osm->log, OSM_LOG_INFO, "fatwood: tables of %zu switches read, %zu blocks\n",
              asked.switches, asked.blocks);
      if (!asked.switches) return;
      if (!record) record = open_record(osm);
    }
    read = 1;
    engine->warm = are_ours(osm, record, engine->name) ? WARM_OURS : WARM_FOREIGN;
    if (engine->warm == WARM_FOREIGN)
      osm_log(&osm->log, OSM_LOG_INFO, "%s: most tables are not what it left\n", engine->name);
  }
}

/* Called when all blocks are answered. */
static void end_routing(struct engine* engine) {
  osm_opensm_t* osm = engine->osm;
  /* For the rest of the sweep OpenSM behaves like a manager that has just started. */
  if (engine->warm != WARM_NOT) osm->subn.need_update = 1;
  engine->warm = WARM_NOT;
  if (engine->wrote && keeps_across_restarts(engine)) {
    if (!record) record = open_record(osm);
    if (record) record_tables(osm, record, engine->name);
  }
  engine->owns = engine->wrote;
  engine->wrote = 0;
  /* Starts the next round. The rest of this sweep gives packets in flight time to arrive. */
  if (!engine->again) return;
  engine->again = 0;
  engine->in_round = 1;
  osm->subn.force_reroute = TRUE;
  osm_sm_signal(&osm->sm, OSM_SIGNAL_SWEEP);
}

static void report(void* modules, osm_epi_event_id_t event, void* data) {
  (void)modules;
  (void)data;
  if (event == OSM_EVENT_ID_HEAVY_SWEEP_DONE) start_warm();
  if (event != OSM_EVENT_ID_UCAST_ROUTING_DONE) return;
  for (size_t i = 0; i < registered_count; ++i) end_routing(&registered[i]);
}

/* For `strings libfatwood_opensm.so | grep fatwood-opensm`. OpenSM itself refuses a plug-in that
 * was built for another version, with a line in its log. */
__attribute__((used)) static const char built_for[] = "fatwood-opensm: built for " OSM_VERSION;

osm_event_plugin_t osm_event_plugin = {
    .osm_version = OSM_VERSION,
    .create = create,
    .delete = delete_plugin,
    .report = report,
};
