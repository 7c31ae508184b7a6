// SPDX-License-Identifier: BSD-3-Clause
#include "warm_start.h"

#include <inttypes.h>
#include <opensm/osm_db.h>
#include <opensm/osm_node.h>
#include <opensm/osm_port.h>
#include <opensm/osm_sm.h>
#include <opensm/osm_subnet.h>
#include <opensm/osm_switch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Defined in the opensm executable, but declared in none of its headers. */
int wait_for_pending_transactions(osm_stats_t* stats);

/* The number of entries in all blocks with LIDs up to the highest. */
static size_t entries_up_to(uint16_t lid) {
  return ((size_t)lid / IB_SMP_DATA_SIZE + 1) * IB_SMP_DATA_SIZE;
}

/* Requests all blocks of a switch that were ever set. Returns their number. */
static size_t ask_switch(osm_sm_t* sm, osm_switch_t* sw) {
  const uint16_t top = cl_ntoh16(sw->switch_info.lin_top);
  osm_physp_t* port = osm_node_get_physp_ptr(sw->p_node, 0);
  if (!sw->p_node->discovery_count || !port || top == 0 || top > IB_LID_UCAST_END_HO) return 0;
  const size_t size = entries_up_to(top);
  if (size > sw->lft_size) {
    uint8_t* longer = realloc(sw->lft, size);
    if (!longer) return 0;
    sw->lft = longer;
    sw->lft_size = (uint16_t)size;
  }
  memset(sw->lft, 0, sw->lft_size);
  osm_madw_context_t context = {0};
  context.lft_context.node_guid = osm_node_get_node_guid(sw->p_node);
  context.lft_context.set_method = FALSE;
  const size_t blocks = size / IB_SMP_DATA_SIZE;
  for (size_t block = 0; block < blocks; ++block)
    osm_req_get(sm, osm_physp_get_dr_path_ptr(port), IB_MAD_ATTR_LIN_FWD_TBL,
                cl_hton32((uint32_t)block), FALSE, ib_port_info_get_m_key(&port->port_info), 0,
                CL_DISP_MSGID_NONE, &context);
  sw->need_update = 0;
  return blocks;
}

struct read_tables read_tables(osm_opensm_t* osm) {
  struct read_tables asked = {0, 0};
  cl_qmap_t* switches = &osm->subn.sw_guid_tbl;
  cl_plock_excl_acquire(&osm->lock);
  for (cl_map_item_t* item = cl_qmap_head(switches); item != cl_qmap_end(switches);
       item = cl_qmap_next(item)) {
    const size_t blocks = ask_switch(&osm->sm, (osm_switch_t*)item);
    asked.switches += blocks != 0;
    asked.blocks += blocks;
  }
  cl_plock_release(&osm->lock);
  wait_for_pending_transactions(&osm->stats);
  return asked;
}

void forget_rest(osm_switch_t* sw) {
  const size_t read = entries_up_to(cl_ntoh16(sw->switch_info.lin_top));
  if (read < sw->lft_size) memset(sw->lft + read, 0, sw->lft_size - read);
}

osm_db_domain_t* open_record(osm_opensm_t* osm) {
  osm_db_domain_t* record = osm_db_domain_init(&osm->db, "fatwood-tables");
  if (record && osm_db_restore(record)) osm_db_clear(record);
  return record;
}

/* A line of the record. */
struct line {
  char guid[24], text[128];
};

/* A hash of the first entries of a switch's table, in whole blocks. */
static struct line describe(const osm_switch_t* sw, size_t size, const char* engine) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; i += 8) {
    uint64_t word;
    memcpy(&word, sw->lft + i, 8);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  struct line line;
  snprintf(line.guid, sizeof line.guid, "0x%016" PRIx64,
           cl_ntoh64(osm_node_get_node_guid(sw->p_node)));
  snprintf(line.text, sizeof line.text, "%s %zu 0x%016" PRIx64, engine, size, hash);
  return line;
}

int are_ours(osm_opensm_t* osm, osm_db_domain_t* record, const char* engine) {
  size_t ours = 0, read = 0;
  cl_qmap_t* switches = &osm->subn.sw_guid_tbl;
  cl_plock_acquire(&osm->lock);
  for (cl_map_item_t* item = cl_qmap_head(switches); item != cl_qmap_end(switches);
       item = cl_qmap_next(item)) {
    const osm_switch_t* sw = (const osm_switch_t*)item;
    if (sw->need_update || !sw->lft_size) continue;
    ++read;
    struct line line = describe(sw, entries_up_to(cl_ntoh16(sw->switch_info.lin_top)), engine);
    const char* before = record ? osm_db_lookup(record, line.guid) : NULL;
    ours += before && strcmp(before, line.text) == 0;
  }
  cl_plock_release(&osm->lock);
  return 2 * ours > read;
}

void record_tables(osm_opensm_t* osm, osm_db_domain_t* record, const char* engine) {
  int changed = 0;
  cl_qmap_t* switches = &osm->subn.sw_guid_tbl;
  cl_plock_acquire(&osm->lock);
  for (cl_map_item_t* item = cl_qmap_head(switches); item != cl_qmap_end(switches);
       item = cl_qmap_next(item)) {
    const osm_switch_t* sw = (const osm_switch_t*)item;
    const size_t size = entries_up_to(sw->max_lid_ho);
    if (!sw->lft || size > sw->lft_size) continue;
    struct line line = describe(sw, size, engine);
    const char* before = osm_db_lookup(record, line.guid);
    if (before && strcmp(before, line.text) == 0) continue;
    changed = 1;
    osm_db_update(record, line.guid, line.text);
  }
  cl_plock_release(&osm->lock);
  if (changed) osm_db_store(record, osm->subn.opt.fsync_high_avail_files);
}
