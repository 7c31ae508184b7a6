// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/report_jobs.hpp"

#include <algorithm>
#include <map>

#include "core/parse_bytes.hpp"
#include "io/lists/host_list.hpp"
#include "io/lists/job_list.hpp"
#include "topology/hosts/rails.hpp"
#include "traffic/collectives/collective_list.hpp"
#include "traffic/jobs/place_job.hpp"

namespace fatwood::cli {
namespace {

PageJob page_job(const Model& model, const ListedJob& listed) {
  const PlacedHosts placed =
      place_hosts(model, find_hosts_named(model.fabric(), model.hosts().hosts, listed.hosts,
                                          listed.where, Repeats::kRefused));
  const JobShape shape{static_cast<std::uint32_t>(placed.hosts.size()), placed.nics, placed.nics};
  const CollectiveRow& row =
      find_collective(listed.collective.empty() ? "allreduce" : listed.collective);
  const auto bytes = static_cast<double>(parse_bytes(listed.size.empty() ? "1G" : listed.size));
  const Program program = make_collective(row, shape, {all_ranks(shape)}, bytes, {});
  std::map<std::pair<Adapter, Adapter>, double> sent;
  std::map<Adapter, double> by_adapter;
  for (Op op = 0; op < program.size(); ++op) {
    for (const Edge& edge : program.edges(op)) {
      const Adapter from = placed.at[edge.from];
      const Adapter to = placed.at[edge.to];
      if (from == to) continue;
      sent[{from, to}] += program.bytes(op) * edge.amount;
      by_adapter[from] += program.bytes(op) * edge.amount;
    }
  }
  double most = 0;
  for (const auto& [host, amount] : by_adapter) most = std::max(most, amount);
  PageJob job{listed.name, std::string(row.name), placed.hosts.size(), {}};
  for (const auto& [ends, amount] : sent) {
    job.flows.push_back({ends.first, ends.second, amount / most});
  }
  return job;
}

}  // namespace

std::vector<PageJob> page_jobs(const Model& model, const std::string& path) {
  std::vector<PageJob> jobs;
  if (path.empty()) return jobs;
  Input input(path);
  for (const ListedJob& listed : read_job_list(input)) {
    try {
      jobs.push_back(page_job(model, listed));
    } catch (const InputError& error) {
      if (std::string(error.what()).starts_with(listed.where.file)) throw;
      throw InputError(listed.where, error.what());
    }
  }
  return jobs;
}

}  // namespace fatwood::cli
