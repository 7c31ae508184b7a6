// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/report_jobs.hpp"

#include <algorithm>
#include <map>

#include "cli/verb.hpp"
#include "io/lists/job_words.hpp"

namespace fatwood::cli {

std::vector<PageJob> page_jobs(const Model& model, const std::string& path) {
  std::vector<PageJob> jobs;
  if (path.empty()) return jobs;
  const JobsHere here = read_jobs(model, path);
  print_warnings(here.notes);
  for (const NamedJob& named : here.jobs) {
    const SentBytes sent = bytes_sent(model, named, "allreduce");
    std::map<Adapter, double> by_adapter;
    for (const auto& [ends, bytes] : sent.between) by_adapter[ends.first] += bytes;
    double most = 0;
    for (const auto& [adapter, bytes] : by_adapter) most = std::max(most, bytes);
    PageJob job{named.name, sent.collective, named.hosts.size(), {}};
    for (const auto& [ends, bytes] : sent.between) {
      job.flows.push_back({ends.first, ends.second, bytes / most});
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

}  // namespace fatwood::cli
