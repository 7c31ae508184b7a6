// SPDX-License-Identifier: BSD-3-Clause
#include "sim/workload/program_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <queue>

#include "traffic/jobs/program.hpp"

namespace fatwood::sim {
namespace {

// One edge between two ports.
struct Stream {
  std::uint32_t transfer = 0;
  std::uint32_t dest = 0;
  std::uint64_t flits = 0;
  std::uint64_t chunk = 0;  // flits of a chunk but the last
  std::uint32_t sent = 0;   // chunks
  std::uint32_t arrived = 0;
  bool waits = false;  // for the slowest of its transfer

  std::uint32_t chunks() const { return static_cast<std::uint32_t>((flits + chunk - 1) / chunk); }
};

// A transfer under way.
struct Transfer {
  std::uint32_t program = 0;
  Op op = 0;
  std::uint32_t first = 0;  // its streams
  std::uint32_t size = 0;
  std::uint32_t chunks = 0;              // of its longest stream
  std::uint32_t floor = 0;               // chunks that all streams have delivered
  std::vector<std::uint32_t> delivered;  // streams that have delivered chunk k
  std::uint32_t open = 0;                // streams that have not ended
};

struct Running {
  explicit Running(const FlitProgram& program)
      : given(&program), waiting(*program.program), ready(program.program->size(), 0) {}

  const FlitProgram* given;
  ProgramWaits waiting;
  std::vector<std::uint32_t> waits;
  std::vector<Time> ready;  // of each operation: when the last it waits for was over
  std::size_t left = 0;
  Time begun = 0;
  Time last = 0;
  Time first_end = kNever;
  bool carries = false;                // something between hosts
  std::map<std::uint32_t, Time> free;  // of workers
};

class ProgramWorkload : public Workload, public Observer {
 public:
  ProgramWorkload(const Setup& setup, std::span<const FlitProgram> programs,
                  const ProgramOptions& options)
      : net_(setup.network),
        packet_flits_(setup.model.packet_flits),
        flit_bytes_(setup.model.flit_bytes),
        chunk_flits_(std::max<std::uint64_t>(1, options.chunk_bytes / setup.model.flit_bytes)),
        window_(std::max(1U, options.window)),
        endpoints_(net_.endpoints()) {
    for (const FlitProgram& program : programs) running_.emplace_back(program);
    open_ = running_.size();
    for (std::uint32_t p = 0; p < running_.size(); ++p) begin(p, 0);
    work_off();
    woken_.clear();
  }

  bool done() const { return open_ == 0; }
  std::size_t open() const { return open_; }
  Time first_end(std::size_t p) const { return running_[p].first_end; }

  Time next_at(Endpoint e) const override {
    const EndpointState& state = endpoints_[index(e)];
    if (!state.turn.empty()) return 0;
    return state.later.empty() ? kNever : state.later.top().first;
  }

  MessageSpec take(Endpoint e, Time now) override {
    EndpointState& state = endpoints_[index(e)];
    while (!state.later.empty() && state.later.top().first <= now) {
      state.turn.push_back(state.later.top().second);
      state.later.pop();
    }
    const std::uint32_t s = state.turn.front();
    state.turn.pop_front();
    Stream& stream = streams_[s];
    const std::uint64_t begin = stream.chunk * stream.sent;
    const std::uint64_t flits = std::min(stream.chunk, stream.flits - begin);
    ++stream.sent;
    if (stream.sent < stream.chunks()) {
      if (stream.sent < transfers_[stream.transfer].floor + window_) {
        state.turn.push_back(s);
      } else {
        stream.waits = true;
      }
    }
    state.in_flight.push_back(s);
    return {now, static_cast<Endpoint>(stream.dest), flits, 0};
  }

  // Both are called for the last packet of a message, this one first.
  void delivered(const Delivery& delivery) override {
    if (delivery.last) message_ = delivery.message;
  }
  std::span<const Endpoint> delivered(Endpoint source, Endpoint, Time now) override {
    woken_.clear();
    EndpointState& state = endpoints_[index(source)];
    const std::uint32_t s = state.in_flight[message_ - state.forgotten];
    state.in_flight[message_ - state.forgotten] = kNil;
    while (!state.in_flight.empty() && state.in_flight.front() == kNil) {
      state.in_flight.pop_front();
      ++state.forgotten;
    }
    arrived(s, now);
    work_off();
    return woken_;
  }

