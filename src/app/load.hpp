// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The request for `load`, of every front end: what a traffic puts on the links.

#include <optional>
#include <string>

#include "analysis/load/hashed_load.hpp"
#include "analysis/load/schedule_load.hpp"
#include "app/among.hpp"
#include "app/host_order.hpp"
#include "core/progress.hpp"
#include "tasks/all_pairs.hpp"

namespace fatwood {

struct LoadQuestion {
  std::string traffic = {};
  std::size_t top = 10;
  std::string queue_pairs = {};  // "1,4,16"
  std::optional<double> at_most = {};
  unsigned seeds = 200;
  bool same_hash = false;
  std::string hash = "own";  // own, tier, same, or a file
  std::string among = "all", host_order = {};
};

// "one of: uniform:LOAD ..."
std::string traffic_help();
// What a request from the network may say: no file.
inline constexpr const char* kTrafficPattern =
    "(alltoall|permutation|shifts|ring|doubling|halving|complement|reverse|transpose|shuffle|"
    "(shift|cluster|hotspot):[0-9]+|uniform:[0-9.]+)";

template <class Visitor>
void describe(Visitor& visit, LoadQuestion& question) {
  visit(question.traffic,
        {.name = "traffic", .help = traffic_help(), .required = true, .pattern = kTrafficPattern});
  visit(question.top, {.name = "top", .help = "how many of the most loaded channels to list"});
  visit(
      question.queue_pairs,
      {.name = "queue_pairs",
       .help = "adaptive tables: a hash chooses the ports of each queue pair, and a flow has N of "
               "them (N or N,N,..): the distribution over seeds",
       .pattern = "[0-9,]{1,64}"});
  visit(question.at_most,
        {.name = "at_most",
         .help = "adaptive tables: how many queue pairs keep the most loaded link at or below this "
                 "load in 99 of 100 seeds",
         .low = 0,
         .high = 1e9});
  visit(question.seeds, {.name = "seeds",
                         .help = "how many seeds of the hash are tried",
                         .least = 1,
                         .most = 1000000,
                         .needs = {"queue_pairs", "at_most"}});
  visit(question.same_hash, {.name = "same_hash",
                             .help = "all switches hash alike (polarisation), not each by itself",
                             .needs = {"queue_pairs", "at_most"}});
  visit(
      question.hash,
      {.name = "hash",
       .help = "how switches hash: own (each by itself), tier (those of a level alike), same "
               "(all alike), or a file: switch,function,fields,seed,offset, or databases of SONiC",
       .needs = {"queue_pairs", "at_most"},
       .excludes = {"same_hash"},
       .pattern = "own|tier|same"});
  describe_among(visit, question.among);
  describe_host_order(visit, question.host_order);
}

struct LoadAnswer {
  ScheduleLoad load;
  std::optional<HashedReport> hashed = {};
  AllPairs pairs = {};
};
struct LoadRun {
  std::uint64_t seed = 1;
  int threads = 0;
  Progress progress = {};
  std::string routing = {};  // its name, for messages
  GivenOrder order = {};     // of question.host_order
  std::size_t listed = 0;    // channels, at least question.top
};

// `schedule` is that of question.traffic, or one that has no name; `routes` are of `all` hosts.
// InputError if the question needs adaptive tables, and these are not.
LoadAnswer find_load(const Model& all, const PathSource& routes, const Measured& measured,
                     const Schedule& schedule, const LoadQuestion& question, const LoadRun& run);

}  // namespace fatwood
