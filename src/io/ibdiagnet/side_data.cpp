// SPDX-License-Identifier: BSD-3-Clause
#include "io/ibdiagnet/side_data.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "io/base/text.hpp"

namespace fatwood {

namespace {

class GuidFinder {
 public:
  explicit GuidFinder(const Fabric& fabric) : fabric_(fabric) {
    for (const Node node : ids<Node>(fabric.num_nodes())) node_.emplace(fabric.guid(node), node);
    for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
      terminal_.emplace(fabric.address(t).guid, fabric.terminal_channel(t));
    }
  }

  Node node(std::uint64_t guid) const {
    if (const auto found = node_.find(guid); found != node_.end()) return found->second;
    const auto found = terminal_.find(guid);
    return found == terminal_.end() ? kNone<Node> : fabric_.owner(found->second);
  }
  Channel channel(const PortKey& key) const {
    const Node owner = node(key.guid);
    return owner == kNone<Node> ? kNone<Channel> : fabric_.find_channel(owner, key.port);
  }

 private:
  const Fabric& fabric_;
  std::unordered_map<std::uint64_t, Node> node_;
  std::unordered_map<std::uint64_t, Channel> terminal_;
};

PortCounters counters_of(const std::vector<SideData::Counters>& sections, const Fabric& fabric,
                         const GuidFinder& find) {
  PortCounters made;
  for (const SideData::Counters& section : sections) {
    if (section.keys.empty()) continue;
    made.names.insert(made.names.end(), section.names.begin(), section.names.end());
  }
  if (made.empty()) return made;
  made.row = Table<Channel, std::uint32_t>(fabric.num_channels(), PortCounters::kNoRow);
  std::uint32_t rows = 0;
  std::size_t first = 0;  // column of the section
  for (const SideData::Counters& section : sections) {
    if (section.keys.empty()) continue;
    const std::size_t width = section.names.size();
    for (std::size_t i = 0; i < section.keys.size(); ++i) {
      const Channel c = find.channel(section.keys[i]);
      if (c == kNone<Channel>) continue;
      if (made.row[c] == PortCounters::kNoRow) {
        made.row[c] = rows++;
        made.values.resize(rows * made.names.size(), kNoCount);
      }
      std::copy_n(section.values.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                  made.values.begin() +
                      static_cast<std::ptrdiff_t>(made.row[c] * made.names.size() + first));
    }
    first += width;
  }
  return made;
}

constexpr std::string_view kLacks = "a section lacks a column that it needs: skipped";
constexpr double kLongestCable = 100000;  // metres

PortKey key_of(const CsvRow& row, int guid, int port) {
  return {row.count(guid),
          static_cast<std::uint32_t>(std::min<std::uint64_t>(row.count(port), 0xffff))};
}

// Mantissa and exponent as ibdiagnet writes them: 15 and 255 are 1.5e-254. Ports without a value
// have huge exponents.
std::optional<double> ber_of(std::uint64_t mantissa, std::uint64_t exponent) {
  constexpr std::uint64_t kMost = 1000;
  if (mantissa > kMost || exponent > kMost) return std::nullopt;
  return static_cast<double>(mantissa) * std::pow(10.0, -static_cast<double>(exponent));
}

class SideReader {
 public:
  SideReader(CsvSections& sections, SideData& side, Warnings& warnings)
      : sections_(sections), side_(side), warnings_(warnings) {}

  void read_labels() {
    const int guid = sections_.column({"NodeGUID", "NodeGuid"});
    const int port = sections_.column({"PortNum", "PortNumber"});
    const int label = sections_.column({"Label", "ExtendedLabel"});
    if (lacks_columns(sections_, {guid, port, label}, warnings_)) return;
    side_.labels.clear();
    sections_.rows([&](const CsvRow& row) {
      const std::string_view text = row.text(label);
      if (text.empty() || text == "N/A") return;
      side_.labels.push_back({key_of(row, guid, port), std::string(text)});
    });
  }

  void read_cables() {
    const int guid = sections_.column({"NodeGuid", "NodeGUID"});
    const int port = sections_.column({"PortNum", "PortNumber"});
    const int part = sections_.column("PN"), type = sections_.column("TypeDesc");
    const int length = sections_.column("LengthCopperOrActive");
    const int described = sections_.column("LengthDesc"), serial = sections_.column("SN");
    const int heat = sections_.column("Temperature");
    const int limit = sections_.column("AlarmTemperatureHighThresh");
    if (lacks_columns(sections_, {guid, port, part}, warnings_)) return;
    side_.cables.clear();
    sections_.rows([&](const CsvRow& row) {
      const auto text = [&](int column) {
        const std::string_view found = trimmed(row.text(column));
        return std::string(found == "N/A" || found == "NA" ? std::string_view{} : found);
      };
      double length_m = parse_metres(trimmed(row.text(length)));
      if (length_m == 0) length_m = parse_metres(trimmed(row.text(described)));
      side_.cables.push_back({key_of(row, guid, port),
                              {text(part), text(type), length_m, text(serial),
                               parse_celsius(text(heat)), parse_celsius(text(limit))}});
    });
  }

