// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The options of `fatwood sim` that describe switches, links and adapters, and their model.

#include <optional>
#include <string>

#include "cli/verb.hpp"
#include "sim/engine/model.hpp"
#include "sim/engine/routes.hpp"

namespace fatwood::cli {

struct ModelOptions {
  std::optional<std::uint32_t> packet_flits;
  std::string mtu;  // bytes, in place of packet_flits
  std::uint32_t flit_bytes = 64;
  std::optional<std::uint32_t> buffer_packets;
  std::optional<std::uint32_t> input_flits, output_flits;  // no value: buffer_packets
  unsigned lanes = 0;                                      // 0: as many as the routing has
  std::string queueing = "output";
  std::string receivers = "link";
  std::string crossbar = "unlimited";
  std::uint32_t link_latency = 0, switch_latency = 0;
  std::optional<double> link_gigabits, terminal_gigabits, port0_gigabits;
  std::string links;  // file of exceptions
  std::vector<std::string> shares;
  std::uint32_t high_limit = 0;
  std::vector<unsigned> sl_to_vl;
};

void add_model_options(Verb& verb, ModelOptions& options);
// Everything but the number of lanes. InputError, with the option, for an impossible value, or an
// option that another one makes useless.
sim::Model make_model(const Fabric& fabric, const ModelOptions& options);

sim::PathChoice parse_path_choice(const std::string& text);

}  // namespace fatwood::cli
