// SPDX-License-Identifier: BSD-3-Clause
// fatwood permutations FABRIC ROUTING...: mean largest load or fair rates of random permutations,
// or all shifts.

#include "app/permutations.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/options/add_options.hpp"
#include "cli/options/among.hpp"
#include "cli/options/routing.hpp"
#include "cli/terminal.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "report/load/permutation_report.hpp"

namespace fatwood::cli {

namespace {

struct PermutationArguments {
  FabricRequest fabric;
  std::vector<std::string> routings;
  PermutationQuestion question;
  PlotChoice plots;
};

std::uint32_t number_of_paths(const std::string& text, std::string_view digits) {
  const auto value = parse_number<std::uint32_t>(digits);
  if (!value) {
    throw InputError(fmt::format("{}: expected numbers of paths such as 4, 1,2,4 or 1-8", text));
  }
  return *value;
}

// "disjoint:1,2,4-6" to "disjoint:1", "disjoint:2", "disjoint:4", ..
std::vector<std::string> expanded(const std::string& text) {
  const AlgebraicKind* kind = find_algebraic(text);
  const std::size_t colon = text.find(':');
  if (kind == nullptr || !kind->takes_paths() || colon == std::string::npos) return {text};
  std::vector<std::string> all;
  const std::string name = text.substr(0, colon + 1);
  for (const std::string_view item : split_at(std::string_view(text).substr(colon + 1), ',')) {
    const std::size_t dash = item.find('-');
    const std::uint32_t first = number_of_paths(text, item.substr(0, dash));
    const std::uint32_t last =
        dash == std::string_view::npos ? first : number_of_paths(text, item.substr(dash + 1));
    if (last < first || last - first > 100000) {
      throw InputError(fmt::format("{}: expected a range such as 1-8", text));
    }
    for (std::uint32_t K = first; K <= last; ++K) all.push_back(name + std::to_string(K));
  }
  return all;
}

std::vector<StudiedRouting> studied(const OpenFabric& fabric, const PermutationArguments& arguments,
                                    const Session& session) {
  const Entries entries = arguments.question.rates ? Entries::kAny : Entries::kOnePort;
  std::vector<StudiedRouting> routings;
  for (const std::string& text : arguments.routings) {
    for (const std::string& name : expanded(text)) {
      routings.push_back(
          {name, is_seeded(name), [&fabric, &session, name, entries](std::uint64_t seed) {
             Session own = session;
             own.seed = seed;
             return open_paths(fabric, {.name = name}, own, entries);
           }});
    }
  }
  return routings;
}

void run(const PermutationArguments& arguments, const Session& session) {
  const PermutationQuestion& question = arguments.question;
  if (arguments.plots.any() && !question.shifts) throw InputError("--plot and --svg need --shifts");
  const OpenFabric fabric = load(arguments.fabric, session);
  const PermutationAnswer answer = find_permutations(
      *fabric.model, participants(fabric, question.among), studied(fabric, arguments, session),
      question, [&](const std::string& name) {
        return PermutationOptions{.seed = session.seed,
                                  .threads = session.threads,
                                  .progress = terminal_progress(name),
                                  .share = session.share};
      });
  const auto& [who, rows, shifts, rates, pattern] = answer;
  if (question.shifts) {
    print(session, session.json ? shifts_json(who, shifts) : shifts_text(who, shifts));
    if (arguments.plots.any()) draw(arguments.plots, session, {shifts_panel(shifts)});
  } else if (question.rates) {
    print(session,
          session.json ? rates_json(who, rates, pattern) : rates_text(who, rates, pattern));
  } else {
    print(session, session.json ? permutations_json(who, rows) : permutations_text(who, rows));
  }
}

}  // namespace

void add_permutations(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb(
      "permutations", "mean largest load or fair rates of random permutations, or all shifts");
  auto arguments = std::make_shared<PermutationArguments>();
  add_fabric(*verb, arguments->fabric);
  verb->add_option(std::string(kRoutingNames), arguments->routings,
                   fmt::format("{}; K may be a list such as 1,2,4-8", kRoutingHelp))
      ->required();
  AddOptions options(*verb);
  describe(options, arguments->question);
  add_plots(*verb, arguments->plots, "the load of each shift");
  add_common(*verb, session);
  verb->footer("Example: fatwood permutations 'xgft(3;12,12,24;1,12,12)' dmodk disjoint:1,2,4,8");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
