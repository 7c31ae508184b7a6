// SPDX-License-Identifier: BSD-3-Clause
// fatwood permutations FABRIC ROUTING...: mean largest load or fair rates of random permutations,
// or all shifts.

#include <fmt/format.h>

#include <memory>
#include <type_traits>

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
  bool shifts = false;
  bool rates = false;
  bool bisections = false;
  std::uint64_t samples = 1000;
  double width = 1;
  std::string among = "all";
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

// A row for each routing. study(routing, options) gives one.
template <class Study>
auto rows_of(const OpenFabric& fabric, const std::vector<std::string>& routings,
             const PermutationArguments& arguments, const Session& session, const Study& study) {
  std::vector<std::invoke_result_t<const Study&, StudiedRouting, PermutationOptions>> rows;
  const Entries entries = arguments.rates ? Entries::kAny : Entries::kOnePort;
  for (const std::string& name : routings) {
    const auto paths = [&](std::uint64_t seed) {
      Session own = session;
      own.seed = seed;
      return open_paths(fabric, {.name = name}, own, entries);
    };
    rows.push_back(study(StudiedRouting{name, is_seeded(name), paths},
                         PermutationOptions{.seed = session.seed,
                                            .first_samples = arguments.samples,
                                            .width = arguments.width / 100,
                                            .threads = session.threads,
                                            .progress = terminal_progress(name),
                                            .share = session.share}));
  }
  return rows;
}

void run(const PermutationArguments& arguments, const Session& session) {
  std::vector<std::string> routings;
  for (const std::string& text : arguments.routings) {
    for (std::string& routing : expanded(text)) routings.push_back(std::move(routing));
  }
  if (arguments.plots.any() && !arguments.shifts)
    throw InputError("--plot and --svg need --shifts");
  const OpenFabric fabric = load(arguments.fabric, session);
  const Model& model = *fabric.model;
  if (model.adapters().size() < 2)
    throw InputError("the fabric has fewer than two hosts that count");
  const Participants who = participants(fabric, arguments.among);
  const auto rows_by = [&](const auto& study) {
    return rows_of(fabric, routings, arguments, session, study);
  };
  using Options = PermutationOptions;
  if (arguments.shifts) {
    const auto rows = rows_by([&](const StudiedRouting& routing, const Options& options) {
      return study_shifts(model, who, routing, options);
    });
    print(session, session.json ? shifts_json(who, rows) : shifts_text(who, rows));
    if (arguments.plots.any()) draw(arguments.plots, session, {shifts_panel(rows)});
    return;
  }
  if (arguments.rates) {
    const RatePattern pattern =
        arguments.bisections ? RatePattern::kBisections : RatePattern::kPermutations;
    const auto rows = rows_by([&](const StudiedRouting& routing, const Options& options) {
      return study_rates(model, who, routing, pattern, options);
    });
    print(session, session.json ? rates_json(who, rows, pattern) : rates_text(who, rows, pattern));
    return;
  }
  const auto rows = rows_by([&](const StudiedRouting& routing, const Options& options) {
    return study_permutations(model, who, routing, options);
  });
  print(session, session.json ? permutations_json(who, rows) : permutations_text(who, rows));
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
  const Option* shifts = verb->add_flag("--shifts", arguments->shifts,
                                        "all N-1 shifts instead of random permutations");
  const Option* rates = verb->add_flag("--rates", arguments->rates,
                                       "fair rates of the flows instead of the largest load")
                            ->excludes(shifts);
  verb->add_flag("--bisections", arguments->bisections,
                 "with --rates: pairs of two random halves instead of permutations")
      ->needs(rates);
  verb->add_option("--samples", arguments->samples, "permutations to begin with")
      ->range(2, 1 << 30)
      ->excludes(shifts);
  verb->add_option("--width", arguments->width,
                   "stop at a 99% interval of this width, in percent of the mean")
      ->range(1e-4, 1e6)
      ->excludes(shifts);
  add_plots(*verb, arguments->plots, "the load of each shift");
  add_among(*verb, arguments->among);
  add_common(*verb, session);
  verb->footer("Example: fatwood permutations 'xgft(3;12,12,24;1,12,12)' dmodk disjoint:1,2,4,8");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
