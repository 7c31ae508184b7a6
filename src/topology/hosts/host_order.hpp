// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The order in which a scheduler gives hosts to jobs. Hosts next to each other in it are
// neighbours: windows of jobs (job_windows.hpp) are runs of it.
//
// The default is the natural order of names ("node9" before "node10"), which is what schedulers do
// without further knowledge. A user's list may give another one. Only hosts that have adapters for
// jobs (job_adapters.hpp) in the model are in the order: with a measured model
// (participants.hpp), those that take part.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/hosts/hosts.hpp"
#include "topology/model.hpp"

namespace fatwood {

struct HostOrder {
  std::string source;                          // "natural order of names", or the file
  std::vector<Host> hosts;                     // first to last
  std::vector<std::vector<Adapter>> adapters;  // by position; at least one each

  std::size_t size() const { return hosts.size(); }
};

HostOrder natural_host_order(const Model& model);

// An order as a user asks for it. Hosts have the same numbers in a model and in measured models of
// it; adapters do not.
struct GivenOrder {
  std::string source = "natural order of names";
  std::vector<Host> first = {};
};
HostOrder host_order(const Model& model, const GivenOrder& given);

// The listed hosts first. The others follow in natural order. Listed hosts without adapters for
// jobs are ignored. REQUIRES that no host is listed twice.
HostOrder given_host_order(const Model& model, std::span<const Host> first, std::string source);

// How many hosts of the order are usual on a leaf: the median over hosts, by their first adapters.
std::size_t usual_hosts_of_leaf(const Model& model, const HostOrder& order);

}  // namespace fatwood
