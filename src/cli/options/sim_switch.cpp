// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/sim_switch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/options/routing.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "core/text/text_file.hpp"
#include "core/text/words.hpp"
#include "routing/tables/destination_tree.hpp"
#include "topology/node_names.hpp"
#include "verify/transition.hpp"

namespace fatwood::cli {

namespace {

constexpr std::uint32_t kOrderStream = 7;

// Switches by name, one a line.
std::vector<Switch> read_order(const Fabric& fabric, const std::string& path) {
  const NodeNames names(fabric);
  std::ifstream in = open_text(path);
  TextLines lines(in, path);
  std::vector<Switch> order;
  std::vector<bool> seen(fabric.num_switches());
  while (const auto line = lines.next()) {
    for (const Word& word : split_words(*line, lines.where())) {
      const Location where{path, lines.where().line, word.column};
      const Switch s = names.switch_of(word.text, where);
      if (seen[index(s)]) throw InputError(where, fmt::format("\"{}\" comes twice", word.text));
      seen[index(s)] = true;
      order.push_back(s);
    }
  }
  return order;
}

std::vector<Switch> order_of(const Model& model, const SwitchOptions& options,
                             const Session& session) {
  const auto count = static_cast<std::uint32_t>(model.fabric().num_switches());
  std::vector<Switch> order;
  if (options.order == "random") {
    Random random(session.seed, 0, kOrderStream);
    for (const std::uint32_t s : random.permutation(count)) order.push_back(Switch{s});
  } else if (options.order == "number" || options.order == "rounds") {
    for (const Switch s : ids<Switch>(count)) order.push_back(s);
  } else {
    order = read_order(model.fabric(), options.order);
  }
  return order;
}

// The writes of one round after the other, each switch as a whole.
struct SwitchPlan {
  std::vector<ForwardingTables> tables;
  std::vector<sim::TableChange> changes;
};

SwitchPlan plan_rounds(const ForwardingTables& old, const ForwardingTables& after,
                       const std::vector<Round>& rounds, const std::vector<Switch>& order,
                       const SwitchOptions& options, sim::Time cycle) {
  SwitchPlan plan;
  ForwardingTables tables = old;
  sim::Time at = options.at * cycle;
  for (const Round& round : rounds) {
    std::vector<bool> written(old.num_switches());
    for (const auto& [destination, s] : round.write) {
      tables.row(destination)[index(s)] = after.at(destination, s);
      written[index(s)] = true;
    }
    for (const auto& [destination, s] : round.clear) {
      tables.row(destination)[index(s)] = kNoRoute;
      written[index(s)] = true;
    }
    plan.tables.push_back(tables);
    for (const Switch s : round.order.empty() ? order : round.order) {
      if (!written[index(s)]) continue;
      plan.changes.push_back({at, index(s), static_cast<std::uint32_t>(plan.tables.size())});
      at += options.gap * cycle;
    }
    if (round.drain_after) at += options.drain * cycle;
  }
  return plan;
}

SwitchPlan plan_order(const ForwardingTables& old, const ForwardingTables& after,
                      const std::vector<Switch>& order, const SwitchOptions& options,
                      sim::Time cycle) {
  SwitchPlan plan{{after}, {}};
  sim::Time at = options.at * cycle;
  std::vector<bool> written(old.num_switches());
  for (const Destination destination : ids<Destination>(old.num_destinations())) {
    for (std::size_t s = 0; s < written.size(); ++s) {
      if (old.row(destination)[s] != after.row(destination)[s]) written[s] = true;
    }
  }
  for (const Switch s : order) {
    if (!written[index(s)]) continue;
    plan.changes.push_back({at, index(s), 1});
    at += options.gap * cycle;
  }
  return plan;
}

}  // namespace

Option* add_switch_options(Verb& verb, SwitchOptions& options) {
  const Heading under(verb, "Tables that change while packets fly");
  Option* to = verb.add_option("--switch-to", options.to,
                               "file of tables to which switches change, one after the other");
  verb.add_option("--at", options.at, "cycle in which the first switch is written")
      ->range(std::int64_t{0}, std::int64_t{1'000'000'000'000})
      ->needs(to);
  verb.add_option(
          "--order", options.order,
          "of writing: number, random, rounds (what fatwood transition finds), or a file of "
          "switches; those it leaves out stay old")
      ->needs(to);
  verb.add_option("--write-gap", options.gap, "cycles from one switch to the next")
      ->range(std::int64_t{0}, std::int64_t{1'000'000'000})
      ->needs(to);
  verb.add_option("--drain", options.drain, "with --order rounds: cycles between two rounds")
      ->range(std::int64_t{0}, std::int64_t{1'000'000'000})
      ->needs(to);
  return to;
}

void change_tables(const OpenFabric& fabric, const Routing& old, const SwitchOptions& options,
                   const Session& session, const sim::Network& network, sim::Routes& routes) {
  const Model& model = *fabric.model;
  const Routing after = open_file(fabric, options.to, session, "--switch-to").routing;
  require_same_lmc(old.tables, after.tables, {.file = options.to});
  sim::Routes::by_tables(network, after)
      .check_terminals(model.fabric(), sim::Routes::Between::kAnyPorts);
  const std::vector<Switch> order = order_of(model, options, session);
  SwitchPlan plan;
  if (options.order == "rounds") {
    const Transition found = find_transition(model, old.tables, after.tables, session.threads);
    if (found.safety == Safety::kNone) {
      throw PromiseError("no rounds are known by which these tables can be changed safely");
    }
    plan = plan_rounds(old.tables, after.tables, found.rounds, order, options, network.cycle);
  } else {
    plan = plan_order(old.tables, after.tables, order, options, network.cycle);
  }
  routes.change_tables(std::move(plan.tables), std::move(plan.changes));
}

}  // namespace fatwood::cli
