// SPDX-License-Identifier: BSD-3-Clause
#include "sim/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <numeric>

#include "core/error.hpp"
#include "core/invariant.hpp"
#include "core/parallel.hpp"
#include "core/share_out.hpp"

namespace fatwood::sim {

namespace {

constexpr double kAcceptedShare = 0.99;

// CPU time of a run, with the other threads of its engine.
class Spent {
 public:
  double seconds(const Engine& engine) const {
    const std::vector<double>& others = engine.exchange().seconds;
    return std::accumulate(others.begin(), others.end(), thread_seconds() - start_);
  }

 private:
  double start_ = thread_seconds();
};

// A thread for this many ports at least: those of smaller fabrics would mostly wait for each other.
constexpr std::size_t kPortsOfThread = 4000;

unsigned threads_of(const Setup& setup) {
  const std::size_t useful = setup.network.ports.size() / kPortsOfThread;
  return static_cast<unsigned>(
      std::clamp<std::size_t>(useful, 1, static_cast<std::size_t>(thread_count(setup.threads))));
}

void check_balance(const Engine& engine) {
  const std::string wrong = engine.imbalance();
  invariant(wrong.empty(), "the simulator lost flits or credits: " + wrong);
}

std::optional<TableSwitch> switched(const Setup& setup, const Engine& engine) {
  if (!setup.routes.changes()) return std::nullopt;
  const Counters& counters = engine.counters();
  return TableSwitch{counters.packets_discarded, counters.packets_looping, engine.first_looping()};
}

void check_service_level(const Setup& setup, unsigned level) {
  const unsigned most = level + setup.routes.lanes() - 1;
  if (most >= kServiceLevels) {
    throw InputError(fmt::format("service level {} and the routing's {} lanes need more than {}",
                                 level, setup.routes.lanes(), kServiceLevels));
  }
  if (setup.routes.lanes() > setup.model.lanes) {
    throw InputError(fmt::format("the routing needs {} lanes, the model has {}",
                                 setup.routes.lanes(), setup.model.lanes));
  }
}

void check_traffic(const Setup& setup, const OpenTraffic& traffic) {
  check_service_level(setup, traffic.service_level);
  if (setup.network.adapters.size() < 2) throw InputError("traffic needs two hosts");
  if (traffic.matrix != nullptr && traffic.matrix->flows.empty()) {
    throw InputError("the traffic has no flow: no host sends");
  }
  if (traffic.switch_load <= 0) return;
  check_service_level(setup, traffic.switch_service_level);
  if (setup.network.switches < 2) throw InputError("traffic between switches needs two of them");
}

Latency summary(const Histogram& all, double cycle) {
  Latency latency;
  latency.mean = all.mean() / cycle;
  latency.p50 = all.percentile(0.50) / cycle;
  latency.p95 = all.percentile(0.95) / cycle;
  latency.p99 = all.percentile(0.99) / cycle;
  latency.most = static_cast<double>(all.most()) / cycle;
  latency.count = all.count();
  return latency;
}

// Latencies of the messages of a range of windows: means, and how many messages each is of.
struct Latencies {
  std::vector<double> mean, count;
};

Latencies latencies(const std::vector<Window>& windows, std::size_t begin, std::size_t end,
                    double cycle) {
  Latencies all;
  for (std::size_t i = begin; i < end; ++i) {
    all.mean.push_back(windows[i].message.mean() / cycle);
    all.count.push_back(static_cast<double>(windows[i].message.count()));
  }
  return all;
}

// Whether the second half of the windows has the mean of the first, within what their scatter
// explains or a tenth. Batches are taken as independent here: a latency that grows without end is
// correlated too, and is not to pass for one that scatters.
bool is_settled(const std::vector<Window>& windows, std::size_t begin, std::size_t end) {
  constexpr std::size_t kFewest = 8;
  constexpr std::size_t kBatches = 20;
  if (end - begin < kFewest) return true;
  const auto half = [&](std::size_t from, std::size_t to) {
    const Latencies all = latencies(windows, from, to, 1);
    return independent_batches(all.mean, all.count, kBatches);
  };
  const Estimate first = half(begin, (begin + end) / 2);
  const Estimate second = half((begin + end) / 2, end);
  return std::abs(second.mean - first.mean) <=
         std::max(first.half + second.half, 0.1 * std::max(first.mean, second.mean));
}

// The statistics of the windows of one class. `created`: flits by window; empty: not counted.
ClassResult evaluate(const std::vector<Window>& windows, const std::vector<std::uint64_t>& created,
                     Time window_ticks, double cycle, double flits_per_tick) {
  ClassResult result;
  std::vector<double> accepted;
  std::vector<double> latency;
  double last = 0;
  const auto count = windows.size();
  for (std::size_t i = 0; i < count; ++i) {
    accepted.push_back(static_cast<double>(windows[i].flits) /
                       (static_cast<double>(window_ticks) * flits_per_tick));
    if (windows[i].message.count() > 0) last = windows[i].message.mean() / cycle;
    latency.push_back(last);
    result.series.push_back({static_cast<double>(window_ticks) * static_cast<double>(i + 1) / cycle,
                             accepted.back(), windows[i].message.count() > 0 ? last : 0});
  }
  const std::size_t cut_flow = warm_up_cut(accepted);
  const std::size_t cut = std::max(warm_up_cut(latency), cut_flow);
  result.settled = is_settled(windows, cut, count);
  result.warmup_cycles =
      static_cast<Time>(static_cast<double>(window_ticks) * static_cast<double>(cut) / cycle);
  result.accepted =
      plain_mean({accepted.begin() + static_cast<std::ptrdiff_t>(cut_flow), accepted.end()});
  std::uint64_t flits = 0;
  for (std::size_t i = cut_flow; i < created.size(); ++i) flits += created[i];
  result.created =
      static_cast<double>(flits) /
      (static_cast<double>(window_ticks) * static_cast<double>(count - cut_flow) * flits_per_tick);
  Histogram message;
  Histogram packet;
  for (std::size_t i = cut; i < count; ++i) {
    message.add(windows[i].message);
    packet.add(windows[i].packet);
  }
  result.message = summary(message, cycle);
  result.packet = summary(packet, cycle);
  const Latencies kept = latencies(windows, cut, count, cycle);
  result.message.half = weighted_mean(kept.mean, kept.count).half;
  return result;
}

}  // namespace

Point run_load(const Setup& setup, const OpenTraffic& traffic, double load,
               const Progress& progress) {
  const Network& net = setup.network;
  if (!(load > 0 && load <= 1)) {
    throw InputError(fmt::format("load {}: expected more than 0 and at most 1", load));
  }
  check_traffic(setup, traffic);
  const Spent spent;
  const Time window =
      std::max<Time>(1, traffic.cycles * net.cycle / static_cast<Time>(traffic.windows));
  Poisson workload(
      net, {load, traffic.message_flits, traffic.service_level, traffic.matrix},
      {traffic.switch_load, traffic.switch_message_flits, traffic.switch_service_level, nullptr},
      setup.seed, window, traffic.windows);
  Meter meter(net);
  Engine engine(net, setup.model, setup.routes, setup.choice, setup.seed, workload, meter,
                threads_of(setup));
  Point point;
  Time end = 0;
  for (std::size_t w = 0; w < traffic.windows && !point.deadlock; ++w) {
    end += window;
    engine.run(end - 1);
    meter.next_window();
    point.deadlock = engine.deadlock();
    const Window& done = meter.terminal_windows()[w];
    report(progress, static_cast<double>(w + 1) / static_cast<double>(traffic.windows),
           fmt::format("load {:.3f}: {} cycles, accepted {:.3f}", load, end / net.cycle,
                       static_cast<double>(done.flits) /
                           (static_cast<double>(window) * workload.terminal_capacity())));
  }
  check_balance(engine);
  const double cycle = net.cycle;
  point.terminals =
      evaluate(meter.terminal_windows(), workload.terminal_flits(meter.terminal_windows().size()),
               window, cycle, workload.terminal_capacity());
  point.terminals.offered = load;
  if (traffic.switch_load > 0) {
    point.switches =
        evaluate(meter.switch_windows(), {}, window, cycle, workload.switch_capacity());
    point.switches.offered = traffic.switch_load;
  }
  point.use.resize(net.ports.size());
  for (std::uint32_t p = 0; p < net.ports.size(); ++p) {
    const double use = static_cast<double>(engine.flits_sent(p)) * net.ports[p].flit_ticks /
                       static_cast<double>(end);
    // A packet counts when it starts: at most 1, unless there are several packets at once.
    const bool many = setup.model.receivers == Receivers::kUnlimited && net.leads_to_receiver(p);
    point.use[p] = many ? use : std::min(1.0, use);
  }
  point.counters = engine.counters();
  point.switched = switched(setup, engine);
  point.cycles = end / net.cycle;
  point.bytes = engine.bytes();
  point.seconds = spent.seconds(engine);
  return point;
}

std::vector<Point> run_sweep(const Setup& setup, const OpenTraffic& traffic,
                             const std::vector<double>& loads, int threads,
                             const Progress& progress, const WorkShare& share) {
  std::vector<Point> points(loads.size());
  std::mutex mutex;
  std::vector<double> done(loads.size(), 0);
  // The highest loads take longest: they go first.
  std::vector<std::size_t> order(loads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return loads[i]; });
  Setup one = setup;
  one.threads = threads_of_each(loads.size(), threads);
  const auto run = [&](std::size_t i) {
    const Progress own = [&](double fraction, std::string_view text) {
      const std::lock_guard lock(mutex);
      done[i] = fraction;
      const double sum = std::accumulate(done.begin(), done.end(), 0.0);
      report(progress, sum / static_cast<double>(done.size()), text);
    };
    return run_load(one, traffic, loads[i], progress ? own : Progress{});
  };
  std::vector<Point> found = share_out(share, loads.size(), threads,
                                       [&](std::size_t item, int) { return run(order[item]); });
  for (std::size_t item = 0; item < loads.size(); ++item) {
    points[order[item]] = std::move(found[item]);
  }
  return points;
}

