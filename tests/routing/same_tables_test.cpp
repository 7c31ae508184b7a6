// SPDX-License-Identifier: BSD-3-Clause
// Tables stay byte for byte: the fingerprints of every engine's tables on small, damaged and uneven
// fabrics are those of tests/routing/same_tables.txt. Bounds can't notice when a rule of balance is
// lost that helps one fabric and not another; this does. Where tables change on purpose,
// FATWOOD_WRITE=1 in the environment writes the file again, and the change is there to be seen.
// Engines that compute with floating point are left out: their tables may depend on the machine.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "routing/tables/fingerprint.hpp"
#include "support/engine_names.hpp"
#include "support/fixtures.hpp"
#include "support/small_fabrics.hpp"

namespace fatwood {
namespace {

std::vector<std::string> fabric_names() {
  std::vector<std::string> names{"ft(8,3)-12",
                                 "ft(8,3)-60",
                                 "pgft(3;6,6,4;1,6,3;1,1,2)-9",
                                 "pgft(2;18,12;1,6;1,3)-20",
                                 "pgft(2;4,8;1,2;1,4)-6",
                                 "xgft(3;4,4,6;1,4,2)-8",
                                 "like-x5",
                                 "like-stage",
                                 "like-dgx-ndr"};
  for (const std::string_view name : test::small_fabric_names()) names.emplace_back(name);
  return names;
}

bool computes_with_integers(std::string_view engine) {
  return engine != "even" && engine != "ar_even";
}

// "none" where the engine can't promise what it should.
std::string print_of(const Engine& engine, const Model& model, unsigned lmc) {
  try {
    const Routing routing = route(engine, model, {.lmc = lmc});
    return fmt::format("{:016x}", fingerprint(model.fabric(), routing) ^
                                      fingerprint_of_sets(model.fabric(), routing));
  } catch (const PromiseError&) {
    return "none";
  }
}

std::vector<std::string> prints_now() {
  std::vector<std::string> lines;
  for (const std::string& name : fabric_names()) {
    const Model model(test::small_fabric(name));
    for (const Engine& engine : engines()) {
      if (!computes_with_integers(engine.name)) continue;
      for (unsigned lmc = 0; lmc <= (engine.has(Engine::kLmc) ? 1U : 0U); ++lmc) {
        lines.push_back(
            fmt::format("{}: {} lmc {}: {}", name, engine.name, lmc, print_of(engine, model, lmc)));
      }
    }
  }
  return lines;
}

TEST(SameTables, AreThoseThatWereKept) {
  const std::vector<std::string> now = prints_now();
  const auto path = test::kept("routing/same_tables.txt");
  if (std::getenv("FATWOOD_WRITE") != nullptr) {
    std::ofstream file(path);
    for (const std::string& line : now) file << line << '\n';
    GTEST_SKIP() << "written";
  }
  std::vector<std::string> kept;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) kept.push_back(line);
  EXPECT_EQ(now, kept);
}

}  // namespace
}  // namespace fatwood
