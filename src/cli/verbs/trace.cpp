// SPDX-License-Identifier: BSD-3-Clause
// fatwood trace FABRIC TABLES SOURCE DESTINATION: the path of one packet.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "app/questions.hpp"
#include "cli/options/add_options.hpp"
#include "cli/options/routing.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "io/lists/node_list.hpp"
#include "io/routes/address_plan.hpp"
#include "io/routes/switch_routes.hpp"
#include "report/proof/flow_report.hpp"
#include "report/proof/verify_report.hpp"

namespace fatwood::cli {

namespace {

struct TraceArguments {
  FabricRequest fabric;
  RoutingRequest tables;
  TraceQuestion question;
  std::string flow;
  std::optional<std::uint32_t> kernel_seed;
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

// "50000", or "10.0.0.1,50000,10.0.1.1": what the plan of addresses does not say.
UdpFlow flow_of(const std::string& text, const Fabric& fabric, Terminal source,
                Terminal destination) {
  const std::vector<std::string_view> words = split_at(text, ',');
  const auto wrong = [] {
    return InputError({.file = "--flow"},
                      "expected a UDP source port, such as 50000, or ADDRESS,PORT,ADDRESS");
  };
  const auto port = parse_number<std::uint16_t>(words[words.size() == 3 ? 1 : 0]);
  if (!port || (words.size() != 1 && words.size() != 3)) throw wrong();
  if (words.size() == 1) {
    const AddressPlan plan(fabric);
    return {plan.address(source), plan.address(destination), *port};
  }
  const auto address = [&](std::string_view word) {
    const std::optional<Prefix> prefix = parse_prefix(word);
    if (!prefix || prefix->six || prefix->bits != 32) throw wrong();
    return static_cast<std::uint32_t>(prefix->first.high >> 32U);
  };
  return {address(words[0]), address(words[2]), *port};
}

// Switches choose among ports: all that they may take, or those that the kernel takes.
void trace_choices(const OpenFabric& open, const Routing& routing, const Place& from,
                   const Place& to, Destination destination, const TraceArguments& arguments,
                   Session& session) {
  const Fabric& fabric = open.fabric();
  if (arguments.flow.empty()) {
    const Switch start = from.terminal != kNone<Terminal> ? fabric.leaf(from.terminal) : from.sw;
    if (start == kNone<Switch>) throw InputError({.file = "--from"}, "is at no switch");
    const FlowPaths paths = follow_choices(fabric, routing, start, destination);
    print(session, session.json ? choices_json(fabric, open.run.labels, paths)
                                : choices_text(fabric, open.run.labels, paths));
    session.status = paths.failure.empty() ? 0 : 1;
    return;
  }
  const bool hosts = from.terminal != kNone<Terminal> && to.terminal != kNone<Terminal>;
  if (!hosts || fabric.leaf(from.terminal) == kNone<Switch> ||
      fabric.leaf(to.terminal) == kNone<Switch>) {
    throw InputError({.file = "--flow"}, "a flow is from a host at a switch to another");
  }
  const UdpFlow flow = flow_of(arguments.flow, fabric, from.terminal, to.terminal);
  const SeedOf seed = [&](Switch s) { return arguments.kernel_seed.value_or(index(s) + 1); };
  const PacketPath route =
      follow_linux_flow(fabric, routing, from.terminal, destination, flow, seed);
  print(session, session.json ? trace_json(fabric, route, 0) : trace_text(fabric, route, 0));
  session.status = route.failure.empty() ? 0 : 1;
}

void add_flow(Verb& verb, TraceArguments& arguments) {
  const Option* flow = verb.add_option(
      "--flow", arguments.flow,
      "adaptive tables: the path that Linux switches give a RoCE flow with this UDP source port "
      "(or ADDRESS,PORT,ADDRESS); without it, all ports that it may take");
  verb.add_option("--kernel-seed", arguments.kernel_seed,
                  "with --flow: fib_multipath_hash_seed of all switches (default: as route "
                  "--out-ip-route sets it, the number of the switch + 1)")
      ->needs(flow);
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
  add_flow(*verb, *arguments);
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
             {.entries = Entries::kAny, .run_lanes = RunLanes::kOnePerLevel});
    if (!opened.routing.sets.empty() && !opened.routing.may_return && arguments->flow.empty()) {
      throw InputError({.file = opened.name},
                       "its switches choose among several ports (adaptive tables), and this verb "
                       "follows one: verify, load, sim and report take such tables");
    }
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
    if (!routing.sets.empty()) {
      return trace_choices(open_fabric, routing, from, to, destination, *arguments, session);
    }
    if (!arguments->flow.empty()) {
      throw InputError({.file = "--flow"},
                       fmt::format("the switches of {} choose nothing", routing.engine));
    }
    const PacketPath route = trace_packet(fabric, tables, from.terminal, from.sw, destination);
    const Switch entry = from.terminal != kNone<Terminal> ? fabric.leaf(from.terminal) : from.sw;
    const unsigned lane = entry == kNone<Switch> ? 0 : routing.lanes.at(destination, entry);
    print(session,
          session.json ? trace_json(fabric, route, lane) : trace_text(fabric, route, lane));
    session.status = route.failure.empty() ? 0 : 1;
  });
}

}  // namespace fatwood::cli
