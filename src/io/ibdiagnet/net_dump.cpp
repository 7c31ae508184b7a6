// SPDX-License-Identifier: BSD-3-Clause
#include "io/ibdiagnet/net_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/cursor.hpp"
#include "io/base/records.hpp"
#include "io/base/text.hpp"
#include "io/fabric/node_words.hpp"
#include "io/fabric/raw_fabric.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kAroundBlocks = "text around the blocks, skipped";
constexpr std::string_view kGuessed = "an end node's port is missing; port 1 is assumed";
constexpr std::string_view kShortRow = "a row with too few fields, skipped";
constexpr std::uint64_t kAnyGuid = ~std::uint64_t{0};

struct NetPort {
  std::uint32_t node = 0;
  std::uint32_t port = 0;
  std::uint64_t neighbour = 0;
  std::string neighbour_label;
  Lid neighbour_lid = kNoLid;
  std::string neighbour_text;
  Rate rate;
  std::size_t line = 0;
};

class NetDumpReader {
 public:
  explicit NetDumpReader(Input& input) : input_(input), raw_(input.name()) {
    raw_.both_ends = false;
  }

  LoadedFabric run() {
    while (const auto text = input_.next_line(raw_.warnings)) {
      Cursor line(*text, input_.name(), input_.line_number());
      line.skip_space();
      if (line.at_end()) continue;
      if (line.peek() == '"') {
        read_block(line);
      } else if (line.peek() == '#') {
        read_titles(line.rest());
      } else if (in_block_ && line.rest().find(':') != std::string_view::npos) {
        read_row(line);
      } else {
        raw_.warnings.count(kAroundBlocks, input_.line_number());
      }
    }
    frame_.require_closed(input_);
    for (const NetPort& row : rows_) add_link(row);
    return assemble(std::move(raw_), "net_dump");
  }

 private:
  enum Column : std::uint8_t { kLabel, kPort, kState, kWidth, kSpeed, kGuid, kOther, kLid, kText };
  static constexpr std::string_view kTitles[] = {
      "#", "IB#", "Sta", "LWA", "LSA", "Neighbor Guid", "N#", "NLID", "Neighbor Description"};

  // "NodeDesc", Vendor, 0xGUID, LID 24
  void read_block(Cursor& line) {
    const std::size_t guid_at = line.rest().rfind(", 0x");
    if (guid_at == std::string_view::npos) line.expected("'\"name\", vendor, 0xGUID, LID n'");
    const std::string_view name = line.rest().substr(0, guid_at);
    const std::size_t quote = name.rfind('"');
    RawNode node;
    node.kind = NodeKind::kSwitch;
    node.line = input_.line_number();
    node.column = line.column();
    node.description = quote == 0 ? std::string_view{} : name.substr(1, quote - 1);
    line.advance(guid_at + 2);
    node.guid = line.hex("a GUID");
    line.expect(", LID ");
    node.address.lid = unicast_lid(line.number("a LID", 0xffff));
    node.address.guid = node.guid;
    node.id = id_of_guid(node.kind, node.guid);
    node_ = raw_.intern(node.id, node.line, node.column);
    if (raw_.nodes[node_].declared) {
      line.fail_at(1, fmt::format("\"{}\" has a block on line {}; expected another GUID", node.id,
                                  raw_.nodes[node_].line));
    }
    raw_.nodes[node_] = std::move(node);
    raw_.declare(node_);
    in_block_ = true;
  }

  void read_titles(std::string_view line) {
    if (line.find("IB#") == std::string_view::npos) return frame_.see(line);
    const std::vector<std::string_view> titles = split(line, ~std::size_t{0});
    for (std::size_t c = 0; c < std::size(kTitles); ++c) {
      const auto found = std::ranges::find(titles, kTitles[c]);
      if (found == titles.end()) {
        throw InputError(input_.at(1), fmt::format("expected a column '{}'", kTitles[c]));
      }
      place_[c] = static_cast<std::size_t>(found - titles.begin());
    }
    columns_ = titles.size();
  }

  // The last of `most` fields has what is left.
  static std::vector<std::string_view> split(std::string_view line, std::size_t most) {
    std::vector<std::string_view> fields;
    while (fields.size() + 1 < most) {
      const std::size_t colon = line.find(':');
      if (colon == std::string_view::npos) break;
      fields.push_back(trimmed(line.substr(0, colon)));
      line.remove_prefix(colon + 1);
    }
    fields.push_back(trimmed(line));
    return fields;
  }

