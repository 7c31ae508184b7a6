// SPDX-License-Identifier: BSD-3-Clause
#include "io/ibdiagnet/db_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"
#include "io/base/csv_sections.hpp"
#include "io/fabric/node_words.hpp"
#include "io/ibdiagnet/side_data.hpp"

namespace fatwood {

struct PortRow {
  std::uint64_t guid = 0;
  std::uint32_t port = 0;
  Address address;
  Rate rate;
  std::uint64_t state = 0;
  std::size_t line = 0;
};

struct LinkRow {
  PortKey one, other;
  std::size_t line = 0;
};

namespace {

constexpr std::string_view kAgain = "a section that was there before; the last one counts";
constexpr std::string_view kSecondNode = "a second row for a node, skipped";
constexpr std::string_view kDown = "a link of a port that is down, left out";
constexpr std::uint64_t kNothing = ~std::uint64_t{0};
constexpr std::uint64_t kPortDown = 1;

std::uint8_t width_of(std::uint64_t bits) {
  constexpr std::uint8_t kWidths[] = {1, 4, 8, 12, 2};  // by bit
  const auto bit = static_cast<std::size_t>(std::countr_zero(bits));
  return std::has_single_bit(bits) && bit < std::size(kWidths) ? kWidths[bit] : std::uint8_t{0};
}

// One number of four bytes: plain speeds, those since FDR, Mellanox's own, those since XDR. The
// highest byte that is not 0 counts.
Speed speed_of(std::uint64_t bits) {
  constexpr Speed kOld[] = {Speed::kSdr, Speed::kDdr, Speed::kQdr};
  constexpr Speed kNew[] = {Speed::kFdr, Speed::kEdr, Speed::kHdr, Speed::kNdr};
  constexpr Speed kOwn[] = {Speed::kFdr10, Speed::kEdr20};
  constexpr Speed kLast[] = {Speed::kXdr};
  const std::span<const Speed> kinds[] = {kOld, kNew, kOwn, kLast};
  for (unsigned byte = 4; byte-- > 0;) {
    const auto value = static_cast<unsigned>(bits >> (8 * byte) & 255U);
    if (value == 0) continue;
    const auto highest = static_cast<std::size_t>(std::bit_width(value)) - 1;
    return highest < kinds[byte].size() ? kinds[byte][highest] : Speed::kUnknown;
  }
  return Speed::kUnknown;
}

// OpVLs: lanes for data.
std::uint8_t lanes_of(std::uint64_t code) {
  constexpr std::uint8_t kLanes[] = {0, 1, 2, 4, 8, 15};
  return code < std::size(kLanes) ? kLanes[code] : std::uint8_t{0};
}

}  // namespace

class DbCsvReader {
 public:
  DbCsvReader(DbCsv& csv, Input& input)
      : input_(input), raw_(csv.raw_), side_(csv.side_), sections_(input, csv.raw_.warnings) {}

  bool run() {
    while (true) {
      const std::string name = sections_.next();
      if (name.empty()) break;
      read_section(name);
    }
    add_ports();
    for (const LinkRow& link : links_) add_link(link);
    return !links_.empty();
  }

 private:
  void read_section(const std::string& name) {
    const bool again = std::ranges::find(seen_, name) != seen_.end();
    if (again && name != "INDEX_TABLE") raw_.warnings.count(kAgain, sections_.header_line());
    seen_.push_back(name);
    if (name == "NODES") read_nodes();
    if (name == "PORTS") read_ports();
    if (name == "LINKS") read_links();
    if (name == "SWITCHES") read_switches();
    read_side_section(name, sections_, side_, raw_.warnings);
  }

  // A column without which nodes and cables can't be read.
  int need(std::initializer_list<std::string_view> names) const {
    const int column = sections_.column(names);
    if (column >= 0) return column;
    throw InputError({input_.name(), sections_.header_line(), 1},
                     fmt::format("expected a column {}", *names.begin()));
  }
  int need(std::string_view name) const { return need({name}); }

