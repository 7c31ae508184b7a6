// SPDX-License-Identifier: BSD-3-Clause
// fatwood order FABRIC ROUTING --hosts FILE --collective C: how a job's ranks collide.

#include <fmt/format.h>

#include <memory>

#include "cli/options/routing_choice.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/base/output.hpp"
#include "io/lists/node_list.hpp"
#include "report/jobs/order_report.hpp"

namespace fatwood::cli {

namespace {

struct OrderArguments {
  FabricArgument fabric;
  std::string routing;
  std::string hosts;
  std::string collective = "shifts";
  std::string output;
};

void run(const OrderArguments& arguments, const Session& session) {
  const Model model = load(arguments.fabric);
  const std::vector<Adapter> hosts = hosts_of(model, arguments.hosts);
  const auto paths = choose_routing(model, arguments.routing, session);
  if (hosts.size() < 2) throw InputError({.file = arguments.hosts}, "fewer than two hosts");
  const Schedule ranks =
      make_traffic(arguments.collective, AdapterNames(hosts.size()), session.seed);
  const NodeOrder order = node_order(
      model, *paths, hosts, ranks, {.seed = session.seed, .progress = terminal_progress("order")});
  const AdapterNames names(model);
  if (!arguments.output.empty()) {
    write_output(arguments.output, [&](std::ostream& out) { out << order_hosts(names, order); });
  }
  print(session, session.json ? order_json(names, order) : order_text(names, order));
}

}  // namespace

void add_order(CommandLine& app, Session& session) {
  Verb* verb =
      app.add_verb("order", "show how a job's ranks collide, and find a better order of its hosts");
  auto arguments = std::make_shared<OrderArguments>();
  add_fabric(*verb, arguments->fabric);
  add_routing(*verb, arguments->routing)->required();
  verb->add_option("--hosts", arguments->hosts,
                   "the job's hosts, rank 0 first: a file, a host list like n[01-64], or all")
      ->required();
  verb->add_option("--collective", arguments->collective,
                   "shifts, ring, doubling, halving, or any traffic over ranks")
      ->show_default();
  verb->add_output("-o,--output", arguments->output, output_form::kHosts,
                   "file: the better order, as a hosts file");
  add_threads(*verb, session);
  add_seed(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood order 'ft(8,3)' dmodk --hosts hosts --collective doubling");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
