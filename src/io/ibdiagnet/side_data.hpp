// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Data of ports and switches in the files of a run, by GUID and port, before the nodes are known;
// and the sections of ibdiagnet2.db_csv that have such data: labels of ports, settings of adaptive
// routing, cables, counters, quality of signals, temperatures. A fabric can be read without them.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/csv_sections.hpp"
#include "io/base/warnings.hpp"
#include "topology/run_data.hpp"

namespace fatwood {

// A port, by the GUID of its node or its own GUID.
struct PortKey {
  std::uint64_t guid = 0;
  std::uint32_t port = 0;  // as read
};

struct SideData {
  struct Label {
    PortKey key;
    std::string text;
  };
  // Counters of one section: a row of values for each key.
  struct Counters {
    std::string section;
    std::vector<std::string> names;
    std::vector<PortKey> keys;
    std::vector<std::uint64_t> values;
  };
  struct Adaptive {
    std::uint64_t guid = 0;
    AdaptiveSettings settings;
  };
  struct PortFact {
    PortKey key;
    std::uint8_t lanes = 0;
    std::uint16_t reordered_levels = 0;
  };
  struct Cable {
    PortKey key;
    CableFacts facts;
  };

  // What a file says of a port's signal; several rows of one port complete each other.
  struct Signal {
    PortKey key;
    SignalQuality quality;
  };
  struct Heat {
    std::uint64_t guid = 0;
    double celsius = 0;
  };

  std::vector<Label> labels;
  std::vector<Counters> counters;
  std::vector<Adaptive> adaptive;
  std::vector<PortFact> ports;
  std::vector<Cable> cables;
  std::vector<Signal> signals;
  std::vector<Heat> heat;
  std::vector<std::string> warnings;
};

// For a fabric. Data of nodes and ports that it does not have are left out.
RunData run_data(const SideData& side, const Fabric& fabric);

// `second` fills what `first` lacks.
RunData merged(RunData first, RunData second);

// Reads the current section if it has such data. A section replaces an earlier one of the same
// name.
void read_side_section(const std::string& name, CsvSections& sections, SideData& side,
                       Warnings& warnings);

// FECActv of section PORTS in the words of net_dump_ext: 4 is "RS_FEC_544_514"; "" if unknown.
std::string_view fec_name(std::uint64_t code);

// "58C", "58", "58.5 C"; no value for anything else ("N/A").
std::optional<double> parse_celsius(std::string_view text);

// "3", "3 m", "0.5m"; 0 for anything else ("N/A", "Up to 50m").
double parse_metres(std::string_view text);

// Whether a column is missing (-1). If so, warns that the section is skipped.
bool lacks_columns(const CsvSections& sections, std::initializer_list<int> columns,
                   Warnings& warnings);

}  // namespace fatwood
