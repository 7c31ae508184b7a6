// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ibdiagnet2.db_csv: all that a run found, in sections (csv_sections.hpp). Read are
//
//   NODES                  nodes                    LINKS      each cable once
//   PORTS                  rates, LIDs, states      SWITCHES   which port 0 carries traffic
//   PORT_HIERARCHY_INFO    the label printed next to a port
//   PM_INFO, HBF_PORT_COUNTERS, RN_COUNTERS        counters of ports
//   AR_INFO                settings of adaptive routing
//   CABLE_INFO             part, type and length, as the cable's memory has them
//
// The rest is skipped. A section that is there again replaces the one before. No section holds
// forwarding tables. Cost: linear.

#include <memory>
#include <string>
#include <vector>

#include "io/base/input.hpp"
#include "io/fabric/load_fabric.hpp"
#include "io/fabric/raw_fabric.hpp"
#include "io/ibdiagnet/side_data.hpp"

namespace fatwood {

bool looks_like_db_csv(std::string_view head);

// A file that is read, but not yet put together.
class DbCsv {
 public:
  // InputError with line and column for a section that is cut off, a column without which a section
  // means nothing, or a field that is not a number.
  explicit DbCsv(Input& input);

  // Some exports have no section LINKS, or an empty one.
  bool has_cables() const { return has_links_; }
  // InputError if nodes or cables are missing or do not fit. Leaves nothing behind but side().
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
