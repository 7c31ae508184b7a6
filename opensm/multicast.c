// SPDX-License-Identifier: BSD-3-Clause
/* Trees of multicast groups. */
#include <opensm/osm_config.h> /* must come first: the other headers depend on it */
#include <opensm/osm_multicast.h>
#include <opensm/osm_node.h>
#include <opensm/osm_opensm.h>
#include <opensm/osm_port.h>
#include <opensm/osm_switch.h>
#include <stdlib.h>

/* This header does not include what it needs. */
#include <opensm/osm_mcast_mgr.h>

#include "engine.h"

/* The output of one group's tree. */
struct group {
  osm_switch_t** switches;
  uint16_t mlid;
};

static void use_port(void* context, size_t s, uint8_t port) {
  const struct group* group = context;
  osm_mcast_tbl_set(&group->switches[s]->mcast_tbl, group->mlid, port);
}

/* Finds the switch of each member, and sets the port to the member in its table. Returns their
 * number. */
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

/* Connects the switches of the members by a tree of Fatwood. OpenSM would need hop counts of all
 * pairs. */
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
            "%s: ERR FW08: MLID 0x%X: %zu switches with members can't be reached\n", engine->name,
            mlid, left_out);
  free(group.switches);
  free(capable);
  return result;
}

/* OpenSM has cleared the group's entries before. */
ib_api_status_t build_multicast(void* context, osm_mgrp_box_t* box) {
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
