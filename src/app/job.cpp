// SPDX-License-Identifier: BSD-3-Clause
#include "app/job.hpp"

#include <fmt/format.h>

#include "app/among.hpp"
#include "core/error.hpp"
#include "traffic/collectives/collective_list.hpp"

namespace fatwood {

namespace {

void keep_among(const Model& model, const Participants& who, std::vector<Host>& hosts) {
  const Hosts& all = model.hosts().hosts;
  Table<Host, std::uint8_t> takes_part(all.size());
  for (const Adapter a : who.adapters) {
    const Host host = all.of(model.adapters().node(model.fabric(), a));
    if (host != kNone<Host>) takes_part[host] = 1;
  }
  std::erase_if(hosts, [&](Host host) { return takes_part[host] == 0; });
}

// "all" hosts are those of `among`.
void keep_among(const Model& model, const JobQuestion& question, JobRequest& job) {
  const JobWords& words = question.words;
  const bool all_free = words.free == "all" || (job.pick != 0 && words.free.empty());
  if (words.hosts != "all" && !all_free) {
    throw InputError(fmt::format("{} says who \"all\" hosts are: it needs {} or {}", param("among"),
                                 param("hosts", "all"), param("free", "all")));
  }
  const FoundParticipants found = find_participants(model, question.among);
  if (!found.note.empty()) job.notes.push_back(found.note);
  if (words.hosts == "all") keep_among(model, found.who, job.hosts);
  if (all_free) keep_among(model, found.who, job.free);
}

}  // namespace

std::string collective_help() {
  std::string text = "what it does:";
  for (const CollectiveRow& row : collectives()) text += fmt::format(" {}", row.name);
  return text + "; without ':', the first of its kind (default: allreduce)";
}

JobOptions job_options(const OpenFabric& fabric, const JobQuestion& question) {
  JobOptions options{.job = read_job(*fabric.model, question.words, question.numbers),
                     .queue_pairs = question.queue_pairs,
                     .flits = question.flits,
                     .tries = question.tries};
  if (!question.among.empty()) keep_among(*fabric.model, question, options.job);
  if (question.hashed) options.ports = PortChoice::kHashed;
  return options;
}

}  // namespace fatwood
