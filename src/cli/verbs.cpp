// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "cli/verb.hpp"
#include "core/error.hpp"
#include "core/text/closest.hpp"
#include "io/fabric/spec.hpp"
#include "routing/algebraic/algebraic.hpp"
#include "routing/engine.hpp"

namespace fatwood::cli {

AddVerb add_check, add_compare, add_convert, add_counters, add_diff, add_job, add_load,
    add_optimise, add_permutations, add_plan, add_repair, add_report, add_route, add_sim, add_serve,
    add_show, add_study, add_trace, add_transition, add_verify, add_whatif, add_worst;  // of verbs/

std::span<const VerbRow> verbs() {
  static constexpr VerbRow kVerbs[] = {
      {"check", add_check, Topic::kLook},
      {"compare", add_compare, Topic::kRoute},
      {"convert", add_convert, Topic::kFiles},
      {"counters", add_counters, Topic::kLook},
      {"diff", add_diff, Topic::kLook},
      {"job", add_job, Topic::kJobs},
      {"load", add_load, Topic::kLook},
      {"optimise", add_optimise, Topic::kRoute},
      {"permutations", add_permutations, Topic::kResearch},
      {"plan", add_plan, Topic::kPlan},
      {"repair", add_repair, Topic::kChange},
      {"report", add_report, Topic::kLook},
      {"route", add_route, Topic::kRoute},
      {"sim", add_sim, Topic::kResearch},
      {"serve", add_serve, Topic::kLook},
      {"show", add_show, Topic::kLook},
      {"study", add_study, Topic::kResearch},
      {"trace", add_trace, Topic::kProve},
      {"transition", add_transition, Topic::kChange},
      {"verify", add_verify, Topic::kProve},
      {"whatif", add_whatif, Topic::kChange},
      {"worst", add_worst, Topic::kResearch},
  };
  return kVerbs;
}

bool is_verb(std::string_view name) {
  return std::ranges::find(verbs(), name, &VerbRow::name) != verbs().end();
}

void require_verb(std::string_view name) {
  if (is_verb(name)) return;
  const auto names = verbs() | std::views::transform(&VerbRow::name);
  if (name.empty()) {
    throw InputError(
        fmt::format("name a verb; the verbs are: {}\n'fatwood help' says what each does",
                    fmt::join(names, " ")));
  }
  throw InputError(fmt::format("there is no verb \"{}\"{}; the verbs are: {}", name,
                               did_you_mean(name, names), fmt::join(names, " ")));
}

std::string overview(const CommandLine& app) {
  constexpr std::array<std::pair<Topic, std::string_view>, 8> kTopics = {{
      {Topic::kPlan, "Plan: what do I buy, and how is it cabled?"},
      {Topic::kLook, "Look: what is it, what is wrong with it?"},
      {Topic::kRoute, "Route: which tables are best?"},
      {Topic::kProve, "Prove: are they safe?"},
      {Topic::kChange, "Change: what does a fault cost, what do I write?"},
      {Topic::kJobs, "Jobs: why is my job slow?"},
      {Topic::kResearch, "Research: how good can it get?"},
      {Topic::kFiles, "Files"},
  }};
  std::string text =
      "Usage: fatwood VERB FABRIC [ROUTING] [options]\n\n"
      "  FABRIC   a formula such as 'ft(8,3)', a file, the folder or archive of a run, -, or live\n"
      "  ROUTING  an engine such as even, an algebraic routing, a file of tables, or live\n\n"
      "Start with: fatwood check FABRIC\n";
  for (const auto& [topic, question] : kTopics) {
    text += fmt::format("\n{}\n", question);
    for (const VerbRow& row : verbs()) {
      if (row.topic != topic) continue;
      const auto verb = std::ranges::find(app.verbs(), row.name, &Verb::name);
      text += fmt::format("  {:<18} {}\n", row.name, verb->summary());
    }
  }
  return text +
         "\n'fatwood help VERB' lists the options of a verb, 'man fatwood-VERB' explains "
         "them.\n'fatwood help formulas' and 'fatwood help engines' list these. --version prints "
         "the "
         "version.\n";
}

std::string list_of(std::string_view topic) {
  std::string text;
  const auto add = [&](std::string_view name, std::string_view summary, std::string_view needs) {
    const std::string_view gap = needs.empty() ? "" : "; needs ";
    const std::string_view fold = name.size() > 24 ? "\n                          " : "";
    text += fmt::format("  {:<24}{} {}{}{}\n", name, fold, summary, gap, needs);
  };
  if (topic == "formulas") {
    text = "Formulas, for FABRIC ('man fatwood' explains their numbers):\n";
    for (const Family& family : families()) add(family.usage, family.summary, "");
  } else if (topic == "engines") {
    text = "Engines, for ROUTING; they make tables:\n";
    for (const Engine& engine : engines()) add(engine.name, engine.summary, engine.needs);
    text +=
        "\nAlgebraic routings, for ROUTING where a verb only follows paths through a complete "
        "tree:\n";
    for (const AlgebraicKind& kind : algebraic_kinds()) add(kind.usage, kind.summary, "");
  }
  return text;
}

}  // namespace fatwood::cli
