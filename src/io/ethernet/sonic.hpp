// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Databases and configurations of SONiC.
//
// config_db.json, as a file or as sonic-db-dump flattens it:
//   {"DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "type": "LeafRouter"}},
//    "PORT": {"Ethernet0": {"alias": "Eth1/1", "speed": "400000"}},
//    "DEVICE_NEIGHBOR": {"Ethernet0": {"name": "spine1", "port": "Ethernet8"}}}
//   {"PORT|Ethernet0": {"type": "hash", "value": {"alias": "Eth1/1", "speed": "400000"}}}
// APPL_DB:
//   {"LLDP_ENTRY_TABLE:Ethernet0": {"lldp_rem_sys_name": "spine1", "lldp_rem_port_id": "Eth1/3"}}
// minigraph.xml:
//   <DeviceLinkBase><StartDevice>leaf1</StartDevice><StartPort>Eth1/1</StartPort>
//     <EndDevice>spine1</EndDevice><EndPort>Eth1/3</EndPort></DeviceLinkBase>
//
// DEVICE_NEIGHBOR and minigraph.xml say what was meant, LLDP_ENTRY_TABLE what is seen.

#include "io/ethernet/reports.hpp"
#include "io/ethernet/tree.hpp"

namespace fatwood {

// Calls use(name, fields) for each row of a table, in any of the three forms.
template <class Use>
void each_row_of(const Tree& value, std::string_view table, const Use& use) {
  const auto row = [&](std::string_view name, const Tree& fields) {
    use(name, fields.has("value") && fields["value"].is_map() ? fields["value"] : fields);
  };
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    const std::string_view key = value.keys[i];
    const Tree& item = value.items[i];
    if (key == table) {
      for (std::size_t k = 0; k < item.keys.size(); ++k) row(item.keys[k], item.items[k]);
      if (item.keys.empty()) row("", item);
    } else if (key.starts_with(table) && key.size() > table.size() &&
               (key[table.size()] == '|' || key[table.size()] == ':')) {
      row(key.substr(table.size() + 1), item);
    }
  }
}

bool looks_like_sonic_db(std::string_view head);
// Whether the value is a database.
bool read_sonic_db(const Tree& value, DeviceReports& reports);

bool looks_like_minigraph(std::string_view head);
void read_minigraph(Input& input, DeviceReports& reports);

}  // namespace fatwood
