// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Priorities of ports from databases of SONiC, in a folder or archive of them or one file
// (io/ethernet/device_files.hpp): config_db.json, CONFIG_DB, `show techsupport`.
//
//   "PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "AZURE", "tc_to_pg_map": "AZURE",
//                                  "tc_to_queue_map": "AZURE", "pfc_to_queue_map": "AZURE",
//                                  "pfc_enable": "3,4"}},
//   "DSCP_TO_TC_MAP": {"AZURE": {"3": "3", "4": "4"}}, "TC_TO_PRIORITY_GROUP_MAP": ...,
//   "TC_TO_QUEUE_MAP": ..., "MAP_PFC_PRIORITY_TO_QUEUE": ..., "TC_TO_DSCP_MAP": ...,
//   "TUNNEL": {"MuxTunnel0": {"encap_tc_to_dscp_map": "AZURE_TUNNEL"}}
//
// Names may be written "[DSCP_TO_TC_MAP|AZURE]". "global" is for ports without a map of their own.
// A port that PORT_QOS_MAP leaves out pauses nothing. Without a map of code points a port has the
// most common one of all ports (a warning says so); other maps that are missing change nothing:
// class i is group i and queue i.

#include <string>

#include "topology/port_priorities.hpp"

namespace fatwood {

// Empty if no file has PORT_QOS_MAP of a switch of the fabric. `labels`: by channel, or empty.
PortPriorities read_priorities(const std::string& path, const Fabric& fabric, const Names& labels);

}  // namespace fatwood
