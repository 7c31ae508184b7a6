// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ethernet/prove_losses.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <tuple>

#include "core/error.hpp"
#include "routing/adaptive/as_numbers.hpp"
#include "routing/tables/destination_tree.hpp"

namespace fatwood {

namespace {

void choose_protocol(const Model& model, const Routing& routing, const LossQuestion& question,
                     const Table<Switch, std::uint32_t>& as, LossAnswer& answer) {
  if (question.protocol) {
    answer.protocol = *question.protocol;
    return;
  }
  const Fabric& fabric = model.fabric();
  const auto gives = [&](const Table<Switch, std::uint32_t>& numbers) {
    return gives_routes(fabric, routing, numbers, question.threads);
  };
  if (routing.engine == "ecmp" || routing.engine == "ospf") {
    answer.protocol = routing.engine == "ecmp" ? AfterLoss::kBgp : AfterLoss::kOspf;
    return;
  }
  const bool bgp = gives(as), ospf = gives(own_as_numbers(fabric));
  answer.protocol = bgp ? AfterLoss::kBgp : ospf ? AfterLoss::kOspf : AfterLoss::kNone;
  answer.also_ospf = bgp && ospf;
}

}  // namespace

std::size_t LossAnswer::cyclic() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(proof.verdicts, [](const LossVerdict& one) { return !one.free; }));
}

std::size_t LossAnswer::cutting() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      proof.verdicts, [](const LossVerdict& one) { return one.pairs_lost > 0; }));
}

std::vector<std::size_t> LossAnswer::worst_first() const {
  std::vector<std::size_t> order(faults.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    const LossVerdict& one = proof.verdicts[i];
    return std::tuple(one.free, ~one.pairs_lost);
  });
  return order;
}

LossAnswer prove_each_loss(const Model& model, const Routing& routing, std::vector<Fault> faults,
                           const LossQuestion& question) {
  const auto start = std::chrono::steady_clock::now();
  const Fabric& fabric = model.fabric();
  check_size(fabric, routing);
  if (!routing.may_return) {
    throw InputError(
        routing.engine +
        " is not routed by Ethernet switches: losses are proved for routes by address, "
        "and the engines ecmp and ospf");
  }
  LossAnswer answer;
  answer.state = question.state;
  const Table<Switch, std::uint32_t> as = as_numbers(model);
  choose_protocol(model, routing, question, as, answer);
  std::vector<Loss> losses;
  for (const Fault& fault : faults) losses.push_back({fault.cut, fault.removed});
  LossProofOptions options{.protocol = answer.protocol,
                           .state = question.state,
                           .sources = question.sources,
                           .cycles = question.cycles,
                           .threads = question.threads,
                           .progress = question.progress};
  if (answer.protocol == AfterLoss::kBgp) options.as = &as;
  answer.proof = prove_losses(fabric, routing, losses, options);
  answer.faults = std::move(faults);
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return answer;
}

}  // namespace fatwood