 private:
  using Later = std::pair<Time, std::uint32_t>;  // a stream and when it may start
  struct EndpointState {
    std::deque<std::uint32_t> turn;  // streams that may send
    std::priority_queue<Later, std::vector<Later>, std::greater<>> later;
    std::deque<std::uint32_t> in_flight;  // by message of the source, less those forgotten
    std::uint32_t forgotten = 0;
  };

  void begin(std::uint32_t p, Time now) {
    Running& running = running_[p];
    running.waits = running.waiting.counts();
    running.left = running.waits.size();
    running.begun = running.last = now;
    running.free.clear();
    std::fill(running.ready.begin(), running.ready.end(), now);
    if (running.left == 0) return ended(p);
    for (Op op = 0; op < running.waits.size(); ++op) {
      if (running.waits[op] == 0) startable_.emplace_back(p, op);
    }
  }

  void release(std::uint32_t p, std::span<const Op> ops, Time at) {
    Running& running = running_[p];
    for (const Op op : ops) {
      running.ready[op] = std::max(running.ready[op], at);
      if (--running.waits[op] == 0) startable_.emplace_back(p, op);
    }
  }

  void work_off() {
    while (!startable_.empty()) {
      const auto [p, op] = startable_.front();
      startable_.pop_front();
      start(p, op);
    }
  }

  void start(std::uint32_t p, Op op) {
    Running& running = running_[p];
    const Program& program = *running.given->program;
    Time at = running.ready[op];
    if (program.kind(op) == OpKind::kDelay) {
      const std::uint32_t worker = program.worker(op);
      if (worker != kNoWorker) at = std::max(at, running.free[worker]);
      const Time end = at + ticks(program.size_of(op));
      if (worker != kNoWorker) running.free[worker] = end;
      release(p, running.waiting.after_start(op), at);
      return finish(p, op, end);
    }
    release(p, running.waiting.after_start(op), at);
    if (!start_streams(p, op, at)) finish(p, op, at);
  }

  // False: it carries nothing.
  bool start_streams(std::uint32_t p, Op op, Time at) {
    const Program& program = *running_[p].given->program;
    const std::span<const Adapter> place = running_[p].given->at;
    Transfer transfer{p, op, static_cast<std::uint32_t>(streams_.size()), 0, 0, 0, {}, 0};
    const auto number = static_cast<std::uint32_t>(transfers_.size());
    std::vector<std::uint32_t> sources;
    for (const Edge& edge : program.edges(op)) {
      const Adapter from = place[edge.from];
      const Adapter to = place[edge.to];
      const double bytes = program.size_of(op) * edge.amount;
      if (from == to || bytes <= 0) continue;
      const auto pairs = net_.adapters.port_pairs(from, to);
      for (const auto& [source, dest] : pairs) {
        Stream stream;
        stream.transfer = number;
        stream.dest = index(dest);
        stream.flits = flits_of(bytes / static_cast<double>(pairs.size()));
        streams_.push_back(stream);
        sources.push_back(index(source));
      }
    }
    if (sources.empty()) return false;
    std::uint64_t most = 0;
    for (std::size_t s = transfer.first; s < streams_.size(); ++s) {
      most = std::max(most, streams_[s].flits);
    }
    const std::uint64_t chunks = (most + chunk_flits_ - 1) / chunk_flits_;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      Stream& stream = streams_[transfer.first + i];
      // Whole packets, so that cutting costs nothing.
      const std::uint64_t share = (stream.flits + chunks - 1) / chunks;
      stream.chunk = (share + packet_flits_ - 1) / packet_flits_ * packet_flits_;
      transfer.chunks = std::max(transfer.chunks, stream.chunks());
      endpoints_[sources[i]].later.emplace(at, static_cast<std::uint32_t>(transfer.first + i));
      source_of_.push_back(sources[i]);
      wake(sources[i]);
    }
    running_[p].carries = true;
    transfer.size = transfer.open = static_cast<std::uint32_t>(sources.size());
    transfer.delivered.assign(transfer.chunks, 0);
    transfers_.push_back(std::move(transfer));
    return true;
  }

