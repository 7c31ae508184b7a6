// SPDX-License-Identifier: BSD-3-Clause
// fatwood study NAME: reruns a table or figure of the papers, published values next to ours.

#include "studies/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/base/output.hpp"

namespace fatwood::cli {

namespace {

struct StudyArguments {
  std::vector<std::string> names;
  bool list = false, all = false, quick = false, fresh = false;
  std::string out = "studies-out";
  std::vector<std::string> fabrics;
  std::string opensm;
};

void write_files(const std::string& folder, const StudyResult& result) {
  const auto write = [&](const char* ending, const std::string& text) {
    if (text.empty()) return;
    write_output(fmt::format("{}/{}{}", folder, result.name, ending),
                 [&](std::ostream& out) { out << text; });
  };
  write(".txt", study_text(result));
  write(".csv", study_csv(result));
  write(".json", study_json(result));
  write(".svg", study_svg(result));
  write(".md", study_markdown(result));
}

StudyResult run_one(const Study& study, const StudyArguments& arguments, const Session& session) {
  const std::string points = arguments.out + "/points";
  if (arguments.fresh && session.rank == 0) {
    std::filesystem::remove_all(fmt::format("{}/{}", points, study.name));
  }
  const StudyResult result =
      run_study(study, {.size = arguments.quick ? StudySize::kQuick : StudySize::kFull,
                        .seed = session.seed,
                        .threads = session.threads,
                        .points = points,
                        .fabrics = arguments.fabrics,
                        .opensm = arguments.opensm,
                        .progress = terminal_progress(std::string(study.name)),
                        .share = session.share});
  if (session.rank == 0) write_files(arguments.out, result);
  return result;
}

void print_list(const Session& session) {
  std::vector<StudyTitle> titles;
  for (const Study& study : studies()) titles.push_back({study.name, study.paper, study.claim});
  print(session, session.json ? study_list_json(titles) : study_list_text(titles));
}

std::vector<const Study*> chosen_studies(const StudyArguments& arguments) {
  std::vector<const Study*> chosen;
  for (const std::string& name : arguments.names) chosen.push_back(&find_study(name));
  for (const Study& study : studies()) {
    if (arguments.all) chosen.push_back(&study);
  }
  const auto none = [&](bool Study::* reads) {
    return std::ranges::none_of(chosen, [&](const Study* study) { return study->*reads; });
  };
  if (!arguments.fabrics.empty() && none(&Study::fabrics)) {
    throw InputError("--fabric needs study real-fabrics");
  }
  if (!arguments.opensm.empty() && none(&Study::opensm)) {
    throw InputError("--opensm needs study 003-table4, degradation or real-fabrics");
  }
  return chosen;
}

void add_study_outputs(Outputs& outputs, const StudyArguments& arguments) {
  const std::pair<const char*, OutputForm> files[] = {
      {".txt", {"results of a study", "[0-9a-z-]+ \\("}},
      {".csv", {"results of a study", "[^\n]*,seconds\n"}},
      {".json", {"results of a study", "\\{\"fatwood\":"}},
      {".svg", output_form::kPlot},
      {".md", {"results of a study", "## [0-9a-z-]+: "}}};
  std::error_code error;
  if (arguments.list || !std::filesystem::exists(arguments.out, error)) return;
  for (const Study* study : chosen_studies(arguments)) {
    for (const auto& [ending, form] : files) {
      outputs.add("--out", fmt::format("{}/{}{}", arguments.out, study->name, ending), form);
    }
  }
  outputs.add("--out", arguments.out + "/studies.md",
              {"a list of studies", "\\| study \\| of \\|"});
}

void run(const StudyArguments& arguments, const Session& session) {
  if (arguments.list) {
    if (!arguments.names.empty()) throw InputError("--list lists all studies: leave names out");
    print_list(session);
    return;
  }
  if (arguments.all != arguments.names.empty()) {
    throw InputError("expected names of studies (fatwood study --list), or --all");
  }
  const std::vector<const Study*> chosen = chosen_studies(arguments);
  std::vector<StudyResult> results;
  for (const Study* study : chosen) {
    results.push_back(run_one(*study, arguments, session));
    if (!session.json) print(session, study_text(results.back()) + "\n");
    std::fflush(stdout);
  }
  if (session.rank != 0) return;
  write_output(arguments.out + "/studies.md", studies_markdown(results));
  if (!session.json) return;
  print(session,
        arguments.all || results.size() > 1 ? studies_json(results) : study_json(results.front()));
}

}  // namespace

void add_study(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("study", "rerun a table or figure of the papers");
  auto arguments = std::make_shared<StudyArguments>();
  verb->add_option("NAME", arguments->names, "studies, as --list names them");
  verb->add_flag("--list", arguments->list, "list the studies and what the papers claim");
  verb->add_flag("--all", arguments->all, "all of them");
  verb->add_flag("--quick", arguments->quick, "fewer samples and smaller trees: minutes for all");
  verb->add_option("--out", arguments->out,
                   "folder for results and for the points to continue from");
  verb->add_outputs([arguments](Outputs& outputs) { add_study_outputs(outputs, *arguments); });
  verb->add_flag("--fresh", arguments->fresh, "measure again what was measured before");
  verb->add_option("--fabric", arguments->fabrics, "a fabric for the study real-fabrics")
      ->one_each();
  verb->add_option("--opensm", arguments->opensm,
                   "what bench/opensm/side_by_side printed, for the study 003-table4, "
                   "bench/opensm/degradation, for degradation, or bench/opensm/real_rates, for "
                   "real-fabrics");
  add_common(*verb, session);
  verb->footer("Example: fatwood study 000-table1 --quick");
  verb->callback(session, [arguments, &session] { run(*arguments, session); });
}

}  // namespace fatwood::cli