  // field12 to field17: raw, effective and symbol BER, each as mantissa and exponent.
  void read_ber() {
    const int guid = sections_.column({"NodeGuid", "NodeGUID"});
    const int port = sections_.column({"PortNum", "PortNumber"});
    const int raw = sections_.column("field12"), raw_exponent = sections_.column("field13");
    const int effective = sections_.column("field14"), its_exponent = sections_.column("field15");
    const int symbol = sections_.column("field16"), last_exponent = sections_.column("field17");
    if (lacks_columns(
            sections_,
            {guid, port, raw, raw_exponent, effective, its_exponent, symbol, last_exponent},
            warnings_)) {
      return;
    }
    sections_.rows([&](const CsvRow& row) {
      const auto ber = [&](int mantissa, int exponent) {
        return ber_of(row.count(mantissa), row.count(exponent));
      };
      const SignalQuality quality{ber(raw, raw_exponent), ber(effective, its_exponent),
                                  ber(symbol, last_exponent)};
      if (quality.known()) side_.signals.push_back({key_of(row, guid, port), quality});
    });
  }

  void read_heat() {
    const int guid = sections_.column({"NodeGUID", "NodeGuid"});
    const int heat = sections_.column("CurrentTemperature");
    if (lacks_columns(sections_, {guid, heat}, warnings_)) return;
    side_.heat.clear();
    sections_.rows([&](const CsvRow& row) {
      const std::optional<double> celsius = parse_celsius(trimmed(row.text(heat)));
      if (celsius) side_.heat.push_back({row.count(guid), *celsius});
    });
  }

  void read_adaptive() {
    const int guid = sections_.column({"NodeGUID", "NodeGuid"}), on = sections_.column("e");
    if (lacks_columns(sections_, {guid, on}, warnings_)) return;
    side_.adaptive.clear();
    const auto column = [&](std::string_view name) { return sections_.column(name); };
    const int by_sl = column("by_sl_en"), sl_mask = column("enable_by_sl_mask");
    const int off = column("by_transport_disable"), hbf = column("is_hbf_supported");
    const int hbf_by_sl = column("by_sl_hbf_en"), hbf_mask = column("enable_by_sl_mask_hbf");
    sections_.rows([&](const CsvRow& row) {
      const auto flag = [&](int field) { return row.count(field) == 1; };
      const auto mask = [&](int field, std::uint16_t missing) {
        const std::uint64_t value = row.count(field);
        return value == kNoCount ? missing : static_cast<std::uint16_t>(value & 0xffffU);
      };
      AdaptiveSettings set;
      set.known = true;
      set.enabled = flag(on);
      set.by_level = flag(by_sl);
      set.hashed_by_level = flag(hbf_by_sl);
      set.hashing_supported = flag(hbf);
      set.levels = mask(sl_mask, 0xffff);
      set.hashed_levels = mask(hbf_mask, 0);
      set.transports_off = mask(off, 0);
      side_.adaptive.push_back({row.count(guid), set});
    });
  }

  void read_counters(const std::string& name) {
    const int guid = sections_.column({"NodeGUID", "NodeGuid"});
    const int port = sections_.column({"PortNumber", "PortNum"});
    if (lacks_columns(sections_, {guid, port}, warnings_)) return;
    SideData::Counters& to = counters_of(name);
    to = {};
    to.section = name;
    std::vector<int> columns;
    for (std::size_t i = 0; i < sections_.columns().size(); ++i) {
      const std::string& column = sections_.columns()[i];
      if (static_cast<int>(i) == guid || static_cast<int>(i) == port) continue;
      if (column == "PortGUID" || column == "PortGuid") continue;
      columns.push_back(static_cast<int>(i));
      to.names.push_back(column);
    }
    sections_.rows([&](const CsvRow& row) {
      to.keys.push_back(key_of(row, guid, port));
      for (const int column : columns) to.values.push_back(row.count(column));
    });
  }

 private:
  SideData::Counters& counters_of(const std::string& section) {
    const auto found = std::ranges::find(side_.counters, section, &SideData::Counters::section);
    return found == side_.counters.end() ? side_.counters.emplace_back() : *found;
  }

  CsvSections& sections_;
  SideData& side_;
  Warnings& warnings_;
};

}  // namespace

