// SPDX-License-Identifier: BSD-3-Clause
#include "app/aim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

#include "core/common_multiple.hpp"
#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/text_file.hpp"
#include "io/lists/job_words.hpp"
#include "traffic/traffic.hpp"

namespace fatwood {

namespace {

constexpr const char* kExpected =
    "expected jobs, alltoall, permutations, shifts, job:FILE or traffic:FILE";
constexpr std::uint64_t kMostAmount = 1U << 20U;
constexpr std::int64_t kMostParts = std::int64_t{1} << 40;  // of an amount, so that it fits 62 bits

using Amounts = std::map<std::pair<Adapter, Adapter>, double>;

// Amounts as small integers, relative to the largest.
Traffic scaled(const Model& model, const Amounts& amounts) {
  double most = 0;
  for (const auto& [pair, amount] : amounts) most = std::max(most, amount);
  Traffic traffic{.adapters = model.adapters().size()};
  for (const auto& [pair, amount] : amounts) {
    const auto units = std::llround(amount / most * double{kMostAmount});
    if (units > 0) traffic.flows.push_back({pair.first, pair.second, units});
  }
  return traffic;
}

Traffic job_traffic(const Model& model, const std::string& path, std::vector<std::string>& notes) {
  Amounts amounts;
  const JobsHere here = read_jobs(model, path);
  notes = here.notes;
  for (const NamedJob& job : here.jobs) {
    for (const auto& [pair, bytes] : bytes_sent(model, job, "alltoall").between) {
      amounts[pair] += bytes;
    }
  }
  if (amounts.empty()) throw InputError({.file = path}, "no job here sends between hosts");
  return scaled(model, amounts);
}

Traffic file_traffic(const Model& model, const std::string& path) {
  std::ifstream in = open_text(path);
  const Schedule schedule = parse_traffic(in, path, AdapterNames(model));
  std::map<std::pair<Adapter, Adapter>, Fraction> sums;
  for (std::size_t i = 0; i < schedule.stages; ++i) {
    const Traffic stage = schedule.stage(i);
    for (const Flow& flow : stage.flows) {
      sums[{flow.source, flow.destination}] += stage.amount(flow);
    }
  }
  Amounts amounts;
  for (const auto& [pair, sum] : sums) amounts[pair] = sum.value();
  if (std::ranges::all_of(sums, [](const auto& one) { return one.second == 0; })) {
    throw InputError({.file = path}, "every amount is 0");
  }
  return scaled(model, amounts);
}

// In parts of which the ports of a host with several take equal shares, without common divisor.
std::vector<PairDemand> demands_of(const Model& model, const Traffic& traffic) {
  const Adapters& hosts = model.adapters();
  std::int64_t parts = 1;
  for (const Flow& flow : traffic.flows) {
    const auto pairs = hosts.port_pairs(flow.source, flow.destination).size();
    parts = common_multiple(parts, static_cast<std::int64_t>(pairs), kMostParts);
    if (parts == 0) throw std::overflow_error("too many different numbers of ports per host");
  }
  std::vector<PairDemand> demands;
  std::uint64_t divisor = 0;
  for (const Flow& flow : traffic.flows) {
    const auto pairs = hosts.port_pairs(flow.source, flow.destination);
    for (const auto& [from, to] : pairs) {
      const auto amount = static_cast<std::uint64_t>(flow.units * parts) / pairs.size();
      divisor = std::gcd(divisor, amount);
      demands.push_back({from, to, amount});
    }
  }
  for (PairDemand& demand : demands) demand.amount /= divisor;
  return demands;
}

struct FoundAim {
  Aim aim = Aim::kJobs;
  Traffic traffic = {};                 // between adapters; empty unless the aim is kDemands
  std::vector<std::string> notes = {};  // of the file
};

FoundAim find_aim(const Model& model, const std::string& text) {
  if (text.empty() || text == "jobs") return {};
  if (text == "alltoall") return {Aim::kAllToAll};
  if (text == "permutations") return {Aim::kPermutations};
  if (text == "shifts") return {Aim::kShifts};
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string path = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (path.empty() || (kind != "job" && kind != "traffic")) {
    throw InputError(fmt::format("{}: {}", param("for", text), kExpected));
  }
  if (model.adapters().size() < 2)
    throw InputError({.file = param("for")}, "traffic needs at least two hosts");
  FoundAim found{Aim::kDemands};
  found.traffic = kind == "job" ? job_traffic(model, path, found.notes) : file_traffic(model, path);
  return found;
}

unsigned longer_of(const std::string& text) {
  constexpr unsigned kMost = 8;
  if (text.empty()) return kLonger;
  if (text == "least") return 0;
  const auto hops = parse_number<unsigned>(text);
  if (!hops || *hops > kMost) {
    throw InputError(fmt::format("{}: expected least, or how many hops more: 0 to {}",
                                 param("longest", text), kMost));
  }
  return *hops;
}

}  // namespace

bool asks_for_aim(const AimChoice& choice) {
  return !choice.aim.empty() && choice.aim != "jobs" && choice.aim != "alltoall";
}

std::vector<std::string> set_aim(const Model& model, const AimChoice& choice,
                                 RouteOptions& options) {
  FoundAim found = find_aim(model, choice.aim);
  options.aim = found.aim;
  if (found.aim == Aim::kDemands) options.demands = demands_of(model, found.traffic);
  options.quick = choice.effort == "quick";
  options.longer = longer_of(choice.longest);
  return std::move(found.notes);
}

}  // namespace fatwood
