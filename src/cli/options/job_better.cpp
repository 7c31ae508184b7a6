// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/job_better.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "io/lists/host_list.hpp"
#include "io/lists/hostlist.hpp"

namespace fatwood::cli {

std::string host_list(const Model& model, const std::vector<Host>& hosts) {
  std::vector<std::string> names;
  for (const Host m : hosts) names.emplace_back(model.hosts().hosts.name(m));
  return hostlist_in_order(names);
}

void check_free(const Model& model, const std::vector<ReportedJob>& jobs,
                const std::vector<Host>& hosts, const Location& where) {
  for (std::size_t j = 1; j < jobs.size(); ++j) {
    for (const Host m : jobs[j].hosts.hosts) {
      if (std::find(hosts.begin(), hosts.end(), m) == hosts.end()) continue;
      throw InputError(where, fmt::format("host {} is not free: job {} has it",
                                          model.hosts().hosts.name(m), jobs[j].name));
    }
  }
}

Improvement improve_job(const Model& model, JobScorer& scorer, const std::vector<ReportedJob>& jobs,
                        const std::string& what, const std::string& free,
                        const ImproveOptions& options) {
  const std::vector<Host>& given = jobs[0].hosts.hosts;
  if (what == "order") {
    if (!free.empty()) throw InputError("--free needs --improve placement or both");
    return improve_order(model, scorer, given, options);
  }
  if (free.empty()) {
    throw InputError("--improve placement needs --free: the hosts that may be taken");
  }
  std::vector<Host> candidates =
      read_host_list(model.fabric(), model.hosts().hosts, free, {.file = "--free"});
  check_free(model, jobs, candidates, {.file = "--free"});
  for (const Host m : given) {
    if (std::find(candidates.begin(), candidates.end(), m) == candidates.end()) {
      candidates.push_back(m);
    }
  }
  const OrderToo order = what == "both" ? OrderToo::kYes : OrderToo::kNo;
  return improve_placement(model, scorer, given.size(), candidates, given, order, options);
}

}  // namespace fatwood::cli
