// fatwood worst FABRIC ROUTING: the traffic that a routing serves worst.

#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "analysis/link_load.hpp"
#include "analysis/oload.hpp"
#include "cli/routing_choice.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/output.hpp"
#include "report/worst_report.hpp"

namespace fatwood::cli {

namespace {

struct WorstArguments {
  FabricArgument fabric;
  std::string routing;
  std::string output;
  bool permutation = false;
};

// The exact worst case, loaded again by other code.
void find_exactly(const Fabric& fabric, const WholeTree& tree, const PathSource& paths,
                  const WorstOptions& options, WorstReport& report) {
  const ObliviousRouting* closed = paths.oblivious();
  const CableUse use = closed != nullptr ? cable_use(*closed) : cable_use(fabric, tree, paths);
  report.exact = worst_case(use, options);
  report.exact->channel = tree.channel_at(report.exact->channel);
  Traffic by_place{.terminals = fabric.num_terminals()};
  report.traffic.terminals = fabric.num_terminals();
  for (const Demand& demand : report.exact->traffic) {
    by_place.flows.push_back({static_cast<Terminal>(demand.source),
                              static_cast<Terminal>(demand.destination), demand.amount});
    report.traffic.flows.push_back(
        {tree.terminal_at(demand.source), tree.terminal_at(demand.destination), demand.amount});
  }
  report.mload = max_load(link_loads(fabric, paths, report.traffic, options.threads));
  report.oload = tree_oload(tree.shape, by_place);
  report.bound_squared = single_path_bound_squared(tree.shape);
}

WorstReport run(const WorstArguments& arguments, const Fabric& fabric, const Session& session) {
  const auto paths = choose_routing(fabric, arguments.routing, session);
  const WorstOptions options{
      .traffic = arguments.permutation ? TrafficClass::kPermutation : TrafficClass::kAny,
      .threads = session.threads,
      .progress = terminal_progress("worst")};
  WorstReport report;
  report.routing = arguments.routing;
  report.traffic_class = options.traffic;
  const std::optional<WholeTree> tree = whole_tree(fabric);
  if (!tree) {
    report.why_bounds = "the fabric is no whole tree";
  } else if (tree->shape.up_ports(0) != 1) {
    report.why_bounds = "hosts have several ports";
  } else {
    try {
      find_exactly(fabric, *tree, *paths, options, report);
      return report;
    } catch (const PromiseError& error) {
      report.why_bounds = error.what();
      report.exact.reset();
    }
  }
  report.bounds = worst_bounds(fabric, *paths, options);
  report.traffic = report.bounds->traffic;
  return report;
}

void write_traffic(std::ostream& out, const Fabric& fabric, const WorstReport& report) {
  out << "# worst traffic for " << report.routing << ": source destination amount\n";
  for (const Flow& flow : report.traffic.flows) {
    out << fabric.id(fabric.adapter(flow.source)) << ' '
        << fabric.id(fabric.adapter(flow.destination)) << ' '
        << report.traffic.amount(flow).to_string() << '\n';
  }
}

}  // namespace

void add_worst(CLI::App& app, Session& session) {
  CLI::App* verb = app.add_subcommand("worst", "find the traffic that a routing serves worst");
  auto arguments = std::make_shared<WorstArguments>();
  add_fabric(*verb, arguments->fabric);
  verb->add_option("ROUTING", arguments->routing, routing_help())->required();
  verb->add_flag("--permutation", arguments->permutation,
                 "the worst permutation: most load on a channel (weighted mds)");
  verb->add_option("-o,--output", arguments->output,
                   "write the traffic, as 'fatwood load --traffic file:FILE' reads it");
  add_threads(*verb, session);
  add_seed(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood worst 'ft(8,3)' disjoint:2");
  verb->callback([arguments, &session] {
    const Fabric fabric = load(arguments->fabric);
    const WorstReport report = run(*arguments, fabric, session);
    if (!arguments->output.empty()) {
      write_output(arguments->output,
                   [&](std::ostream& out) { write_traffic(out, fabric, report); });
    }
    fmt::print("{}", session.json ? worst_json(fabric, report) : worst_text(fabric, report));
  });
}

}  // namespace fatwood::cli
