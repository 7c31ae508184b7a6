// SPDX-License-Identifier: BSD-3-Clause
#include "sim/workload/poisson.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "traffic/traffic.hpp"

namespace fatwood::sim {

namespace {

constexpr std::uint32_t kMessageStream = 2;

// Ticks a flit of what the adapter and its link carry.
double flit_ticks(const Network& net, std::uint32_t e) {
  const NetPort& port = net.ports[net.endpoint_port[e]];
  return std::max(port.flit_ticks, port.adapter_ticks);
}

}  // namespace

Poisson::Poisson(const Network& network, const PoissonClass& terminals,
                 const PoissonClass& switches, std::uint64_t seed, Time window, std::size_t windows)
    : net_(network),
      class_{terminals, switches},
      window_(window),
      created_(windows, 0),
      plain_(terminals.matrix == nullptr && net_.adapters.one_port_each() &&
             net_.adapters.size() == net_.terminals) {
  const auto n = static_cast<std::uint32_t>(net_.terminals);
  if (windows > 0) newest_.resize(n);
  std::vector<double> row(net_.endpoints(), 1);
  for (const Terminal t : ids<Terminal>(n)) {
    if (!net_.adapters.sends(t)) row[index(t)] = 0;
  }
  if (terminals.matrix != nullptr) {
    std::vector<PortFlow> flows = port_flows(net_.adapters, *terminals.matrix);
    std::ranges::stable_sort(flows, {},
                             [](const PortFlow& f) { return std::pair(f.source, f.destination); });
    first_.assign(n + 1, 0);
    std::fill(row.begin(), row.begin() + n, 0);
    for (const PortFlow& flow : flows) {
      const std::uint32_t s = index(flow.source);
      first_[s + 1] = static_cast<std::uint32_t>(dest_.size() + 1);
      row[s] += flow.units;
      dest_.push_back(index(flow.destination));
      sum_.push_back(row[s]);
    }
    for (std::uint32_t s = 0; s < n; ++s) first_[s + 1] = std::max(first_[s + 1], first_[s]);
    const double most = *std::max_element(row.begin(), row.begin() + n);
    for (std::uint32_t s = 0; s < n && most > 0; ++s) row[s] /= most;
  }
  source_.reserve(net_.endpoints());
  for (std::uint32_t e = 0; e < net_.endpoints(); ++e) {
    const PoissonClass& own = class_[e < n ? 0 : 1];
    source_.push_back({Random(seed, e, kMessageStream)});
    const double load = own.load * row[e];
    const bool alone = (e < n ? net_.adapters.size() : net_.switches) < 2;
    if (load <= 0 || alone) continue;
    capacity_[e < n ? 0 : 1] += row[e] / flit_ticks(net_, e);
    source_[e].interval = static_cast<double>(own.message_flits) * flit_ticks(net_, e) / load;
    source_[e].exact = 0;
    draw_next(source_[e]);
  }
}

void Poisson::draw_next(Source& source) const {
  source.exact -= std::log1p(-source.random.uniform()) * source.interval;
}

std::uint32_t Poisson::draw_destination(std::uint32_t e, Random& random) const {
  const auto n = static_cast<std::uint32_t>(net_.terminals);
  const auto other = [&](std::uint32_t count, std::uint32_t own) {
    const std::uint32_t drawn = random.below(count - 1);
    return drawn < own ? drawn : drawn + 1;
  };
  if (e < n && plain_) return other(n, e);
  if (e < n && !first_.empty()) {
    const auto begin = sum_.begin() + first_[e];
    const auto end = sum_.begin() + first_[e + 1];
    const double at = random.uniform() * *(end - 1);
    const auto found = std::upper_bound(begin, end - 1, at);
    return dest_[static_cast<std::size_t>(found - sum_.begin())];
  }
  if (e >= n) return n + other(static_cast<std::uint32_t>(net_.switches), e - n);
  // Any other host, by a port that ours sends to (Adapters::port_pairs).
  const Adapter own = net_.adapters.of(static_cast<Terminal>(e));
  const std::uint32_t drawn = other(static_cast<std::uint32_t>(net_.adapters.size()), index(own));
  const std::span<const Terminal> ports = net_.adapters.terminals(static_cast<Adapter>(drawn));
  if (ports.size() == 1) return index(ports.front());
  const std::span<const Terminal> from = net_.adapters.terminals(own);
  if (ports.size() != from.size()) {
    return index(ports[random.below(static_cast<std::uint32_t>(ports.size()))]);
  }
  const auto at = std::ranges::find(from, static_cast<Terminal>(e)) - from.begin();
  return index(ports[static_cast<std::size_t>(at)]);
}

MessageSpec Poisson::take(Endpoint e, Time /*now*/) {
  Source& source = source_[index(e)];
  const PoissonClass& own = class_[net_.is_terminal(e) ? 0 : 1];
  MessageSpec spec;
  spec.created = source.next();
  spec.dest = static_cast<Endpoint>(draw_destination(index(e), source.random));
  spec.flits = own.message_flits;
  spec.service_level = own.service_level;
  if (net_.is_terminal(e)) count_created(index(e), spec.created);
  draw_next(source);
  return spec;
}

void Poisson::count_created(std::uint32_t e, Time created) {
  if (created_.empty()) return;
  Newest& newest = newest_[e];
  const auto window = static_cast<std::uint32_t>(
      std::min<Time>(created / window_, static_cast<Time>(created_.size())));
  if (window != newest.window) add_created(newest);
  newest.window = window;
  ++newest.messages;
}

void Poisson::add_created(Newest& newest) {
  if (newest.window < created_.size()) {
    std::atomic_ref(created_[newest.window]).fetch_add(newest.messages, std::memory_order_relaxed);
  }
  newest.messages = 0;
}

std::vector<std::uint64_t> Poisson::terminal_flits(std::size_t windows) {
  const Time until = window_ * static_cast<Time>(windows);
  for (std::uint32_t e = 0; e < net_.terminals; ++e) {
    Source& source = source_[e];
    while (source.next() < until) {
      // The same draws as take() makes, so that the count is that of the process.
      draw_destination(e, source.random);
      count_created(e, source.next());
      draw_next(source);
    }
    if (!created_.empty()) add_created(newest_[e]);
  }
  std::vector<std::uint64_t> flits = created_;
  flits.resize(windows, 0);
  for (std::uint64_t& f : flits) f *= class_[0].message_flits;
  return flits;
}

}  // namespace fatwood::sim
