// SPDX-License-Identifier: BSD-3-Clause
// fatwood trace FABRIC TABLES SOURCE DESTINATION: the path of one packet.

#include <fmt/format.h>

#include <memory>

#include "app/questions.hpp"
#include "cli/options/add_options.hpp"
#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/lists/node_list.hpp"
#include "report/proof/verify_report.hpp"

namespace fatwood::cli {

namespace {

struct TraceArguments {
  FabricRequest fabric;
  RoutingRequest tables;
  TraceQuestion question;
};

struct Place {
  Terminal terminal = kNone<Terminal>;
  Switch sw = kNone<Switch>;
};

// A switch's name, or a host's with one port (or with the port named).
Place find_place(const Fabric& fabric, const TerminalNames& names, const std::string& text,
                 std::string_view parameter) {
  const Location where{.file = param(parameter)};
  std::vector<Node> nodes = names.called(text);
  if (nodes.empty()) {
    const Channel own = names.find_port(text, where);
    if (own != kNone<Channel> && fabric.port(own) == kOwnPort) nodes = {fabric.owner(own)};
  }
  if (nodes.size() == 1 && fabric.is_switch(nodes.front())) {
    return {.sw = fabric.as_switch(nodes.front())};
  }
  const std::vector<Terminal> terminals = names.terminals(text, where);
  if (terminals.size() != 1) {
    const Channel first = fabric.terminal_channel(terminals.front());
    throw InputError(where, fmt::format("\"{}\" has {} ports: name one, such as \"{}\"", text,
                                        terminals.size(), port_name(fabric, first)));
  }
  return {.terminal = terminals.front()};
}

}  // namespace

void add_trace(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("trace", "walk one route, hop by hop");
  auto arguments = std::make_shared<TraceArguments>();
  add_fabric(*verb, arguments->fabric, Hints::kBalance);
  add_tables(*verb, arguments->tables);
  add_lane_files(*verb, arguments->tables.lanes);
  AddOptions options(*verb);
  describe(options, arguments->question);
  add_common(*verb, session);
  verb->footer("Example: fatwood trace 'ft(8,3)' --engine sftree --from H0 --to H100");
  verb->callback(session, [arguments, &session] {
    const OpenFabric open_fabric = load(arguments->fabric);
    const Fabric& fabric = open_fabric.fabric();
    const TerminalNames names(fabric);
    const Place from = find_place(fabric, names, arguments->question.from, "from");
    const Place to = find_place(fabric, names, arguments->question.to, "to");
    if (to.sw != kNone<Switch> && arguments->question.offset > 0) {
      throw InputError(fmt::format("--offset {}: a switch has one address, number 0",
                                   arguments->question.offset));
    }
    const OpenRouting opened =
        open(open_fabric, arguments->tables, session,
             {.entries = Entries::kOnePort, .run_lanes = RunLanes::kOnePerLevel});
    const Routing& routing = opened.routing;
    require_own_lanes(routing, opened.lanes);
    const ForwardingTables& tables = routing.tables;
    if (tables.num_destinations() == 0) {
      throw PromiseError(routing.engine + " routes by pair: there are no tables to walk");
    }
    if (arguments->question.offset >= 1U << tables.lmc()) {
      throw InputError(fmt::format("--offset {}: a host has {} address(es), numbered from 0",
                                   arguments->question.offset, 1U << tables.lmc()));
    }
    const Destination destination =
        to.terminal != kNone<Terminal> ? tables.destination(to.terminal, arguments->question.offset)
                                       : tables.destination(to.sw);
    const PacketPath route = trace_packet(fabric, tables, from.terminal, from.sw, destination);
    const Switch entry = from.terminal != kNone<Terminal> ? fabric.leaf(from.terminal) : from.sw;
    const unsigned lane = entry == kNone<Switch> ? 0 : routing.lanes.at(destination, entry);
    print(session,
          session.json ? trace_json(fabric, route, lane) : trace_text(fabric, route, lane));
    session.status = route.failure.empty() ? 0 : 1;
  });
}

}  // namespace fatwood::cli
