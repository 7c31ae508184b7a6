// SPDX-License-Identifier: BSD-3-Clause
// fatwood check-certificate FABRIC TABLES FILE: checks a proof that verify wrote, by fatwood-check.

#include <memory>

#include "cli/options/run_checker.hpp"
#include "cli/options/tables_choice.hpp"
#include "cli/verb.hpp"
#include "routing/tables/target_tree.hpp"

namespace fatwood::cli {

namespace {

struct CertificateArguments {
  FabricArgument fabric;
  TablesChoice tables;
  std::string certificate;
};

void run(const CertificateArguments& arguments, Session& session) {
  const LoadedModel loaded = load_with_warnings(arguments.fabric);
  print_warnings(loaded.warnings);
  const Model& model = loaded.model;
  const Fabric& fabric = model.fabric();
  Routing routing = load_routing(model, with_lanes_of_run(arguments.tables), session);
  drop_groups_not_used(fabric, loaded.run, routing);
  check_size(fabric, routing);
  run_checker(fabric, routing, arguments.certificate, session);
}

}  // namespace

void add_check_certificate(CommandLine& app, Session& session) {
  Verb* verb =
      app.add_verb("check-certificate", "check a proof of deadlock freedom that verify wrote");
  auto arguments = std::make_shared<CertificateArguments>();
  add_fabric(*verb, arguments->fabric, Hints::kBalance);
  add_tables(*verb, arguments->tables);
  add_lane_files(*verb, arguments->tables.lanes);
  verb->add_option("FILE", arguments->certificate, "the certificate")->required();
  add_threads(*verb, session);
  add_seed(*verb, session);
  add_json(*verb, session);
  verb->footer("Example: fatwood check-certificate 'ft(8,3)' updn proof");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
