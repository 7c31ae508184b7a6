// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/page_parts.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "cli/verb.hpp"
#include "io/lists/job_words.hpp"
#include "routing/adaptive/destination_classes.hpp"
#include "traffic/traffic.hpp"

namespace fatwood::cli {

namespace {

constexpr std::array<unsigned, 4> kQueuePairs{1, 2, 4, 16};
// A page should take seconds: seeds are as many as this many queue pairs allow, within limits.
constexpr std::size_t kMostFollowed = 1'000'000;
constexpr std::size_t kFewestSeeds = 10;
constexpr std::size_t kMostSeeds = 200;
constexpr std::size_t kMostHosts = 30'000;

void add_hashed(PageAdaptive& found, const Model& model, const EvaluatedEngine& engine,
                const Session& session) {
  const std::size_t hosts = model.adapters().size();
  if (hosts < 2) {
    found.why_no_hashed = "there are not two hosts";
  } else if (hosts > kMostHosts) {
    found.why_no_hashed = "the fabric is too large for a page";
  } else if (engine.row.result->reachability.unreachable.terminal_terminal > 0) {
    found.why_no_hashed = "not every choice connects every pair of hosts";
  }
  if (!found.why_no_hashed.empty()) return;
  std::size_t pairs = 0;
  for (const unsigned count : kQueuePairs) pairs += count * hosts;
  found.seeds = static_cast<unsigned>(std::clamp(kMostFollowed / pairs, kFewestSeeds, kMostSeeds));
  const Traffic traffic = random_permutation(hosts, session.seed);
  found.hashed = hashed_loads(model, *engine.routing, traffic, kQueuePairs,
                              {.seeds = found.seeds,
                               .hashing = Hashing::kIndependent,
                               .seed = session.seed,
                               .threads = session.threads});
}

}  // namespace

std::vector<PageAdaptive> page_adaptive(const Model& model,
                                        const std::vector<EvaluatedEngine>& engines,
                                        const Session& session) {
  std::vector<PageAdaptive> all;
  for (const EvaluatedEngine& engine : engines) {
    if (!engine.routing || engine.routing->sets.empty()) continue;
    const DestinationClasses classes =
        destination_classes(model.fabric(), *engine.routing, session.threads);
    PageAdaptive found;
    found.engine = engine.row.name;
    found.coverage = find_coverage(model, *engine.routing, classes, session.threads);
    // If every choice connects every pair, every subset of a group is safe.
    if (!engine.row.result->reachability.whole()) {
      ChoiceFindings choices = find_choices(model, *engine.routing, classes, session.threads);
      found.risky = choices.risky;
      found.first_risky = choices.first_risky;
    }
    add_hashed(found, model, engine, session);
    all.push_back(std::move(found));
  }
  return all;
}

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
