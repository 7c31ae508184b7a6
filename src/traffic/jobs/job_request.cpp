// SPDX-License-Identifier: BSD-3-Clause
#include "traffic/jobs/job_request.hpp"

#include "traffic/collectives/collective_list.hpp"

namespace fatwood {

SentBytes bytes_sent(const Model& model, const NamedJob& job, const std::string& collective) try {
  const PlacedHosts placed = place_hosts(model, job.hosts);
  const JobShape shape{static_cast<std::uint32_t>(placed.hosts.size()), placed.nics, placed.nics};
  const CollectiveRow& row = find_collective(job.collective.empty() ? collective : job.collective);
  const Program program = make_collective(row, shape, {all_ranks(shape)},
                                          job.bytes == 0 ? kDefaultMessage : job.bytes, {});
  SentBytes sent{std::string(row.name), {}};
  for (Op op = 0; op < program.size(); ++op) {
    for (const Edge& edge : program.edges(op)) {
      const std::pair ends(placed.at[edge.from], placed.at[edge.to]);
      if (ends.first == ends.second) continue;
      sent.between[ends] += program.size_of(op) * static_cast<double>(edge.amount);
    }
  }
  return sent;
} catch (const InputError& error) {
  throw error.at(job.where);
}

}  // namespace fatwood
