// SPDX-License-Identifier: BSD-3-Clause
#include "io/fabric/subnet_lst.hpp"

#include <fmt/format.h>

#include <utility>

#include "io/base/records.hpp"
#include "io/fabric/node_words.hpp"
#include "io/fabric/raw_fabric.hpp"

namespace fatwood {

namespace {

constexpr std::string_view kAroundList = "text around the list, skipped";
constexpr std::string_view kDownLink = "a link that is down, left out";

struct LinkEnd {
  std::uint32_t node = 0;
  std::uint32_t port = 0;
  Address address;
};

class SubnetListReader {
 public:
  explicit SubnetListReader(Input& input) : input_(input), raw_(input.name()) {}

  LoadedFabric run() {
    while (const auto text = input_.next_line(raw_.warnings)) {
      Cursor line(*text, input_.name(), input_.line_number());
      line.skip_space();
      if (line.peek() == '{') {
        read_line(line);
      } else if (line.peek() == '#') {
        note_comment(line.rest());
      } else if (!line.at_end()) {
        raw_.warnings.count(kAroundList, input_.line_number());
      }
    }
    frame_.require_closed(input_);
    require_switches();
    return assemble(std::move(raw_), "subnet.lst");
  }

 private:
  // Lists of very old tools have every node as CA.
  void require_switches() const {
    constexpr std::uint32_t kMostPortsOfAdapter = 4;
    const RawNode* widest = nullptr;
    for (const RawNode& node : raw_.nodes) {
      if (node.kind == NodeKind::kSwitch) return;
      if (widest == nullptr || node.ports > widest->ports) widest = &node;
    }
    if (widest == nullptr || widest->ports <= kMostPortsOfAdapter) return;
    throw InputError({input_.name(), widest->line, widest->column},
                     fmt::format("every node of this list is a CA, even this one with {} ports: a "
                                 "very old tool wrote it; expected switches as SW",
                                 widest->ports));
  }

  void note_comment(std::string_view comment) {
    frame_.see(comment);
    if (comment.find("by IBDIAG") != std::string_view::npos) raw_.both_ends = false;
  }

  void read_line(Cursor& line) {
    const LinkEnd here = read_end(line);
    const LinkEnd there = read_end(line);
    RawLink link;
    link.node = here.node;
    link.port = here.port;
    link.end = here.address;
    link.other = there.node;
    link.other_port = there.port;
    link.other_end = there.address;
    link.line = input_.line_number();
    const State state = read_state(line);
    link.rate = state.rate;
    if (state.up) {
      raw_.links.push_back(link);
    } else {
      raw_.warnings.count(kDownLink, input_.line_number());
    }
  }

  static std::uint64_t field(Cursor& line, std::string_view name, std::uint64_t max) {
    line.skip_space();
    line.expect(name);
    return line.hex(name, max);
  }

  LinkEnd read_end(Cursor& line) {
    line.skip_space();
    line.expect("{");
    line.skip_space();
    RawNode node;
    node.line = input_.line_number();
    node.column = line.column();
    node.kind = read_kind(line);
    node.ports = static_cast<std::uint32_t>(field(line, "Ports:", kMaxPorts));
    node.hardware.system_guid = field(line, "SystemGUID:", ~std::uint64_t{0});
    node.guid = field(line, "NodeGUID:", ~std::uint64_t{0});
    LinkEnd end;
    end.address.guid = field(line, "PortGUID:", ~std::uint64_t{0});
    node.hardware.vendor = static_cast<std::uint32_t>(field(line, "VenID:", 0xffffffff));
    node.hardware.device = static_cast<std::uint32_t>(field(line, "DevID:", 0xffffffff));
    field(line, "Rev:", 0xffffffff);
    node.description = read_description(line);
    end.address.lid = unicast_lid(field(line, "LID:", 0xffff));
    end.port = static_cast<std::uint32_t>(field(line, "PN:", 0xffffffff));
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

  struct State {
    bool up = true;
    Rate rate;
  };

  // PHY=4x LOG=ACT SPD=10; the speed is missing in lists of old tools.
  State read_state(Cursor& line) {
    State state;
    line.skip_space();
    line.expect("PHY=");
    const std::string_view width = line.word();
    line.skip_space();
    line.expect("LOG=");
    const std::string_view log = line.word();
    state.up = log == "ACT" || log == "INI" || log == "ARM";
    line.skip_space();
    if (!line.at_end()) {
      line.expect("SPD=");
      const Speed speed = speed_of_lane(line.word());
      const auto known = parse_rate(std::string(width) + "SDR");
      if (known && speed != Speed::kUnknown) state.rate = {known->width, speed};
    }
    if (state.up && state.rate == Rate{}) {
      raw_.warnings.count(kUnknownRate, input_.line_number());
    }
    return state;
  }

  Input& input_;
  RawFabric raw_;
  Frame frame_;
};

}  // namespace

bool looks_like_subnet_lst(std::string_view head) {
  return any_line(head, [](std::string_view line) {
    return line.starts_with('{') && line.find("NodeGUID:") != std::string_view::npos;
  });
}

LoadedFabric read_subnet_lst(Input& input) { return SubnetListReader(input).run(); }

}  // namespace fatwood
