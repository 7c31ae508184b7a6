// SPDX-License-Identifier: BSD-3-Clause
/* Keeps entries that are already in the switches (option fatwood_repair, see options.h). */
#include <opensm/osm_config.h> /* must come first: the other headers depend on it */
#include <opensm/osm_log.h>
#include <opensm/osm_switch.h>
#include <stdlib.h>

#include "engine.h"
#include "warm_start.h"

static osm_switch_t* find_switch(osm_subn_t* subnet, uint64_t guid) {
  cl_map_item_t* item = cl_qmap_get(&subnet->sw_guid_tbl, cl_hton64(guid));
  return item == cl_qmap_end(&subnet->sw_guid_tbl) ? NULL : (osm_switch_t*)item;
}

osm_switch_t** list_switches(osm_opensm_t* osm, const fatwood_routes* routes) {
  const size_t count = fatwood_switch_count(routes);
  osm_switch_t** switches = calloc(count + 1, sizeof *switches);
  for (size_t s = 0; switches && s < count; ++s)
    switches[s] = find_switch(&osm->subn, fatwood_switch_guid(routes, s));
  return switches;
}

/* OpenSM sends the whole table again to a switch with a port that changed its state, because the
 * switch may have rebooted. If it still has the highest LID that was set, it did not. */
static void send_changes_only(osm_switch_t* sw) {
  if (sw->need_update == 1 && sw->max_lid_ho != 0 &&
      cl_ntoh16(sw->switch_info.lin_top) == sw->max_lid_ho)
    sw->need_update = 0;
}

/* Logs what changed in the tables of the switches. */
static void log_kept(const struct engine* engine, const struct fatwood_keep_options* options,
                     const struct fatwood_kept* kept) {
  osm_log_t* const log = &engine->osm->log;
  if (kept->taken == FATWOOD_NEW_UNPROVED)
    osm_log(log, OSM_LOG_INFO, "%s: routed from scratch: a repair can't be proved\n", engine->name);
  if (kept->taken == FATWOOD_NEW_UNEVEN && options->most_drift < 1)
    osm_log(log, OSM_LOG_INFO,
            "%s: routed from scratch: jobs or the slowest pair would lose %.3f of what new tables "
            "give them, %.3f allowed\n",
            engine->name, kept->drift, options->most_drift);
  else if (kept->taken == FATWOOD_NEW_UNEVEN)
    osm_log(log, OSM_LOG_INFO,
            "%s: routed from scratch: the most loaded link would carry %.3f times as much, %.3f "
            "allowed\n",
            engine->name, kept->drift, options->most_drift);
  osm_log(log, OSM_LOG_INFO, "%s: %s: %zu entries in %zu blocks change\n", engine->name,
          kept->taken == FATWOOD_KEPT ? "repaired" : "routed from scratch", kept->entries,
          kept->blocks);
  const int for_jobs = options->most_drift > 0 && options->most_drift < 1;
  if (kept->taken == FATWOOD_KEPT && for_jobs)
    osm_log(log, OSM_LOG_INFO, "%s: %zu blocks more; jobs and the slowest pair lose %.3f\n",
            engine->name, kept->spare_blocks, kept->drift);
  if (kept->taken == FATWOOD_KEPT && engine->options.keep.rebalance && !for_jobs)
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

/* The old tables are what OpenSM knows of the switches: blocks that were answered in the last
 * sweep, or tables read in this one. A new switch has none, and a block without an answer is all
 * zeros. */
fatwood_routes* keep_old(struct engine* engine, fatwood_routes* routes) {
  osm_opensm_t* osm = engine->osm;
  const size_t count = fatwood_switch_count(routes);
  osm_switch_t** switches = list_switches(osm, routes);
  const uint8_t** old = calloc(count + 1, sizeof *old);
  size_t size = IB_LID_UCAST_END_HO + 1;
  for (size_t s = 0; switches && old && s < count; ++s) {
    if (!switches[s] || switches[s]->need_update == 2 || !switches[s]->lft) continue;
    if (engine->warm != WARM_NOT) forget_rest(switches[s]);
    old[s] = switches[s]->lft;
    if (switches[s]->lft_size < size) size = switches[s]->lft_size;
  }
  struct fatwood_keep_options options = engine->options.keep;
  /* Tables of others: keep them only if the most loaded link is no worse than with new tables. */
  if (!engine->owns && engine->warm != WARM_OURS && options.most_drift == 0) options.most_drift = 1;
  options.before = engine->routes;
  if (engine->in_round) options.rebalance = 0, options.spare_blocks = 0;
  struct fatwood_kept kept;
  fatwood_error error = {"no memory"};
  fatwood_routes* const result =
      switches && old ? fatwood_keep(routes, old, size, &options, &kept, &error) : NULL;
  if (!result) {
    osm_log(&osm->log, OSM_LOG_INFO, "%s: routed from scratch: %s\n", engine->name, error.text);
  } else {
    log_kept(engine, &options, &kept);
    engine->again = kept.held != 0;
    for (size_t s = 0; s < count; ++s)
      if (old[s]) send_changes_only(switches[s]);
  }
  engine->in_round = 0;
  /* OpenSM's copies were read from the switches, so it need not send everything. */
  if (engine->warm != WARM_NOT) osm->subn.need_update = 0;
  free(switches);
  free(old);
  if (!result) return routes;
  fatwood_routes_free(routes);
  return result;
}
