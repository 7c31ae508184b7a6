// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The fabric for schedulers of Kubernetes. Write-only, and nothing talks to a cluster.
//
//   topograph   kubectl label --overwrite node n1 fabric.topograph.run/tier-0=unit1 ...
//   kueue, kai  kind: Topology, whose levels are these labels, the outermost first
//   volcano     kind: HyperNode, one for each leaf, pod and the whole
//
// The tree is that of Slurm (slurm.hpp), with compute hosts only: tier 0 is the leaf switch, or the
// scalable unit on a fabric with rails, because a host has a port on each of its leaves. A part of
// the fabric with fewer levels repeats the name of its top, so that every host has every label.
// Names are in lower case, with '-' for what Kubernetes does not allow.

#include <ostream>
#include <string>
#include <vector>

#include "topology/model.hpp"

namespace fatwood {

// `keys`: label keys by tier, nearest first; empty: fabric.topograph.run/tier-N. InputError if
// there are fewer than tiers.
void write_topograph(std::ostream& out, const Model& model, const std::vector<std::string>& keys);
void write_kueue(std::ostream& out, const Model& model, const std::vector<std::string>& keys);
void write_kai(std::ostream& out, const Model& model, const std::vector<std::string>& keys);
void write_volcano(std::ostream& out, const Model& model, const std::vector<std::string>& keys);

// A name that Kubernetes accepts.
std::string kubernetes_name(std::string_view text);

}  // namespace fatwood
