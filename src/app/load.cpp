// SPDX-License-Identifier: BSD-3-Clause
#include "app/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "io/routes/read_hashes.hpp"

namespace fatwood {

namespace {

constexpr unsigned kMostQueuePairs = 1024;

// "1,4,16". InputError for what is no such list.
std::vector<unsigned> queue_pairs_of(const std::string& text) {
  std::vector<unsigned> list;
  if (text.empty()) return list;
  for (const std::string_view part : split_at(text, ',')) {
    const auto pairs = parse_number<unsigned>(part);
    if (!pairs || *pairs == 0 || *pairs > kMostQueuePairs) {
      throw InputError(
          {.file = param("queue_pairs")},
          fmt::format("expected numbers from 1 to {}, not \"{}\"", kMostQueuePairs, text));
    }
    list.push_back(*pairs);
  }
  return list;
}

// By switch; empty if each hashes by itself or all alike.
std::vector<SwitchHash> hash_of(const std::string& word, const Model& model) {
  std::vector<SwitchHash> hashes;
  if (word == "own" || word == "same") return hashes;
  if (word != "tier") return read_hashes(word, model.fabric());
  require_tree(model.levels(), param("hash", word));
  for (const Switch s : ids<Switch>(model.fabric().num_switches())) {
    hashes.push_back({model.levels().level[s], true});
  }
  return hashes;
}

// The distributions asked for, of the stage that loads the most loaded channel most.
std::optional<HashedReport> hashed(const Model& model, const Routing* adaptive,
                                   const Traffic& traffic, const LoadQuestion& question,
                                   const LoadRun& run) {
  const std::vector<unsigned> list = queue_pairs_of(question.queue_pairs);
  const bool limit = question.at_most.has_value();
  if (list.empty() && !limit) return std::nullopt;
  if (adaptive == nullptr) {
    throw InputError(fmt::format("{} needs adaptive tables; the switches of {} choose nothing",
                                 param(limit ? "at_most" : "queue_pairs"), run.routing));
  }
  const bool alike = question.same_hash || question.hash == "same";
  const HashedOptions options{.queue_pairs = 1,
                              .seeds = question.seeds,
                              .hashing = alike ? Hashing::kAlike : Hashing::kIndependent,
                              .hash = hash_of(question.hash, model),
                              .seed = run.seed,
                              .threads = run.threads};
  HashedReport report{
      .seeds = options.seeds, .alike = alike, .hash = question.hash, .rows = {}, .needed = {}};
  if (!list.empty()) report.rows = hashed_loads(model, *adaptive, traffic, list, options);
  if (limit) {
    report.at_most = *question.at_most;
    report.needed = queue_pairs_for(model, *adaptive, traffic, options, *question.at_most);
  }
  return report;
}

}  // namespace

std::string traffic_help() {
  std::string text = "one of:";
  for (const Pattern& pattern : patterns()) text += fmt::format(" {}", pattern.usage);
  return text;
}

LoadAnswer find_load(const Model& all, const PathSource& routes, const Measured& measured,
                     const Schedule& schedule, const LoadQuestion& question, const LoadRun& run) {
  const Model& model = measured.model();
  const PathSource& paths = measured.paths();
  LoadAnswer answer{.load =
                        schedule_load(model, paths, schedule, std::max(question.top, run.listed),
                                      run.threads, run.progress)};
  answer.hashed = hashed(model, paths.adaptive(), schedule.stage(answer.load.worst), question, run);
  if (question.traffic == "alltoall") {
    answer.pairs = all_pairs(all, routes, measured, run.threads, run.order);
  }
  return answer;
}

}  // namespace fatwood
