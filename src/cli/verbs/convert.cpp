// SPDX-License-Identifier: BSD-3-Clause
// fatwood convert FABRIC --to FORMAT -o FILE: the fabric in another form.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "cli/verb.hpp"
#include "core/error.hpp"
#include "io/base/output.hpp"
#include "io/fabric/graph_files.hpp"
#include "io/fabric/ibnetdiscover.hpp"
#include "io/fabric/json_fabric.hpp"
#include "io/lists/kubernetes.hpp"
#include "io/lists/slurm.hpp"
#include "io/opensm/opensm_lists.hpp"
#include "plan/formats/plan_write.hpp"
#include "plan/model/plan_fabric.hpp"
#include "topology/levels/levels.hpp"

namespace fatwood::cli {

namespace {

struct ConvertArguments {
  FabricRequest fabric;
  std::string to;
  std::string output = "-";
  std::string which = "roots";
  std::vector<std::string> labels;
};

void write_chosen_guids(std::ostream& out, const Model& model, const ConvertArguments& arguments) {
  const Fabric& fabric = model.fabric();
  const OpensmLists lists = opensm_lists(fabric, model.levels());
  if (arguments.which == "roots") {
    write_guids(out, fabric, lists.roots);
  } else {
    write_guids(out, fabric, arguments.which == "compute" ? lists.compute : lists.io);
  }
}

struct Format {
  std::string_view name;
  void (*write)(std::ostream& out, const Model& model, const ConvertArguments& arguments);
};
// Forms of plans.
struct PlanFormat {
  std::string_view name;
  void (*write)(std::ostream& out, const Plan& plan);
};

constexpr std::array<PlanFormat, 5> kPlanFormats{{{"cables", write_cables},
                                                  {"ndt", write_ndt},
                                                  {"topo", write_topo},
                                                  {"netbox", write_netbox},
                                                  {"plan", write_plan_json}}};

template <auto kWrite>
void of_fabric(std::ostream& out, const Model& model, const ConvertArguments&) {
  kWrite(out, model.fabric());
}
template <auto kWrite>
void of_model(std::ostream& out, const Model& model, const ConvertArguments&) {
  kWrite(out, model);
}
template <auto kWrite>
void of_tiers(std::ostream& out, const Model& model, const ConvertArguments& arguments) {
  kWrite(out, model, arguments.labels);
}
void write_dot_by_level(std::ostream& out, const Model& model) {
  write_dot(out, model.fabric(), model.levels());
}

constexpr std::array<Format, 13> kFormats{{{"ibsim", of_fabric<write_ibsim>},
                                           {"ibnetdiscover", of_fabric<write_ibnetdiscover>},
                                           {"dot", of_model<write_dot_by_level>},
                                           {"graphml", of_fabric<write_graphml>},
                                           {"json", of_fabric<write_json_fabric>},
                                           {"slurm", of_model<write_slurm>},
                                           {"slurm-block", of_model<write_slurm_blocks>},
                                           {"slurm-yaml", of_model<write_slurm_yaml>},
                                           {"topograph", of_tiers<write_topograph>},
                                           {"kueue", of_tiers<write_kueue>},
                                           {"kai", of_tiers<write_kai>},
                                           {"volcano", of_tiers<write_volcano>},
                                           {"guids", write_chosen_guids}}};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  for (const PlanFormat& format : kPlanFormats) names.emplace_back(format.name);
  return names;
}

void write_chosen(std::ostream& out, const OpenFabric& loaded, const ConvertArguments& arguments) {
  const auto plan = std::ranges::find(kPlanFormats, arguments.to, &PlanFormat::name);
  if (plan != kPlanFormats.end()) {
    return plan->write(out, loaded.plan ? *loaded.plan : plan_of(*loaded.model, loaded.run));
  }
  std::ranges::find(kFormats, arguments.to, &Format::name)->write(out, *loaded.model, arguments);
}

void run(const ConvertArguments& arguments, const Verb& verb) {
  if (verb.given("--guids") && arguments.to != "guids") {
    throw InputError("--guids needs --to guids");
  }
  const bool labelled =
      arguments.to == "topograph" || arguments.to == "kueue" || arguments.to == "kai";
  if (!arguments.labels.empty() && !labelled) {
    throw InputError("--labels needs --to topograph, kueue or kai");
  }
  const OpenFabric loaded = load(arguments.fabric);
  write_output(arguments.output, [&](std::ostream& out) { write_chosen(out, loaded, arguments); });
}

}  // namespace

void add_convert(CommandLine& app, Session& session) {
  Verb* verb = app.add_verb("convert", "write a fabric in another form");
  auto arguments = std::make_shared<ConvertArguments>();
  add_fabric(*verb, arguments->fabric, Hints::kLevels);
  verb->add_option("--to", arguments->to, "the form to write")->required()->one_of(format_names());
  verb->add_output("-o,--output", arguments->output, output_form::kFabric,
                   "the file to write (-: standard output)");
  verb->add_option("--guids", arguments->which, "with --to guids: of which nodes")
      ->one_of({"roots", "compute", "io"});
  verb->add_option("--labels", arguments->labels,
                   "with --to topograph, kueue or kai: label keys by tier, nearest to hosts first")
      ->separated_by(',');
  verb->footer("Example: fatwood convert 'ft(8,3)' --to ibsim -o net.topo");
  verb->callback(session, [arguments, verb] { run(*arguments, *verb); });
}

}  // namespace fatwood::cli
