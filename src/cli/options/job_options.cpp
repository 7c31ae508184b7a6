// SPDX-License-Identifier: BSD-3-Clause
#include "cli/options/job_options.hpp"

#include <fmt/format.h>

#include "traffic/collectives/collective_list.hpp"

namespace fatwood::cli {
namespace {

std::string collective_help() {
  std::string text = "what it does:";
  for (const CollectiveRow& row : collectives()) text += fmt::format(" {}", row.name);
  return text + "; without ':', the first of its kind (default: allreduce)";
}

}  // namespace

void add_job_options(Verb& verb, JobArguments& job) {
  verb.add_option(
      "--hosts", job.words.hosts,
      "the job's hosts in rank order: a host list like 'n[01-64]', @FILE (lists, or a "
      "rankfile, hostfile or machinefile), or all; those not in the fabric are left out");
  verb.add_option("--collective", job.request.collective, collective_help());
  verb.add_option("--message-size", job.words.message_size,
                  "bytes, with k, M or G, counted as nccl-tests does (default: 1G)");
  verb.add_option("--trace", job.words.trace,
                  "run a trace instead: GOAL, Chakra, a log of NCCL, or lines \"time source "
                  "destination bytes\"");
  verb.add_option("--ranks-per-host", job.request.ranks,
                  "processes or GPUs of each host (0: one for each adapter)");
  verb.add_option("--adapters", job.request.nics, "adapters to use of each host (0: all)");
  verb.add_option("--rate", job.words.rate, "rate of every cable, like 4xHDR");
  verb.add_option("--beside", job.words.other_jobs,
                  "other jobs: lines NAME HOSTLIST [COLLECTIVE [SIZE [WEIGHT]]], or what squeue or "
                  "scontrol print");
  verb.add_option("--weight", job.request.weight,
                  "of the job's flows where they share a cable with those of other jobs")
      ->range(1U, 255U);
  const Heading nccl(verb, "NCCL");
  verb.add_option("--channels", job.request.nccl.channels, "channels (0: two per adapter)")
      ->range(0, 64);
  verb.add_option("--cross-nic", job.words.cross_nic,
                  "1: rings leave by another adapter than they "
                  "come in by")
      ->range(0, 1);
  verb.add_flag("--no-pxn", job.words.no_pxn, "send-receive without forwarding inside the host");
  verb.add_option("--window", job.request.nccl.window,
                  "hosts that an all-to-all has in work (0: all)");
  verb.add_option("--root", job.request.nccl.root, "root of a broadcast or reduce");
  verb.add_option("--latency", job.words.latency, "nccl: add what NCCL's tuning expects; none")
      ->one_of({"nccl", "none"});
  const Heading parallel(verb, "Parallel groups");
  verb.add_option("--groups", job.words.groups,
                  "run the collective in all groups of a kind at once")
      ->one_of({"all", "data", "tensor", "pipeline", "expert"});
  verb.add_option("--tensor", job.request.sizes.tensor, "ranks of a tensor-parallel group")
      ->range(1U, 1U << 20);
  verb.add_option("--data", job.request.sizes.data,
                  "ranks of a data-parallel group (0: what is left)");
  verb.add_option("--pipeline", job.request.sizes.pipeline, "ranks of a pipeline")
      ->range(1U, 1U << 20);
  verb.add_option("--expert", job.request.sizes.expert, "ranks of an expert-parallel group")
      ->range(1U, 1U << 20);
}

}  // namespace fatwood::cli
