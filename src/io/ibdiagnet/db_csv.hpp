// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ibdiagnet2.db_csv: everything that a run found, in sections (csv_sections.hpp). These are read:
//
//   NODES                  nodes                    LINKS      each cable once
//   PORTS                  rates, LIDs, states      SWITCHES   which port 0 carries traffic
//   PORT_HIERARCHY_INFO    the label printed next to a port
//   PM_INFO, HBF_PORT_COUNTERS, RN_COUNTERS        counters of ports
//   AR_INFO                settings of adaptive routing
//   CABLE_INFO             part, type, length, temperature, from the memory of the cable
//   PHY_DB16               bit error rates (PORTS has the error correction in use, FECActv)
//   TEMP_SENSING           temperatures of devices
//
// Other sections are skipped. A repeated section replaces the earlier one. No section has
// forwarding tables. Cost: linear.

#include <string>
#include <vector>

#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/raw_fabric.hpp"
#include "io/ibdiagnet/side_data.hpp"

namespace fatwood {

bool looks_like_db_csv(std::string_view head);

// A file that was read, but not yet assembled.
class DbCsv {
 public:
  // InputError with line and column for a truncated section, a missing column that is required, or
  // a field that is not a number.
  explicit DbCsv(Input& input);

  // Some exports have no section LINKS, or an empty one.
  bool has_cables() const { return has_links_; }
  // InputError if nodes or cables are missing or inconsistent. Afterwards only side() is valid.
  LoadedFabric take_fabric();
  const SideData& side() const { return side_; }
  std::vector<std::string> warnings() const { return raw_.warnings.texts(); }

 private:
  friend class DbCsvReader;

  RawFabric raw_;
  SideData side_;
  bool has_links_ = false;
};

LoadedFabric read_db_csv(Input& input);

}  // namespace fatwood
