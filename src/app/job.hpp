// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The request for a job, as `fatwood job` and every other front end take it.

#include <string>

#include "app/open_fabric.hpp"
#include "app/parameter.hpp"
#include "io/lists/job_words.hpp"
#include "tasks/jobs/job.hpp"

namespace fatwood {

struct JobQuestion {
  JobWords words = {};
  JobRequest numbers = {};  // of these what needs no reading
  std::string among = {};   // who all hosts are; "": those in units of rails, otherwise all
  bool flits = false, hashed = false;
  std::uint32_t queue_pairs = 1;
  std::uint64_t tries = ImproveOptions{}.tries;
};

// "what it does: allreduce:ring ..."
std::string collective_help();

template <class Visitor>
void describe_collective(Visitor& visit, JobQuestion& job) {
  visit(job.words.hosts,
        {.name = "hosts",
         .help = "the job's hosts in rank order: a host list like 'n[01-64]', @FILE (lists, or a "
                 "rankfile, hostfile or machinefile), or all; those not in the fabric are left out",
         .pattern = kHostPattern});
  visit(job.numbers.collective,
        {.name = "collective", .help = collective_help(), .pattern = "[A-Za-z0-9_+:.-]{1,64}"});
  visit(job.words.message_size,
        {.name = "message_size",
         .help = "bytes, with k, M or G, counted as nccl-tests does (default: 1G)",
         .pattern = "[0-9.]{1,12}[kKMGTi]{0,2}[bB]?"});
  visit(job.words.trace, {.name = "trace",
                          .help = "run a trace instead: GOAL, Chakra, a log of NCCL, or lines "
                                  "\"time source destination bytes\"",
                          .file = true});
  visit(job.numbers.ranks, {.name = "ranks_per_host",
                            .help = "processes or GPUs of each host (0: one for each adapter)"});
  visit(job.numbers.nics, {.name = "adapters", .help = "adapters to use of each host (0: all)"});
  visit(job.words.other_jobs,
        {.name = "beside",
         .help = "other jobs: lines NAME HOSTLIST [COLLECTIVE [SIZE [WEIGHT]]], or what squeue or "
                 "scontrol print",
         .file = true});
  visit(job.numbers.weight,
        {.name = "weight",
         .help = "of the job's flows where they share a cable with those of other jobs",
         .least = 1,
         .most = 255});
}

template <class Visitor>
void describe_nccl(Visitor& visit, JobQuestion& job) {
  constexpr const char* kHeading = "NCCL";
  NcclOptions& nccl = job.numbers.nccl;
  visit(nccl.channels, {.name = "channels",
                        .help = "channels (0: two per adapter)",
                        .least = 0,
                        .most = 64,
                        .heading = kHeading});
  visit(job.words.cross_nic, {.name = "cross_nic",
                              .help = "1: rings leave by another adapter than they come in by",
                              .least = 0,
                              .most = 1,
                              .heading = kHeading});
  visit(job.words.no_pxn, {.name = "no_pxn",
                           .help = "send-receive without forwarding inside the host",
                           .heading = kHeading});
  visit(nccl.window, {.name = "window",
                      .help = "hosts that an all-to-all has in work (0: all)",
                      .heading = kHeading});
  visit(nccl.root, {.name = "root", .help = "root of a broadcast or reduce", .heading = kHeading});
  visit(job.words.latency, {.name = "latency",
                            .help = "nccl: add what NCCL's tuning expects; none",
                            .words = {"nccl", "none"},
                            .heading = kHeading});
}

template <class Visitor>
void describe_groups(Visitor& visit, JobQuestion& job) {
  constexpr const char* kHeading = "Parallel groups";
  constexpr std::int64_t kMost = 1 << 20;
  ParallelSizes& sizes = job.numbers.sizes;
  visit(job.words.groups,
        {.name = "groups",
         .help = "run the collective in all groups of a kind at once: data, tensor, pipeline, "
                 "expert; or several kinds, like tensor=allreduce@64M,data=allreduce@1G",
         .pattern = "[a-z][A-Za-z0-9_+:.,=@-]{0,400}",
         .heading = kHeading});
  visit(sizes.tensor, {.name = "tensor",
                       .help = "ranks of a tensor-parallel group",
                       .least = 1,
                       .most = kMost,
                       .heading = kHeading});
  visit(sizes.data, {.name = "data",
                     .help = "ranks of a data-parallel group (0: what is left)",
                     .heading = kHeading});
  visit(sizes.pipeline, {.name = "pipeline",
                         .help = "ranks of a pipeline",
                         .least = 1,
                         .most = kMost,
                         .heading = kHeading});
  visit(sizes.expert, {.name = "expert",
                       .help = "ranks of an expert-parallel group",
                       .least = 1,
                       .most = kMost,
                       .heading = kHeading});
}

template <class Visitor>
void describe_better(Visitor& visit, JobQuestion& job) {
  constexpr const char* kHeading = "Better";
  visit(job.words.improve, {.name = "improve",
                            .help = "look for a better order, placement or both",
                            .words = {"order", "placement", "both"},
                            .heading = kHeading});
  visit(job.numbers.pick, {.name = "pick",
                           .help = "choose so many of the free hosts for the job",
                           .least = 1,
                           .most = 1 << 20,
                           .heading = kHeading});
  visit(job.words.free, {.name = "free",
                         .help = "hosts that a better placement or a pick may take; all: those of "
                                 "no other job (default of a pick)",
                         .needs = {"improve", "pick"},
                         .pattern = kHostPattern,
                         .heading = kHeading});
  visit(job.tries, {.name = "tries",
                    .help = "tries of local search",
                    .needs = {"improve", "pick"},
                    .heading = kHeading});
  visit(job.words.candidates, {.name = "candidates",
                               .help = "score other placements: a file of lines NAME HOSTLIST",
                               .file = true,
                               .heading = kHeading});
}

template <class Visitor>
void describe(Visitor& visit, JobQuestion& job) {
  describe_collective(visit, job);
  describe_nccl(visit, job);
  describe_groups(visit, job);
  visit(job.among, {.name = "among",
                    .help = "who all hosts are: compute, storage, service, or a file of hosts "
                            "(default: those in units of rails, otherwise all)",
                    .pattern = "(compute|storage|service)"});
  visit(job.flits,
        {.name = "flits", .help = "simulate it flit by flit as well, next to fair rates"});
  visit(job.hashed, {.name = "hashed",
                     .help = "a hash of each queue pair chooses ports or paths, not the load"});
  visit(job.queue_pairs, {.name = "queue_pairs",
                          .help = "queue pairs of a connection, if they are hashed",
                          .least = 1,
                          .most = 128,
                          .needs = {"hashed"}});
  describe_better(visit, job);
}

// Reads lists and files, and leaves seed, share and progress to the caller.
JobOptions job_options(const OpenFabric& fabric, const JobQuestion& job);

}  // namespace fatwood
