// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The time that a collective or a recorded run takes on some hosts, alone and next to other jobs.
//
//   fatwood::run_job(model, routing, options)                one routing
//   fatwood::compare_job(model, engines, route, options)     several engines, fastest first
//
// `routing` is fatwood::resolve_routing(model, "sftree", options), and
// model.hosts().hosts are the hosts.

#include "tasks/jobs/job.hpp"
#include "topology/hosts/rails.hpp"
