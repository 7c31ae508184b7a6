// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/plan_options.hpp"

namespace fatwood::cli {

PlanOptions plan_options(const PlanArguments& arguments, const Session& session) {
  PlanOptions options{read_plan_words(arguments)};
  options.figures = figures_of(arguments.figures);
  options.choose = arguments.choose;
  options.figure = {arguments.engine, session.threads};
  return options;
}

namespace {

void add_plan_results(Verb& verb, PlanArguments& a, const Option* hosts) {
  const Heading under(verb, "Results");
  verb.add_option("--choose", a.choose, "only the alternative of this number")
      ->range(1, 10000)
      ->needs(hosts);
  verb.add_option("--figures", a.figures, "which alternatives are routed: small, all or none")
      ->one_of({"small", "all", "none"})
      ->needs(hosts);
  verb.add_option("--engine", a.engine, "what routes them")->needs(hosts);
  verb.add_option("--prices", a.prices, "file: your prices")->needs(hosts);
  verb.add_option("--layout", a.layout, "file: racks, rows, trays and places");
  verb.add_option("--cables", a.cables, "file: types of cables, their reaches and lengths");
}

}  // namespace

const Option* add_plan_options(Verb& verb, PlanArguments& a) {
  const Heading under(verb, "Size");
  const Option* hosts =
      verb.add_option("--hosts", a.hosts, "compute hosts")->range(1U, kMostPlanHosts);
  const auto sized = [&](Option* option) { option->needs(hosts); };
  sized(verb.add_option("--rails,--adapters", a.rails, "adapters of a host, a rail each")
            ->range(1, 64));
  sized(verb.add_option("--adapter-ports", a.adapter_ports, "ports of an adapter")->range(1, 8));
  sized(verb.add_option("--rate", a.rate, "Gb/s of a host link, as sold")->range(1, 10000));
  Option* radix =
      verb.add_option("--radix", a.radix,
                      "ports of a switch (default: what the catalogue has at this rate)")
          ->range(2, 254);
  sized(radix);
  sized(verb.add_option("--spine-radix", a.spine_radix,
                        "ports of spines and cores, if others; PORTS:CHIP for directors with chips "
                        "of CHIP ports")
            ->needs(radix));
  sized(verb.add_option("--split", a.split, "hosts on one port of a leaf, by splitter cables")
            ->range(1, 8)
            ->needs(radix));
  Option* catalogue = verb.add_option("--catalogue", a.catalogue, "file: switches to choose from");
  sized(catalogue->excludes(radix));
  sized(verb.add_option("--oversubscription", a.oversubscription,
                        "down:up of leaves, and after a comma of spines, as in 2:1,1:1"));
  sized(verb.add_option("--unit", a.unit, "hosts of a unit (default: what a leaf takes)")
            ->range(1U, kMostPlanHosts));
  sized(verb.add_option("--pod", a.pod, "hosts of a pod (default: as many as can be)")
            ->range(1U, kMostPlanHosts));
  sized(verb.add_flag("--unit-spine", a.unit_spine, "each unit has a spine of its own"));
  sized(verb.add_option("--planes", a.planes,
                        "separate networks (default: one, and one a rail as an alternative)")
            ->range(1, 64));
  sized(verb.add_option("--reserve", a.reserve,
                        "storage=N, management=N, gateway=N: links of such hosts; spare=N: free "
                        "links of each leaf")
            ->separated_by(','));
  sized(verb.add_option("--growth", a.growth,
                        "hosts of later, as 128 or 25%: upper levels have "
                        "ports for them"));
  sized(verb.add_flag("--twin", a.twin, "two links share a cable, from cage to cage"));
  add_plan_results(verb, a, hosts);
  return hosts;
}

}  // namespace fatwood::cli
