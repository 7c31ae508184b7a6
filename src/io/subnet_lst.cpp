#include "io/subnet_lst.hpp"

#include <fmt/format.h>

#include <utility>

#include "io/node_words.hpp"
#include "io/raw_fabric.hpp"

namespace fatwood {

namespace {

constexpr std::pair<std::string_view, Speed> kSpeeds[] = {
    {"2.5", Speed::kSdr}, {"5", Speed::kDdr},   {"10", Speed::kQdr},
    {"14", Speed::kFdr},  {"25", Speed::kEdr},  {"FDR10", Speed::kFdr10},
    {"50", Speed::kHdr},  {"100", Speed::kNdr}, {"200", Speed::kXdr}};

struct End {
  std::uint32_t node = 0;
  Port port = 0;
  Address address;
};

class Reader {
 public:
  explicit Reader(Input& input) : input_(input), raw_(input.name()) {}

  LoadedFabric run() {
    each_record(input_, [&](Cursor& line) { read_line(line); });
    return assemble(std::move(raw_), "subnet.lst");
  }

 private:
  void read_line(Cursor& line) {
    const End here = read_end(line);
    const End there = read_end(line);
    RawLink link;
    link.node = here.node;
    link.port = here.port;
    link.end = here.address;
    link.other = there.node;
    link.other_port = there.port;
    link.other_end = there.address;
    link.line = input_.line_number();
    link.rate = read_rate(line);
    raw_.links.push_back(link);
  }

  static std::uint64_t field(Cursor& line, std::string_view name, std::uint64_t max) {
    line.skip_space();
    line.expect(name);
    return line.hex(name, max);
  }

  End read_end(Cursor& line) {
    line.skip_space();
    line.expect("{");
    line.skip_space();
    RawNode node;
    node.line = input_.line_number();
    node.column = line.column();
    node.kind = read_kind(line);
    node.ports = static_cast<Port>(field(line, "Ports:", kMaxPorts));
    node.hardware.system_guid = field(line, "SystemGUID:", ~std::uint64_t{0});
    node.guid = field(line, "NodeGUID:", ~std::uint64_t{0});
    End end;
    end.address.guid = field(line, "PortGUID:", ~std::uint64_t{0});
    node.hardware.vendor = static_cast<std::uint32_t>(field(line, "VenID:", 0xffffffff));
    node.hardware.device = static_cast<std::uint32_t>(field(line, "DevID:", 0xffffffff));
    field(line, "Rev:", 0xffffffff);
    node.description = read_description(line);
    end.address.lid = unicast_lid(field(line, "LID:", 0xffff));
    end.port = static_cast<Port>(field(line, "PN:", 0xffffffff));
    line.skip_space();
    line.expect("}");
    if (node.kind == NodeKind::kSwitch) node.address = end.address;
    end.node = declare(std::move(node), line);
    return end;
  }

  // {text}, which may hold braces: it ends where "} LID:" follows.
  static std::string_view read_description(Cursor& line) {
    line.skip_space();
    const std::string_view rest = line.rest();
    const std::size_t end = rest.find("} LID:");
    if (!rest.starts_with('{') || end == std::string_view::npos) {
      line.expected("a description in braces and its LID");
    }
    line.advance(end + 1);
    return rest.substr(1, end - 1);
  }

  std::uint32_t declare(RawNode&& node, Cursor& line) {
    node.id = id_of_guid(node.kind, node.guid);
    const std::uint32_t n = raw_.intern(node.id, node.line, node.column);
    RawNode& known = raw_.nodes[n];
    if (!known.declared) {
      known = std::move(node);
      raw_.declare(n);
    } else if (known.ports != node.ports) {
      line.fail(fmt::format("\"{}\" has {} ports on line {} but {} here", node.id, known.ports,
                            known.line, node.ports));
    }
    return n;
  }

  Rate read_rate(Cursor& line) {
    line.skip_space();
    line.expect("PHY=");
    Rate rate;
    const std::string_view width = line.word();
    line.skip_space();
    line.expect("LOG=");
    line.word();
    line.skip_space();
    line.expect("SPD=");
    const std::string_view speed = line.word();
    for (const auto& [name, known_speed] : kSpeeds) {
      if (name != speed) continue;
      if (const auto known = parse_rate(std::string(width) + "SDR")) rate.width = known->width;
      if (rate.width != 0) rate.speed = known_speed;
    }
    if (rate == Rate{}) {
      raw_.warnings.count(kUnknownRate, input_.line_number());
    }
    return rate;
  }

  Input& input_;
  RawFabric raw_;
};

}  // namespace

bool looks_like_subnet_lst(std::string_view head) {
  const std::size_t at = head.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos || head[at] != '{') return false;
  const std::string_view line = head.substr(at, head.find('\n', at) - at);
  return line.find("SystemGUID:") != std::string_view::npos;
}

LoadedFabric read_subnet_lst(Input& input) { return Reader(input).run(); }

}  // namespace fatwood