  void read_row(Cursor& line) {
    if (columns_ == 0) line.expected("the titles of the columns: '# : IB# : Sta ...'");
    const std::vector<std::string_view> fields = split(line.rest(), columns_);
    if (fields.size() != columns_) return raw_.warnings.count(kShortRow, input_.line_number());
    const auto field = [&](Column column) { return fields[place_[column]]; };
    NetPort row;
    row.node = node_;
    row.line = input_.line_number();
    row.port = static_cast<std::uint32_t>(number(field(kPort), "a port's number", kMaxPorts));
    if (row.port == 0) throw InputError(input_.at(1), "port 0; expected 1 or more");
    raw_.nodes[node_].ports = std::max(raw_.nodes[node_].ports, row.port);
    raw_.labels.push_back({node_, row.port, std::string(field(kLabel))});
    port_of_.emplace(std::pair{raw_.nodes[node_].guid, std::string(field(kLabel))}, row.port);
    const std::string_view state = field(kState);
    if (field(kGuid).empty() || (state != "ACT" && state != "INI" && state != "ARM")) return;
    row.neighbour = number(field(kGuid), "a GUID", kAnyGuid);
    row.neighbour_label = field(kOther);
    row.neighbour_lid = unicast_lid(number(field(kLid), "a LID", 0xffff));
    std::string_view text = field(kText);
    if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"')) {
      text = text.substr(1, text.size() - 2);
    }
    row.neighbour_text = text;
    row.rate = rate_of(field(kWidth), field(kSpeed));
    rows_.push_back(std::move(row));
  }

  std::uint64_t number(std::string_view text, std::string_view what, std::uint64_t max) const {
    Cursor field(text, input_.name(), input_.line_number());
    const std::uint64_t value = field.number(what, max);
    if (!field.at_end()) field.expected(what);
    return value;
  }

  Rate rate_of(std::string_view width, std::string_view speed) {
    const auto known = parse_rate(std::string(width) + "SDR");
    const Speed lane = speed_of_lane(speed);
    if (known && lane != Speed::kUnknown) return {known->width, lane};
    raw_.warnings.count(kUnknownRate, input_.line_number());
    return {};
  }

  void add_link(const NetPort& row) {
    RawLink link;
    link.node = row.node;
    link.port = row.port;
    link.rate = row.rate;
    link.line = row.line;
    const std::string id = id_of_guid(NodeKind::kSwitch, row.neighbour);
    link.other = raw_.find(id).value_or(kNobody);
    if (link.other != kNobody) {
      const auto found = port_of_.find({row.neighbour, row.neighbour_label});
      if (found == port_of_.end()) {
        throw InputError({input_.name(), row.line, 1},
                         fmt::format("\"{}\" has no port with the label '{}'; expected one in its "
                                     "block",
                                     id, row.neighbour_label));
      }
      link.other_port = found->second;
    } else {
      add_end_node(row, link);
    }
    raw_.links.push_back(link);
  }

  void add_end_node(const NetPort& row, RawLink& link) {
    const std::string_view label = row.neighbour_label;
    const std::size_t slash = label.rfind('/');
    const auto number = parse_number<std::uint32_t>(
        slash == std::string_view::npos ? label : label.substr(slash + 1));
    const bool valid = number && *number >= 1 && *number <= kMaxPorts;
    if (!valid) raw_.warnings.count(kGuessed, row.line);
    link.other_port = valid ? *number : 1;
    link.other_end = {.guid = row.neighbour, .lid = row.neighbour_lid};
    const std::string id = id_of_guid(NodeKind::kAdapter, row.neighbour);
    link.other = raw_.intern(id, row.line, 1);
    RawNode& node = raw_.nodes[link.other];
    if (!node.declared) {
      node.guid = row.neighbour;
      node.description = row.neighbour_text;
      raw_.declare(link.other);
    }
    node.ports = std::max(node.ports, link.other_port);
    raw_.labels.push_back({link.other, link.other_port, row.neighbour_label});
  }

  static constexpr std::uint32_t kNobody = 0xffffffffU;
  Input& input_;
  RawFabric raw_;
  Frame frame_;
  bool in_block_ = false;
  std::uint32_t node_ = 0;
  std::size_t columns_ = 0;
  std::size_t place_[std::size(kTitles)] = {};
  std::map<std::pair<std::uint64_t, std::string>, std::uint32_t> port_of_;  // by GUID and label
  std::vector<NetPort> rows_;
};

}  // namespace

bool looks_like_net_dump(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    return line.starts_with('#') && line.find("IB#") != std::string_view::npos &&
           line.find("Neighbor Guid") != std::string_view::npos;
  });
}

LoadedFabric read_net_dump(Input& input) { return NetDumpReader(input).run(); }

}  // namespace fatwood
