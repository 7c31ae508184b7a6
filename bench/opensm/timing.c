// SPDX-License-Identifier: BSD-3-Clause
/* libfatwood_timing.so: OpenSM's own routing engines, timed inside its process.
 *
 * Registers "timed_<engine>" for each built-in engine: the built-in's own functions, wrapped in
 * clocks. Each routing appends a line to the file that FATWOOD_TIMING names:
 *
 *   <engine> <wall seconds> <CPU seconds of the process> <0 or OpenSM's failure code>
 *
 * and, where FATWOOD_TIMING_LEVELS names a file, the service level of each path from a switch
 * there, in the form that `fatwood verify --sl` and `ibdmchk -c` read.
 *
 * The seconds are those of the hop matrices and of the tables together, as Fatwood's plug-in counts
 * its own. With FATWOOD_TIMING_NEXT set, the engine then fails and OpenSM goes on to the next one
 * of its list, so that two are timed in one process; hop matrices are given back for that, so that
 * the next has no less to do.
 */
#include <inttypes.h>
#include <malloc.h>
#include <opensm/osm_config.h>
#include <opensm/osm_event_plugin.h>
#include <opensm/osm_log.h>
#include <opensm/osm_opensm.h>
#include <opensm/osm_subnet.h>
#include <opensm/osm_ucast_mgr.h>
#include <opensm/osm_version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int (*setup_function)(struct osm_routing_engine*, osm_opensm_t*);

int osm_ucast_minhop_setup(struct osm_routing_engine*, osm_opensm_t*);
int osm_ucast_updn_setup(struct osm_routing_engine*, osm_opensm_t*);
int osm_ucast_dnup_setup(struct osm_routing_engine*, osm_opensm_t*);
int osm_ucast_ftree_setup(struct osm_routing_engine*, osm_opensm_t*);
int osm_ucast_lash_setup(struct osm_routing_engine*, osm_opensm_t*);
int osm_ucast_sssp_setup(struct osm_routing_engine*, osm_opensm_t*);
int osm_ucast_dfsssp_setup(struct osm_routing_engine*, osm_opensm_t*);
int osm_ucast_nue_setup(struct osm_routing_engine*, osm_opensm_t*);

struct timed {
  const char* name;
  setup_function setup;
  osm_routing_engine_type_t type;
  struct osm_routing_engine builtin; /* as its own setup filled it */
  osm_opensm_t* osm;
  double wall, cpu;
};

static struct timed engines[] = {
    {.name = "timed_minhop",
     .setup = osm_ucast_minhop_setup,
     .type = OSM_ROUTING_ENGINE_TYPE_MINHOP},
    {.name = "timed_updn", .setup = osm_ucast_updn_setup, .type = OSM_ROUTING_ENGINE_TYPE_UPDN},
    {.name = "timed_dnup", .setup = osm_ucast_dnup_setup, .type = OSM_ROUTING_ENGINE_TYPE_DNUP},
    {.name = "timed_ftree", .setup = osm_ucast_ftree_setup, .type = OSM_ROUTING_ENGINE_TYPE_FTREE},
    {.name = "timed_lash", .setup = osm_ucast_lash_setup, .type = OSM_ROUTING_ENGINE_TYPE_LASH},
    {.name = "timed_sssp", .setup = osm_ucast_sssp_setup, .type = OSM_ROUTING_ENGINE_TYPE_SSSP},
    {.name = "timed_dfsssp",
     .setup = osm_ucast_dfsssp_setup,
     .type = OSM_ROUTING_ENGINE_TYPE_DFSSSP},
    {.name = "timed_nue", .setup = osm_ucast_nue_setup, .type = OSM_ROUTING_ENGINE_TYPE_NUE},
};
enum { kEngines = sizeof engines / sizeof *engines };

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A built-in without matrices of its own gets OpenSM's. */
static int matrices(void* context) {
  struct timed* engine = context;
  const double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  int result = 1;
  if (engine->builtin.build_lid_matrices)
    result = engine->builtin.build_lid_matrices(engine->builtin.context);
  if (result > 0) result = osm_ucast_mgr_build_lid_matrices(&engine->osm->sm.ucast_mgr);
  engine->wall = now(CLOCK_MONOTONIC) - wall;
  engine->cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  return result;
}

static void give_back_hops(osm_subn_t* subnet) {
  for (cl_map_item_t* item = cl_qmap_head(&subnet->sw_guid_tbl);
       item != cl_qmap_end(&subnet->sw_guid_tbl); item = cl_qmap_next(item)) {
    osm_switch_t* sw = (osm_switch_t*)item;
    for (unsigned lid = 0; lid < sw->num_hops; ++lid) {
      free(sw->hops[lid]);
      sw->hops[lid] = NULL;
    }
  }
}

