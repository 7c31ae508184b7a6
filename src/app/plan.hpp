// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The request for `plan` of every front end: a fabric of so many hosts.

#include <string>

#include "app/parameter.hpp"
#include "plan/formats/plan_words.hpp"

namespace fatwood {

struct PlanQuestion : PlanWords {
  unsigned choose = 0;  // the number of one alternative; 0: all
  std::string figures = "small";
  std::string engine = "even";
};

template <class Visitor>
void describe_size(Visitor& visit, PlanQuestion& plan) {
  const auto add = [&](auto& value, Parameter parameter) {
    parameter.heading = "Size";
    visit(value, parameter);
  };
  add(plan.hosts, {.name = "hosts", .help = "compute hosts", .least = 1, .most = kMostPlanHosts});
  add(plan.rails, {.name = "rails",
                   .help = "adapters of a host, a rail each",
                   .least = 1,
                   .most = 64,
                   .needs = {"hosts"},
                   .also = "adapters"});
  add(plan.adapter_ports, {.name = "adapter_ports",
                           .help = "ports of an adapter",
                           .least = 1,
                           .most = 8,
                           .needs = {"hosts"}});
  add(plan.rate, {.name = "rate",
                  .help = "Gb/s of a host link, as sold",
                  .least = 1,
                  .most = 10000,
                  .needs = {"hosts"}});
  add(plan.radix, {.name = "radix",
                   .help = "ports of a switch (default: what the catalogue has at this rate)",
                   .least = 2,
                   .most = 254,
                   .needs = {"hosts"}});
  add(plan.spine_radix, {.name = "spine_radix",
                         .help = "ports of spines and cores, if others; PORTS:CHIP for directors "
                                 "with chips of CHIP ports",
                         .needs = {"radix"}});
  add(plan.split, {.name = "split",
                   .help = "hosts on one port of a leaf, by splitter cables",
                   .least = 1,
                   .most = 8,
                   .needs = {"radix"}});
  add(plan.catalogue, {.name = "catalogue",
                       .help = "file: switches to choose from",
                       .file = true,
                       .needs = {"hosts"},
                       .excludes = {"radix"}});
}

template <class Visitor>
void describe_shape(Visitor& visit, PlanQuestion& plan) {
  const auto add = [&](auto& value, Parameter parameter) {
    parameter.heading = "Size";
    parameter.needs = {"hosts"};
    visit(value, parameter);
  };
  add(plan.oversubscription,
      {.name = "oversubscription",
       .help = "down:up of leaves, and after a comma of spines, as in 2:1,1:1"});
  add(plan.unit, {.name = "unit",
                  .help = "hosts of a unit (default: what a leaf takes)",
                  .least = 1,
                  .most = kMostPlanHosts});
  add(plan.pod, {.name = "pod",
                 .help = "hosts of a pod (default: as many as can be)",
                 .least = 1,
                 .most = kMostPlanHosts});
  add(plan.unit_spine, {.name = "unit_spine", .help = "each unit has a spine of its own"});
  add(plan.planes, {.name = "planes",
                    .help = "separate networks (default: one, and one a rail as an alternative)",
                    .least = 1,
                    .most = 64});
  add(plan.reserve, {.name = "reserve",
                     .help = "storage=N, management=N, gateway=N: links of such hosts; spare=N: "
                             "free links of each leaf",
                     .commas = true});
  add(plan.growth, {.name = "growth",
                    .help = "hosts of later, as 128 or 25%: upper levels have ports for them"});
  add(plan.twin, {.name = "twin", .help = "two links share a cable, from cage to cage"});
}

template <class Visitor>
void describe(Visitor& visit, PlanQuestion& plan) {
  describe_size(visit, plan);
  describe_shape(visit, plan);
  const auto add = [&](auto& value, Parameter parameter) {
    parameter.heading = "Results";
    visit(value, parameter);
  };
  add(plan.choose, {.name = "choose",
                    .help = "only the alternative of this number",
                    .least = 1,
                    .most = 10000,
                    .needs = {"hosts"}});
  add(plan.figures, {.name = "figures",
                     .help = "which alternatives are routed: small, all or none",
                     .words = {"small", "all", "none"},
                     .needs = {"hosts"}});
  add(plan.engine, {.name = "engine", .help = "what routes them", .needs = {"hosts"}});
  add(plan.prices,
      {.name = "prices", .help = "file: your prices", .file = true, .needs = {"hosts"}});
  add(plan.layout, {.name = "layout", .help = "file: racks, rows, trays and places", .file = true});
  add(plan.cables,
      {.name = "cables", .help = "file: types of cables, their reaches and lengths", .file = true});
}

}  // namespace fatwood