bool keeps_up(const Point& point) {
  return !point.deadlock &&
         point.terminals.accepted.mean >= kAcceptedShare * point.terminals.created;
}

std::optional<Saturation> saturation_on_grid(const std::vector<Point>& points) {
  const auto over = std::find_if_not(points.begin(), points.end(), keeps_up);
  if (over == points.begin() || over == points.end()) return std::nullopt;
  Saturation found{(over - 1)->terminals.offered, (over - 1)->terminals.accepted.mean, 0, {}};
  for (const Point& p : points) found.peak = std::max(found.peak, p.terminals.accepted.mean);
  return found;
}

Saturation find_saturation(const Setup& setup, const OpenTraffic& traffic, double width,
                           int threads, const Progress& progress, const WorkShare& share) {
  Saturation found;
  double low = 0;
  double high = 1;
  // Each round looks at three loads inside the bracket, whatever the number of threads.
  std::vector<double> loads{0.25, 0.5, 0.75, 1.0};
  while (!loads.empty()) {
    std::vector<Point> points = run_sweep(setup, traffic, loads, threads, progress, share);
    if (found.points.empty() && points.back().terminals.created == 0 && !points.back().deadlock) {
      throw InputError(fmt::format("no message is created within {} cycles, not even at load 1",
                                   traffic.cycles));
    }
    bool broken = false;
    for (Point& p : points) {
      if (!broken && keeps_up(p)) {
        if (p.terminals.offered > low) {
          low = p.terminals.offered;
          found.accepted = p.terminals.accepted.mean;
        }
      } else {
        if (!broken) high = p.terminals.offered;
        broken = true;
      }
      found.peak = std::max(found.peak, p.terminals.accepted.mean);
      found.points.push_back(std::move(p));
    }
    if (found.points.back().deadlock) break;
    if (!broken) high = low;
    loads.clear();
    for (int i = 1; i <= 3 && high - low > width; ++i) loads.push_back(low + (high - low) * i / 4);
  }
  found.load = low;
  std::ranges::stable_sort(found.points, {}, [](const Point& p) { return p.terminals.offered; });
  return found;
}