/* OpenSM's own filling of tables from hop matrices: what it does for engines that have none. It is
 * no exported function, but what minhop is set up with. */
static int default_tables(osm_opensm_t* osm) {
  struct osm_routing_engine minhop = {.type = OSM_ROUTING_ENGINE_TYPE_MINHOP, .name = "minhop"};
  if (osm_ucast_minhop_setup(&minhop, osm) || !minhop.ucast_build_fwd_tables) return -1;
  return minhop.ucast_build_fwd_tables(minhop.context);
}

/* The engines hand out levels by LID: those of a switch's hosts are the switch's own. */
static void write_levels(const struct timed* engine) {
  const char* path = getenv("FATWOOD_TIMING_LEVELS");
  FILE* file = path && engine->builtin.path_sl ? fopen(path, "w") : NULL;
  if (!file) return;
  const osm_subn_t* subnet = &engine->osm->subn;
  for (cl_map_item_t* item = cl_qmap_head(&subnet->sw_guid_tbl);
       item != cl_qmap_end(&subnet->sw_guid_tbl); item = cl_qmap_next(item)) {
    const osm_switch_t* sw = (const osm_switch_t*)item;
    const ib_net16_t from = osm_node_get_base_lid(sw->p_node, 0);
    for (uint16_t lid = 1; lid <= subnet->max_ucast_lid_ho; ++lid) {
      if (!osm_get_port_by_lid_ho(subnet, lid)) continue;
      fprintf(file, "0x%" PRIx64 " %u %u\n", cl_ntoh64(osm_node_get_node_guid(sw->p_node)), lid,
              engine->builtin.path_sl(engine->builtin.context, 0, from, cl_hton16(lid)));
    }
  }
  fclose(file);
}

static int tables(void* context) {
  struct timed* engine = context;
  const double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  int result = 1;
  if (engine->builtin.ucast_build_fwd_tables)
    result = engine->builtin.ucast_build_fwd_tables(engine->builtin.context);
  if (result > 0) result = default_tables(engine->osm);
  engine->wall += now(CLOCK_MONOTONIC) - wall;
  engine->cpu += now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  const char* path = getenv("FATWOOD_TIMING");
  FILE* file = path ? fopen(path, "a") : NULL;
  if (file) {
    fprintf(file, "%s %.6f %.6f %d\n", engine->name + strlen("timed_"), engine->wall, engine->cpu,
            result);
    fclose(file);
  }
  if (!result) write_levels(engine);
  if (!getenv("FATWOOD_TIMING_NEXT")) return result;
  give_back_hops(&engine->osm->subn);
  malloc_trim(0); /* or the next engine's first allocation sorts what this one freed */
  return -1;
}

static uint8_t path_sl(void* context, uint8_t hint, const ib_net16_t slid, const ib_net16_t dlid) {
  const struct timed* engine = context;
  return engine->builtin.path_sl(engine->builtin.context, hint, slid, dlid);
}

static void update_sl2vl(void* context, osm_physp_t* port, uint8_t in, uint8_t out,
                         ib_slvl_table_t* table) {
  const struct timed* engine = context;
  engine->builtin.update_sl2vl(engine->builtin.context, port, in, out, table);
}

static void destroy(void* context) {
  struct timed* engine = context;
  if (engine->builtin.destroy) engine->builtin.destroy(engine->builtin.context);
}

static int setup(struct osm_routing_engine* re, osm_opensm_t* osm) {
  for (size_t i = 0; i < kEngines; ++i) {
    struct timed* engine = &engines[i];
    if (strcmp(engine->name, re->name) != 0) continue;
    engine->osm = osm;
    engine->builtin.type = engine->type;
    engine->builtin.name = engine->name + strlen("timed_");
    const int result = engine->setup(&engine->builtin, osm);
    if (result) return result;
    re->context = engine;
    re->build_lid_matrices = matrices;
    re->ucast_build_fwd_tables = tables;
    re->destroy = destroy;
    if (engine->builtin.path_sl) re->path_sl = path_sl;
    if (engine->builtin.update_sl2vl) re->update_sl2vl = update_sl2vl;
    return 0;
  }
  return -1;
}

static void* create(struct osm_opensm* osm) {
  static external_routing_engine_module_t modules[kEngines];
  for (size_t i = 0; i < kEngines; ++i) {
    modules[i].name = engines[i].name;
    modules[i].setup = setup;
    modules[i].context = &engines[i];
    osm_register_external_routing_engine(osm, &modules[i], &engines[i]);
  }
  return modules;
}

static void delete_plugin(void* modules) { (void)modules; }

osm_event_plugin_t osm_event_plugin = {
    .osm_version = OSM_VERSION, .create = create, .delete = delete_plugin, .report = NULL};