std::string_view fec_name(std::uint64_t code) {
  constexpr std::string_view kNames[] = {"NO_FEC",
                                         "FIRECODE_FEC",
                                         "RS_FEC",
                                         "LL_RS_FEC",
                                         "RS_FEC_544_514",
                                         "",
                                         "",
                                         "",
                                         "MLNX_STRONG_RS_FEC",
                                         "MLNX_LL_RS_FEC",
                                         "MLNX_ADAPTIVE_RS_FEC",
                                         "MLNX_COD_FEC",
                                         "MLNX_ZL_FEC",
                                         "MLNX_RS_544_514_PLR",
                                         "MLNX_RS_271_257_PLR"};
  return code < std::size(kNames) ? kNames[code] : std::string_view{};
}

std::optional<double> parse_celsius(std::string_view text) {
  constexpr double kHottest = 200;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  // 0 is what modules without a sensor say.
  if (error != std::errc{} || (!unit.empty() && unit != "C") || !(value > 0 && value < kHottest)) {
    return std::nullopt;
  }
  return value;
}

double parse_metres(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  const bool known = error == std::errc{} && (unit.empty() || unit == "m" || unit == "M");
  return known && value > 0 && value <= kLongestCable ? value : 0;
}

RunData run_data(const SideData& side, const Fabric& fabric) {
  const GuidFinder find(fabric);
  RunData run;
  run.counters = counters_of(side.counters, fabric, find);
  if (!side.labels.empty()) {
    std::vector<std::string_view> labels(fabric.num_channels());
    for (const SideData::Label& label : side.labels) {
      const Channel c = find.channel(label.key);
      if (c != kNone<Channel>) labels[index(c)] = label.text;
    }
    for (const std::string_view text : labels) run.labels.push_back(text);
  }
  if (!side.adaptive.empty()) run.adaptive.resize(fabric.num_switches());
  for (const SideData::Adaptive& row : side.adaptive) {
    const Node node = find.node(row.guid);
    if (node != kNone<Node> && fabric.is_switch(node)) {
      run.adaptive[fabric.as_switch(node)] = row.settings;
    }
  }
  if (!side.ports.empty()) {
    run.lanes.resize(fabric.num_channels());
    run.reordered_levels.resize(fabric.num_channels());
  }
  for (const SideData::PortFact& fact : side.ports) {
    const Channel c = find.channel(fact.key);
    if (c == kNone<Channel>) continue;
    run.lanes[c] = fact.lanes;
    run.reordered_levels[c] = fact.reordered_levels;
  }
  if (!side.cables.empty()) run.cables.resize(fabric.num_channels());
  for (const SideData::Cable& cable : side.cables) {
    const Channel c = find.channel(cable.key);
    if (c != kNone<Channel>) run.cables[c] = cable.facts;
  }
  if (!side.signals.empty()) run.signals.resize(fabric.num_channels());
  for (const SideData::Signal& signal : side.signals) {
    const Channel c = find.channel(signal.key);
    if (c != kNone<Channel>) run.signals[c].fill(signal.quality);
  }
  if (!side.heat.empty()) run.celsius.resize(fabric.num_nodes());
  for (const SideData::Heat& heat : side.heat) {
    const Node node = find.node(heat.guid);
    if (node != kNone<Node>) run.celsius[node] = heat.celsius;
  }
  return run;
}

RunData merged(RunData first, RunData second) {
  if (first.labels.size() == 0) first.labels = std::move(second.labels);
  if (first.counters.empty()) first.counters = std::move(second.counters);
  if (first.adaptive.empty()) first.adaptive = std::move(second.adaptive);
  if (first.lanes.empty()) first.lanes = std::move(second.lanes);
  if (first.reordered_levels.empty()) first.reordered_levels = std::move(second.reordered_levels);
  if (first.cables.empty()) first.cables = std::move(second.cables);
  if (first.celsius.empty()) first.celsius = std::move(second.celsius);
  if (first.signals.empty()) {
    first.signals = std::move(second.signals);
  } else {
    for (const Channel c : ids<Channel>(second.signals.size())) {
      first.signals[c].fill(second.signals[c]);
    }
  }
  return first;
}

bool lacks_columns(const CsvSections& sections, std::initializer_list<int> columns,
                   Warnings& warnings) {
  if (std::ranges::all_of(columns, [](int column) { return column >= 0; })) return false;
  warnings.count(kLacks, sections.header_line());
  return true;
}

void read_side_section(const std::string& name, CsvSections& sections, SideData& side,
                       Warnings& warnings) {
  SideReader reader(sections, side, warnings);
  if (name == "PORT_HIERARCHY_INFO") reader.read_labels();
  if (name == "AR_INFO") reader.read_adaptive();
  if (name == "CABLE_INFO") reader.read_cables();
  if (name == "PHY_DB16") reader.read_ber();
  if (name == "TEMP_SENSING") reader.read_heat();
  if (name == "PM_INFO" || name == "HBF_PORT_COUNTERS" || name == "RN_COUNTERS") {
    reader.read_counters(name);
  }
}

}  // namespace fatwood