  void read_nodes() {
    const int guid = need({"NodeGUID", "NodeGuid"}), type = need("NodeType");
    const int ports = need("NumPorts"), text = sections_.column("NodeDesc");
    const int system = sections_.column({"SystemImageGUID", "SystemImageGuid"});
    const int vendor = sections_.column("VendorID"), device = sections_.column("DeviceID");
    forget_nodes();
    sections_.rows([&](const CsvRow& row) {
      constexpr NodeKind kKinds[] = {NodeKind::kAdapter, NodeKind::kSwitch, NodeKind::kRouter};
      RawNode node;
      node.guid = row.required(guid, "a node's GUID", kNothing);
      const std::uint64_t kind = row.required(type, "a node's type", 255);
      if (kind < 1 || kind > 3) {
        row.fail(type, "expected 1 (adapter), 2 (switch) or 3 (router)");
      }
      node.kind = kKinds[kind - 1];
      node.ports = static_cast<std::uint32_t>(row.required(ports, "a number of ports", kMaxPorts));
      node.description = row.text(text);
      node.hardware = {row.number(system, 0),
                       static_cast<std::uint32_t>(row.number(vendor, 0, 0xffffffff)),
                       static_cast<std::uint32_t>(row.number(device, 0, 0xffffffff))};
      node.line = row.line();
      node.column = 1;
      add_node(std::move(node));
    });
  }

  void forget_nodes() {
    raw_.forget();
    node_.clear();
  }

  void add_node(RawNode node) {
    node.id = id_of_guid(node.kind, node.guid);
    const auto [at, fresh] = node_.emplace(node.guid, 0);
    if (!fresh) return raw_.warnings.count(kSecondNode, node.line);
    at->second = raw_.intern(node.id, node.line, node.column);
    raw_.nodes[at->second] = std::move(node);
    raw_.declare(at->second);
  }

  void read_ports() {
    const int guid = need({"NodeGuid", "NodeGUID"}), number = need("PortNum");
    const int own = sections_.column({"PortGuid", "PortGUID"});
    const int lid = sections_.column("LID"), lmc = sections_.column("LMC");
    const int width = sections_.column("LinkWidthActv"), speed = sections_.column("LinkSpeedActv");
    const int state = sections_.column("PortState"), lanes = sections_.column("OpVLs");
    const int reordered = sections_.column("OOOSLMask"), fec = sections_.column("FECActv");
    ports_.clear();
    side_.ports.clear();
    sections_.rows([&](const CsvRow& row) {
      PortRow port;
      port.guid = row.required(guid, "a node's GUID", kNothing);
      port.port = static_cast<std::uint32_t>(row.required(number, "a port's number", 255));
      port.address.guid = row.number(own, 0);
      port.address.lid = unicast_lid(row.number(lid, 0));
      port.address.lmc = static_cast<std::uint8_t>(row.number(lmc, 0, 7));
      const Rate rate{width_of(row.number(width, 0)), speed_of(row.number(speed, 0))};
      if (rate.width != 0 && rate.speed != Speed::kUnknown) port.rate = rate;
      port.state = row.number(state, 0);
      port.line = row.line();
      side_.ports.push_back({{port.guid, port.port},
                             lanes_of(row.number(lanes, 0)),
                             static_cast<std::uint16_t>(row.number(reordered, 0) & 0xffffU)});
      const std::string_view correction = fec_name(row.count(fec));
      if (!correction.empty()) {
        side_.signals.push_back({{port.guid, port.port}, {.fec = std::string(correction)}});
      }
      ports_.push_back(port);
    });
  }

  void read_links() {
    const int guid1 = need({"NodeGuid1", "NodeGUID1"}), port1 = need("PortNum1");
    const int guid2 = need({"NodeGuid2", "NodeGUID2"}), port2 = need("PortNum2");
    links_.clear();
    sections_.rows([&](const CsvRow& row) {
      const auto key = [&](int guid, int port) {
        return PortKey{row.required(guid, "a node's GUID", kNothing),
                       static_cast<std::uint32_t>(row.required(port, "a port's number", 255))};
      };
      links_.push_back({key(guid1, port1), key(guid2, port2), row.line()});
    });
  }

