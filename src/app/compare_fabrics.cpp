// SPDX-License-Identifier: BSD-3-Clause
#include "app/compare_fabrics.hpp"

#include <utility>

#include "core/error.hpp"
#include "io/ethernet/port_numbers.hpp"
#include "plan/model/plan_fabric.hpp"

namespace fatwood {

namespace {

CablingCheck check_plan(const OpenFabric& first, const OpenFabric& second,
                        const OpenFabric* earlier) {
  Plan plan = first.plan ? *first.plan : plan_of(*first.model, first.run);
  if (earlier == nullptr) return check_cabling(std::move(plan), *second.model, second.run);
  for (const OpenFabric* one : {earlier, &second}) {
    if (!one->run.counters.empty()) continue;
    throw InputError({.file = one->name},
                     "has no counters of ports; expected a run of ibdiagnet with its pm file");
  }
  const EarlierRun before{*earlier->model, earlier->run};
  return check_cabling(std::move(plan), *second.model, second.run, &before);
}

}  // namespace

OpenFabric open_other(const OpenFabric& first, FabricRequest request) {
  request.read.like = std::make_shared<const PortNumbers>(port_numbers(first.fabric(), first.run));
  return open_fabric(request);
}

ComparedFabrics compare_fabrics(const OpenFabric& first, const OpenFabric& second,
                                TakenAsPlan taken, const OpenFabric* earlier) {
  ComparedFabrics compared;
  if (first.plan || first.format == "spec" || taken == TakenAsPlan::kAlways) {
    compared.cabling = check_plan(first, second, earlier);
  }
  compared.fabric = first.plan ? diff_fabrics(*first.model, *second.model,
                                              compared.cabling->cabling.match.found_of)
                               : diff_fabrics(*first.model, *second.model);
  return compared;
}

}  // namespace fatwood