CollectiveResult run_lists(const Setup& setup, MessageLists lists, Pace pace,
                           const Progress& progress) {
  const Network& net = setup.network;
  unsigned level = 0;
  for (const auto& list : lists) {
    for (const ListedMessage& m : list) level = std::max<unsigned>(level, m.service_level);
  }
  check_service_level(setup, level);
  const Spent spent;
  Lists workload(net, std::move(lists), pace);
  Meter meter(net);
  Engine engine(net, setup.model, setup.routes, setup.choice, setup.seed, workload, meter,
                threads_of(setup));
  CollectiveResult result;
  result.messages = workload.messages();
  if (result.messages == 0) throw InputError("there is no message: no host sends");
  result.flits = workload.flits();
  Time until = 0;
  while (!engine.idle() && !result.deadlock) {
    until += Time{20000} * net.cycle;
    engine.run(until);
    result.deadlock = engine.deadlock();
    report(progress,
           static_cast<double>(engine.counters().flits_delivered) /
               static_cast<double>(std::max<std::uint64_t>(1, result.flits)),
           fmt::format("{} cycles", engine.now() / net.cycle));
  }
  check_balance(engine);
  result.counters = engine.counters();
  result.switched = switched(setup, engine);
  const Time finish = engine.last_delivery();
  result.finish_cycles = finish / net.cycle;
  meter.next_window();
  Histogram all = meter.terminal_windows().back().message;
  all.add(meter.switch_windows().back().message);
  result.message = summary(all, net.cycle);
  std::size_t senders = 0;
  double capacity = 0;  // flits a tick of all terminals that send
  double sent = 0;      // their flits
  for (std::uint32_t e = 0; e < net.terminals; ++e) {
    const auto own = static_cast<Endpoint>(e);
    if (workload.finished(own) == 0) continue;
    const NetPort& port = net.ports[net.endpoint_port[e]];
    const double share = static_cast<double>(workload.flits_of(own)) *
                         std::max(port.flit_ticks, port.adapter_ticks) /
                         static_cast<double>(workload.finished(own));
    result.slowest = senders == 0 ? share : std::min(result.slowest, share);
    result.bandwidth += share;
    sent += static_cast<double>(workload.flits_of(own));
    capacity += 1.0 / std::max(port.flit_ticks, port.adapter_ticks);
    ++senders;
  }
  if (senders > 0) {
    result.bandwidth /= static_cast<double>(senders);
    result.overall = sent / static_cast<double>(finish) / capacity;
  }
  result.bytes = engine.bytes();
  result.seconds = spent.seconds(engine);
  return result;
}

}  // namespace fatwood::sim
