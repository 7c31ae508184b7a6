// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/plan_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/error.hpp"
#include "io/base/output.hpp"
#include "io/plan/plan_write.hpp"
#include "report/plan/drawings.hpp"

namespace fatwood::cli {

namespace {

struct PlanFile {
  const char* name;
  OutputForm form;
};
constexpr PlanFile kFiles[] = {
    {"plan.json", output_form::kFabric},      {"cables.csv", output_form::kFabric},
    {"plan.topo", output_form::kFabric},      {"ndt.csv", output_form::kFabric},
    {"racks.csv", output_form::kPlanList},    {"bundles.csv", output_form::kPlanList},
    {"switches.csv", output_form::kPlanList}, {"bill.csv", output_form::kPlanList},
    {"trays.csv", output_form::kPlanList},    {"lists.html", output_form::kPage},
    {"racks.svg", output_form::kPlot},        {"floor.svg", output_form::kPlot}};

// Types of boxes, as plan.topo names them.
constexpr const char* kIbnlFolder = "ibnl";
constexpr OutputForm kIbnl{"an IBNL file of fatwood",
                           "TOPSYSTEM [^\n]+\n\nNODE (?:SW|CA) [0-9]+ FATWOOD "};

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw InputError({.file = folder.string()}, "this folder can't be made: " + error.message());
  }
}

}  // namespace

void add_plan_files(Outputs& outputs, const std::string& folder) {
  std::error_code error;
  if (folder.empty() || !std::filesystem::exists(folder, error)) return;
  if (!std::filesystem::is_directory(folder, error)) {
    throw InputError({.file = folder}, "--output needs a folder, and this is none");
  }
  for (const PlanFile& file : kFiles) {
    outputs.add("--output", (std::filesystem::path(folder) / file.name).string(), file.form);
  }
  const std::filesystem::path ibnl = std::filesystem::path(folder) / kIbnlFolder;
  if (!std::filesystem::is_directory(ibnl, error)) return;
  for (const auto& entry : std::filesystem::directory_iterator(ibnl)) {
    outputs.add("--output", entry.path().string(), kIbnl);
  }
}

void write_plan_files(const std::string& folder, const PlanView& view, const PriceList* prices,
                      const std::string& title) {
  make_folder(std::filesystem::path(folder) / kIbnlFolder);
  std::vector<PendingOutput> files;
  const auto write = [&](const std::string& name, const WriteTo& how) {
    files.emplace_back((std::filesystem::path(folder) / name).string(), how);
  };
  const auto text = [&](const std::string& name, const std::string& content) {
    write(name, [&](std::ostream& out) { out << content; });
  };
  write("plan.json", [&](std::ostream& out) { write_plan_json(out, view.plan); });
  write("cables.csv", [&](std::ostream& out) { write_cables(out, view.plan); });
  write("ndt.csv", [&](std::ostream& out) { write_ndt(out, view.plan); });
  write("plan.topo", [&](std::ostream& out) { write_topo(out, view.plan); });
  for (const auto& [type, content] : ibnl_texts(view.plan)) {
    std::string name = type;
    std::ranges::replace(name, '/', '_');
    text(fmt::format("{}/{}.ibnl", kIbnlFolder, name), content);
  }
  text("racks.csv", racks_csv(view));
  text("bundles.csv", bundles_csv(view));
  text("switches.csv", switches_csv(view));
  text("bill.csv", bill_csv(view, prices));
  text("trays.csv", trays_csv(view));
  text("lists.html", lists_page(view, title));
  text("racks.svg", racks_svg(view));
  text("floor.svg", floor_svg(view));
  for (PendingOutput& file : files) file.finish();
}

}  // namespace fatwood::cli
