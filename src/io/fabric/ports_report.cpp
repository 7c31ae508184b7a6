// SPDX-License-Identifier: BSD-3-Clause
#include "io/fabric/ports_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "io/base/records.hpp"
#include "io/fabric/node_words.hpp"
#include "io/fabric/raw_fabric.hpp"

namespace fatwood {

namespace {

struct End {
  NodeKind kind = NodeKind::kAdapter;
  Lid lid = kNoLid;
  std::uint32_t port = 0;
  std::uint64_t guid = 0;
};

struct PortLine {
  End here;
  Rate rate;
  std::optional<End> there;
  std::string description;
  std::size_t line = 0;
};

constexpr std::string_view kAroundPorts = "text around the list of ports, skipped";

bool is_port_line(std::string_view line) {
  return line.starts_with("CA") || line.starts_with("SW") || line.starts_with("RT");
}

End read_end(Cursor& line) {
  End end;
  end.kind = read_kind(line);
  line.skip_space();
  end.lid = unicast_lid(line.number("a LID", 0xffff));
  line.skip_space();
  const std::size_t column = line.column();
  end.port = static_cast<std::uint32_t>(line.decimal("a port number", 0xffffffff));
  if (end.port < 1 || end.port > kMaxPorts) {
    line.fail_at(column, fmt::format("port {}; expected 1 to {}", end.port, kMaxPorts));
  }
  line.skip_space();
  if (!line.rest().starts_with("0x")) line.expected("a port GUID");
  end.guid = line.hex("a port GUID");
  return end;
}

Rate read_rate(Cursor& line) {
  line.skip_space();
  const std::string width(line.word());
  line.skip_space();
  const std::string text = width + std::string(line.word());
  if (const auto rate = parse_rate(text)) return *rate;
  if (text.find('?') == std::string::npos) line.expected("a rate like '4x QDR' before this");
  return {};
}

PortLine read_line(Cursor& line) {
  PortLine read;
  read.here = read_end(line);
  read.rate = read_rate(line);
  line.skip_space();
  const bool joined = line.accept("-");
  if (joined) {
    line.skip_space();
    read.there = read_end(line);
    line.skip_space();
    line.expect("(");
    line.skip_space();
  }
  // The descriptions: 'here' or 'here' - 'there' ); they may hold quotes themselves.
  std::string_view rest = line.rest();
  const std::string_view between = "' - '";
  const std::size_t end = joined ? rest.find(between) : rest.rfind('\'');
  if (!rest.starts_with('\'') || end == std::string_view::npos || end == 0) {
    line.expected("a description in single quotes");
  }
  read.description = rest.substr(1, end - 1);
  if (joined && rest.find(')', end) == std::string_view::npos) {
    line.advance(rest.size());
    line.expected("')'");
  }
  return read;
}

class PortsReader {
 public:
  explicit PortsReader(Input& input) : input_(input), raw_(input.name()) {}

  LoadedFabric run() {
    each_record(input_, raw_.warnings, [&](Cursor& line) {
      if (!is_port_line(line.rest())) return strays_.add(input_, line, "CA, SW or RT");
      if (raw_.nodes.empty()) strays_.skip(raw_.warnings, kAroundPorts);
      strays_.refuse();
      PortLine read = read_line(line);
      read.line = input_.line_number();
      add(read);
    });
    strays_.skip(raw_.warnings, kAroundPorts);
    for (const PortLine& read : joined_) add_link(read);
    return assemble(std::move(raw_), "ports");
  }

 private:
  // A switch is known by its GUID; an adapter goes on while its ports count down.
  void add(const PortLine& read) {
    const End& end = read.here;
    const bool is_switch = end.kind == NodeKind::kSwitch;
    const auto found = by_guid_.find(end.guid);
    const bool goes_on = !is_switch && last_ && raw_.nodes[*last_].kind == end.kind &&
                         raw_.nodes[*last_].description == read.description &&
                         end.port < last_port_;
    const std::uint32_t n = found != by_guid_.end() ? found->second
                            : goes_on               ? *last_
                                                    : make_node(read);
    by_guid_.emplace(end.guid, n);
    raw_.nodes[n].ports = std::max(raw_.nodes[n].ports, end.port);
    if (!is_switch && end.port <= lowest_port_) {
      raw_.nodes[n].guid = end.guid;
      raw_.nodes[n].id = id_of_guid(end.kind, end.guid);
      lowest_port_ = end.port;
    }
    last_ = n;
    last_port_ = end.port;
    if (read.there) joined_.push_back(read);
  }

  std::uint32_t make_node(const PortLine& read) {
    const End& end = read.here;
    const std::uint32_t n = raw_.intern(id_of_guid(end.kind, end.guid), read.line, 1);
    RawNode& node = raw_.nodes[n];
    node.kind = end.kind;
    node.guid = end.guid;
    node.description = read.description;
    if (end.kind == NodeKind::kSwitch) node.address = {.guid = end.guid, .lid = end.lid};
    raw_.declare(n);
    lowest_port_ = kMaxPorts;
    return n;
  }

  void add_link(const PortLine& read) {
    const auto other = by_guid_.find(read.there->guid);
    if (other == by_guid_.end()) {
      throw InputError({input_.name(), read.line, 1},
                       fmt::format("port GUID 0x{:016x} has no line of its own; expected one",
                                   read.there->guid));
    }
    RawLink link;
    link.node = by_guid_.at(read.here.guid);
    link.other = other->second;
    link.port = read.here.port;
    link.other_port = read.there->port;
    link.rate = read.rate;
    link.end = {.guid = read.here.guid, .lid = read.here.lid};
    link.other_end = {.guid = read.there->guid, .lid = read.there->lid};
    link.line = read.line;
    raw_.links.push_back(link);
  }

  Input& input_;
  RawFabric raw_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_guid_;  // port GUID to node
  std::vector<PortLine> joined_;
  std::optional<std::uint32_t> last_;
  std::uint32_t last_port_ = 0;
  std::uint32_t lowest_port_ = kMaxPorts;
  StrayLines strays_;
};

}  // namespace

bool looks_like_ports_report(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    return is_port_line(line) && line.substr(2).starts_with(' ') &&
           line.find(" 0x") != std::string_view::npos;
  });
}

LoadedFabric read_ports_report(Input& input) { return PortsReader(input).run(); }

}  // namespace fatwood
