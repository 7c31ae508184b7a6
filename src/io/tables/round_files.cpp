// SPDX-License-Identifier: BSD-3-Clause
#include "io/tables/round_files.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "core/error.hpp"
#include "io/base/output.hpp"
#include "io/tables/lfts.hpp"

namespace fatwood {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRounds = 2;  // of verify/transition.hpp

std::string round_name(std::size_t round) { return fmt::format("round{}.lft", round + 1); }

void write_round_commands(std::ostream& out, const std::vector<RoundNotes>& notes) {
  fmt::print(out,
             "# Run in this folder, as root, on the host of the subnet manager. OpenSM must run\n"
             "# with: -R file,no_fallback -U \"$PWD/now.lft\"; it reads the file at SIGHUP.\n");
  for (std::size_t i = 0; i < notes.size(); ++i) {
    fmt::print(out, "\n# Round {} of {}: {} entries.\n", i + 1, notes.size(), notes[i].entries);
    if (!notes[i].order.empty()) {
      fmt::print(out, "# Switches must be written in this order: {}\n",
                 fmt::join(notes[i].order, " "));
    }
    fmt::print(out, "cp {} now.lft && kill -HUP \"$(pidof opensm)\"\n", round_name(i));
    if (i + 1 < notes.size()) {
      fmt::print(out, "sleep 10 # until OpenSM says SUBNET UP{}\n",
                 notes[i].drain ? ", and packets of before are gone" : "");
    }
  }
}

}  // namespace

void add_round_outputs(Outputs& outputs, const std::string& option, const std::string& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  if (!fs::is_directory(folder, error)) {
    throw InputError({.file = folder}, option + " needs a folder, and this is none");
  }
  for (std::size_t i = 0; i < kMostRounds; ++i) {
    outputs.add(option, (fs::path(folder) / round_name(i)).string(), output_form::kTables);
  }
  outputs.add(option, (fs::path(folder) / "commands").string(), output_form::kCommands);
}

void write_round_files(const std::string& folder, const Fabric& fabric, const Lids& lids,
                       const std::vector<ForwardingTables>& rounds,
                       const std::vector<RoundNotes>& notes) {
  std::vector<PendingOutput> files;
  const auto write = [&](const std::string& name, const WriteTo& how) {
    files.emplace_back((fs::path(folder) / name).string(), how);
  };
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    write(round_name(i), [&](std::ostream& out) { write_lfts(out, fabric, rounds[i], lids); });
  }
  write("commands", [&](std::ostream& out) { write_round_commands(out, notes); });
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError({.file = folder}, "can't be made: " + error.message());
  for (PendingOutput& file : files) file.finish();
}

}  // namespace fatwood