  void arrived(std::uint32_t s, Time now) {
    Stream& stream = streams_[s];
    Transfer& transfer = transfers_[stream.transfer];
    std::uint32_t k = stream.arrived++;
    const bool over = stream.arrived == stream.chunks();
    // One with fewer chunks than the others keeps nobody waiting once it is over.
    do {
      ++transfer.delivered[k];
    } while (over && ++k < transfer.chunks);
    if (over && --transfer.open == 0) {
      transfer.delivered = {};
      return finish(transfer.program, transfer.op, now);
    }
    const std::uint32_t before = transfer.floor;
    while (transfer.floor < transfer.chunks &&
           transfer.delivered[transfer.floor] == transfer.size) {
      ++transfer.floor;
    }
    if (transfer.floor != before) let_go_on(transfer);
  }

  void let_go_on(const Transfer& transfer) {
    for (std::uint32_t s = transfer.first; s < transfer.first + transfer.size; ++s) {
      Stream& stream = streams_[s];
      if (!stream.waits || stream.sent >= transfer.floor + window_) continue;
      stream.waits = false;
      endpoints_[source_of_[s]].turn.push_back(s);
      wake(source_of_[s]);
    }
  }

  void finish(std::uint32_t p, Op op, Time at) {
    Running& running = running_[p];
    running.last = std::max(running.last, at);
    release(p, running.waiting.after_end(op), at);
    if (--running.left == 0) ended(p);
  }

  void ended(std::uint32_t p) {
    Running& running = running_[p];
    if (running.first_end == kNever) {
      running.first_end = running.last;
      --open_;
    }
    // One of delays alone would be repeated forever before anything else moves.
    if (running.given->repeated && running.carries && open_ > 0 && running.last > running.begun) {
      begin(p, running.last);
    }
  }

  void wake(std::uint32_t e) { woken_.push_back(static_cast<Endpoint>(e)); }

  std::uint64_t flits_of(double bytes) const {
    return std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::ceil(bytes / flit_bytes_ - 1e-9)));
  }
  Time ticks(double seconds) const {
    return static_cast<Time>(std::llround(seconds / net_.tick_seconds));
  }

  const Network& net_;
  const std::uint64_t packet_flits_;
  const double flit_bytes_;
  const std::uint64_t chunk_flits_;
  const std::uint32_t window_;
  std::vector<EndpointState> endpoints_;
  std::vector<Running> running_;
  std::size_t open_ = 0;
  std::deque<std::pair<std::uint32_t, Op>> startable_;
  std::vector<Transfer> transfers_;
  std::vector<Stream> streams_;
  std::vector<std::uint32_t> source_of_;  // of each stream
  std::uint32_t message_ = 0;
  std::vector<Endpoint> woken_;
};

}  // namespace

FlitRun run_programs(const Setup& setup, std::span<const FlitProgram> programs,
                     const ProgramOptions& options, const Progress& progress) {
  const Network& net = setup.network;
  ProgramWorkload workload(setup, programs, options);
  Engine engine(net, setup.model, setup.routes, setup.choice, setup.seed, workload, workload);
  FlitRun result;
  Time until = 0;
  while (!workload.done() && !engine.idle() && !result.deadlock) {
    until += Time{20000} * net.cycle;
    engine.run(until);
    result.deadlock = engine.deadlock();
    report(progress,
           1 - static_cast<double>(workload.open()) / static_cast<double>(programs.size()),
           fmt::format("{} cycles", engine.now() / net.cycle));
  }
  for (std::size_t p = 0; p < programs.size(); ++p) {
    const Time end = workload.first_end(p);
    result.seconds.push_back(end == kNever ? std::numeric_limits<double>::infinity()
                                           : static_cast<double>(end) * net.tick_seconds);
  }
  result.counters = engine.counters();
  return result;
}

}  // namespace fatwood::sim
