// SPDX-License-Identifier: BSD-3-Clause
#include "report/change/losses_report.hpp"

#include <fmt/format.h>

#include <array>

#include "report/json.hpp"
#include "report/proof/ethernet_verdict.hpp"
#include "topology/labels.hpp"

namespace fatwood {

namespace {

constexpr std::array<std::string_view, 3> kProtocols{"bgp", "ospf", "none"};

std::string_view protocol_name(const LossAnswer& answer) {
  return kProtocols[static_cast<std::size_t>(answer.protocol)];
}

std::string loss_name(const Fabric& fabric, const Names& labels, const Fault& fault) {
  if (fault.removed != kNone<Switch>) return unique_name(fabric, fault.removed);
  std::vector<std::string> words;
  for (const Channel c : fault.cut) {
    words.push_back(fmt::format("{} - {}", interface_text(fabric, labels, c),
                                interface_text(fabric, labels, fabric.peer(c))));
  }
  return listed(words, 4);
}

std::string address_of(const Fabric& fabric, const Routing& routing, const Prefixes& prefixes,
                       Destination destination) {
  if (!prefixes.empty() && !prefixes.of[index(destination)].empty()) {
    return prefixes.of[index(destination)];
  }
  return destination_name(fabric, routing, destination);
}

// "leaf3[swp1] > spine1[swp4] (172.16.4.0/24) > ..."
std::string cycle_text(const Fabric& fabric, const Routing& routing, const Prefixes& prefixes,
                       const Names& labels, const std::vector<LossStep>& cycle) {
  std::string text;
  for (const LossStep& step : cycle) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : " > ",
                        interface_text(fabric, labels, step.channel),
                        address_of(fabric, routing, prefixes, step.destination));
  }
  return text;
}

std::string meaning(const LossAnswer& answer) {
  std::string text = answer.state == LossState::kSettled
                         ? "Settled: every switch has the routes that "
                         : "Transient: the switches at what is lost have changed, the others have "
                           "not. New routes are those that ";
  switch (answer.protocol) {
    case AfterLoss::kBgp:
      text += "BGP finds, with one AS for the switches of a level in a pod";
      break;
    case AfterLoss::kOspf:
      text += "OSPF finds: all shortest paths";
      break;
    case AfterLoss::kNone:
      text +=
          "are left: neither BGP nor OSPF gives the routes of these files, so new routes are "
          "not known (--protocol)";
  }
  if (answer.also_ospf) text += " (OSPF would give the same routes now: --protocol ospf)";
  return text + ".\n";
}

}  // namespace

std::string losses_text(const Model& model, const Routing& routing, const LossAnswer& answer,
                        const Prefixes& prefixes, const Names& labels, std::size_t top) {
  const Fabric& fabric = model.fabric();
  const LossProof& proof = answer.proof;
  std::string text = meaning(answer);
  text += fmt::format("Before: pauses {} lock up; {} pairs of hosts have no route.\n",
                      proof.free_before ? "cannot" : "can", proof.lost_before);
  text += fmt::format("{} after {} losses: {} can lock up, {} disconnect pairs of hosts.\n",
                      counted(proof.rows, "destination"), answer.faults.size(), answer.cyclic(),
                      answer.cutting());
  std::size_t shown = 0;
  for (const std::size_t i : answer.worst_first()) {
    const LossVerdict& one = proof.verdicts[i];
    if ((one.free && one.pairs_lost == 0) || shown++ == top) break;
    text += fmt::format("  {:<9} {:>9} pairs lost  {}\n", one.free ? "" : "LOCKS UP",
                        one.pairs_lost, loss_name(fabric, labels, answer.faults[i]));
    if (!one.cycle.empty()) {
      text += fmt::format("    {}\n", cycle_text(fabric, routing, prefixes, labels, one.cycle));
    }
  }
  return text + fmt::format("{:.2f} s\n", answer.seconds);
}

std::string losses_json(const Model& model, const Routing& routing, const LossAnswer& answer,
                        const Prefixes& prefixes, const Names& labels) {
  const Fabric& fabric = model.fabric();
  Json json;
  json["engine"] = routing.engine;
  json["state"] = answer.state == LossState::kSettled ? "settled" : "transient";
  json["protocol"] = protocol_name(answer);
  json["also_ospf"] = answer.also_ospf;
  json["now"] = {{"deadlock_free", answer.proof.free_before},
                 {"pairs_lost", answer.proof.lost_before}};
  json["destinations"] = answer.proof.rows;
  json["lock_up"] = answer.cyclic();
  json["disconnect"] = answer.cutting();
  json["faults"] = Json::list(answer.worst_first(), [&](std::size_t i) {
    const Fault& fault = answer.faults[i];
    const LossVerdict& one = answer.proof.verdicts[i];
    Json row;
    if (fault.removed != kNone<Switch>) {
      row["remove"] = unique_name(fabric, fault.removed);
    } else if (fault.cut.size() == 1) {
      row["cut"] = interface_text(fabric, labels, fault.cut.front());
      row["to"] = interface_text(fabric, labels, fabric.peer(fault.cut.front()));
    } else {
      row["cut"] =
          Json::list(fault.cut, [&](Channel c) { return interface_text(fabric, labels, c); });
    }
    row["deadlock_free"] = one.free;
    row["pairs_lost"] = one.pairs_lost;
    row["groups_changed"] = one.changes;
    row["cycle"] = Json::list(one.cycle, [&](const LossStep& step) {
      return Json{{"channel", interface_text(fabric, labels, step.channel)},
                  {"to", interface_text(fabric, labels, fabric.peer(step.channel))},
                  {"prefix", address_of(fabric, routing, prefixes, step.destination)}};
    });
    return row;
  });
  return document(std::move(json));
}

}  // namespace fatwood