  void read_switches() {
    const int guid = sections_.column({"NodeGUID", "NodeGuid"});
    const int enhanced = sections_.column("ENP0");
    if (lacks_columns(sections_, {guid, enhanced}, raw_.warnings)) return;
    enhanced_.clear();
    sections_.rows([&](const CsvRow& row) {
      if (row.count(enhanced) == 1) enhanced_.push_back(row.count(guid));
    });
  }

  void add_ports() {
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      const PortRow& port = ports_[i];
      const auto found = node_.find(port.guid);
      if (found == node_.end()) continue;
      RawNode& node = raw_.nodes[found->second];
      if (port.port > node.ports) {
        throw InputError({input_.name(), port.line, 1},
                         fmt::format("\"{}\" has no port {}; expected {} at most", node.id,
                                     port.port, node.ports));
      }
      row_of_.emplace(std::pair{found->second, port.port}, i);
      if (node.kind != NodeKind::kSwitch) {
        if (port.port > 0)
          raw_.addresses.push_back({found->second, port.port, port.address, port.line});
      } else if (port.port == 0) {
        node.address = port.address;
        node.address.enhanced = std::ranges::find(enhanced_, port.guid) != enhanced_.end();
      }
    }
  }

  void add_link(const LinkRow& row) {
    const std::uint32_t one = node_at(row.one, row.line), other = node_at(row.other, row.line);
    RawLink link;
    link.node = one;
    link.port = row.one.port;
    link.other = other;
    link.other_port = row.other.port;
    link.line = row.line;
    for (const auto& [node, port] : {std::pair{one, row.one.port}, {other, row.other.port}}) {
      const auto found = row_of_.find({node, port});
      if (found == row_of_.end()) continue;
      const PortRow& known = ports_[found->second];
      if (known.state == kPortDown) return raw_.warnings.count(kDown, row.line);
      if (link.rate == Rate{}) link.rate = known.rate;
    }
    if (link.rate == Rate{}) raw_.warnings.count(kUnknownRate, row.line);
    raw_.links.push_back(link);
  }

  std::uint32_t node_at(const PortKey& key, std::size_t line) const {
    const auto found = node_.find(key.guid);
    if (found != node_.end()) return found->second;
    throw InputError(
        {input_.name(), line, 1},
        fmt::format("GUID 0x{:016x} has no row in section NODES; expected one", key.guid));
  }

  struct Hash {
    std::size_t operator()(const std::pair<std::uint32_t, std::uint32_t>& key) const {
      return std::hash<std::uint64_t>{}(std::uint64_t{key.first} << 8U | key.second);
    }
  };

  Input& input_;
  RawFabric& raw_;
  SideData& side_;
  CsvSections sections_;
  std::vector<std::string> seen_;
  std::unordered_map<std::uint64_t, std::uint32_t> node_;  // raw node by GUID
  std::vector<PortRow> ports_;
  std::vector<LinkRow> links_;
  std::vector<std::uint64_t> enhanced_;
  std::unordered_map<std::pair<std::uint32_t, std::uint32_t>, std::size_t, Hash> row_of_;
};

DbCsv::DbCsv(Input& input) : raw_(input.name()) {
  raw_.both_ends = false;
  has_links_ = DbCsvReader(*this, input).run();
}

LoadedFabric DbCsv::take_fabric() {
  if (!has_links_) {
    throw InputError({raw_.file},
                     "has no cables: expected a section LINKS with rows, or the folder of the run, "
                     "where other files have the cables");
  }
  LoadedFabric loaded = assemble(std::move(raw_), "db_csv");
  loaded.run = run_data(side_, loaded.fabric);
  return loaded;
}

LoadedFabric read_db_csv(Input& input) { return DbCsv(input).take_fabric(); }

bool looks_like_db_csv(std::string_view head) { return looks_like_csv_sections(head); }

}  // namespace fatwood
