// SPDX-License-Identifier: BSD-3-Clause
// Runs the engine's parts, one after the other or on several threads, window by window.

#include "sim/engine/engine.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <ctime>
#include <exception>
#include <thread>

#include "sim/engine/barrier.hpp"
#include "sim/engine/partition.hpp"

namespace fatwood::sim {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Counters& Counters::operator+=(const Counters& other) {
  flits_injected += other.flits_injected;
  flits_delivered += other.flits_delivered;
  packets_delivered += other.packets_delivered;
  messages_begun += other.messages_begun;
  messages_delivered += other.messages_delivered;
  packets_discarded += other.packets_discarded;
  flits_discarded += other.flits_discarded;
  packets_looping += other.packets_looping;
  flit_hops += other.flit_hops;
  events += other.events;
  return *this;
}

// The ports of a part: few enough that what a tick touches of them is in the cache when it is
// needed again, so many that their events are more work than another calendar. Measured: 1,500 are
// 15% slower, 4,000 and 10,000 about the same.
constexpr std::size_t kPortsOfPart = 10000;
constexpr unsigned kMostParts = 1024;

Engine::Split Engine::split(const Network& network, const Routes& routes, const Workload& workload,
                            Observer& observer, unsigned threads, unsigned parts) {
  // Whether what happens at one endpoint stays there within a tick.
  if (!workload.is_local() || routes.changes()) return {};
  threads = std::clamp(threads, 1U, std::min(kMostParts, static_cast<unsigned>(network.switches)));
  if (threads > 1 && observer.of_thread(0, threads) == nullptr) threads = 1;
  const std::size_t own = parts != 0 ? parts : network.ports.size() / kPortsOfPart / threads;
  return {threads, static_cast<unsigned>(std::clamp<std::size_t>(own, 1, kMostParts / threads))};
}

Engine::Engine(const Network& network, const Model& model, const Routes& routes, PathChoice choice,
               std::uint64_t seed, Workload& workload, Observer& observer, unsigned threads,
               unsigned parts)
    : split_(split(network, routes, workload, observer, threads, parts)),
      state_(network, model, routes, choice, seed, workload,
             partition(network, split_.threads * split_.parts), split_.threads),
      packets_(state_.packets.cells()),
      messages_(state_.messages.cells()),
      lookahead_(lookahead(network, state_.part_of)) {
  for (unsigned thread = 0; thread < split_.threads; ++thread) {
    Observer& own = split_.threads == 1 ? observer : *observer.of_thread(thread, split_.threads);
    threads_.push_back(
        std::make_unique<EngineThread>(state_, thread, split_.threads, split_.parts, own));
    for (const auto& part : threads_.back()->parts()) parts_.push_back(part.get());
  }
  exchange_.seconds.assign(split_.threads, 0);
}

// What the threads of a run share. Two of all that one thread writes and others read, for windows
// of either parity: so one meeting a window is enough.
struct Engine::Windows {
  Windows(unsigned threads, Time end) : until(end), barrier(threads), error(threads) {
    for (auto& times : next) times.resize(threads);
  }
  struct alignas(64) Next {
    Time at = kNever;
  };
  const Time until;
  Barrier barrier;
  std::array<std::vector<Next>, 2> next;  // by thread: its first event after the window
  std::vector<std::exception_ptr> error;  // by thread: it does nothing after one
};

void Engine::run(Time until) {
  if (parts_.size() == 1) {
    threads_.front()->run(until);
  } else {
    run_windows(until);
  }
  assert(imbalance().empty());
}

void Engine::run_windows(Time until) {
  if (until <= now()) return;
  Windows windows(threads(), until);
  std::vector<std::thread> others;
  for (unsigned number = 1; number < threads(); ++number) {
    others.emplace_back([&, number] {
      const double start = thread_seconds();
      run_thread(number, windows);
      exchange_.seconds[number] += thread_seconds() - start;
    });
  }
  run_thread(0, windows);
  for (std::thread& thread : others) thread.join();
  exchange_.packets = exchange_.credits = 0;
  for (const auto& thread : threads_) {
    exchange_.packets += thread->packets_sent();
    exchange_.credits += thread->credits_sent();
  }
  for (const std::exception_ptr& error : windows.error) {
    if (error) std::rethrow_exception(error);
  }
}

// What is put into boxes in a window is taken in before the next: it is due no sooner (lookahead).
// Windows in which nothing happens anywhere are left out.
void Engine::run_thread(unsigned number, Windows& windows) {
  EngineThread& own = *threads_[number];
  const auto guarded = [&](const auto& work) {
    try {
      if (!windows.error[number]) work();
    } catch (...) {
      windows.error[number] = std::current_exception();
    }
  };
  unsigned parity = 0;
  Time begin = own.now() + 1;
  std::uint64_t count = 0;
  while (begin <= windows.until) {
    const Time last = windows.until - begin < lookahead_ ? windows.until : begin + lookahead_ - 1;
    own.write_to(parity);
    guarded([&] { own.run(last); });
    windows.next[parity][number].at = windows.error[number] ? kNever : own.next_event();
    if (threads() > 1) windows.barrier.wait();
    Time next = kNever;
    for (const Windows::Next& other : windows.next[parity]) next = std::min(next, other.at);
    guarded([&] {
      for (const auto& other : threads_) own.receive(*other, parity);
    });
    parity ^= 1U;
    begin = std::max(last + 1, next);
    ++count;
  }
  guarded([&] { own.run(windows.until); });  // nothing happens until then, but time passes
  if (number == 0) exchange_.windows += count;
}

bool Engine::idle() const {
  return std::ranges::all_of(parts_, [](const EnginePart* part) { return part->wheel().empty(); });
}

Time Engine::last_delivery() const {
  Time last = 0;
  for (const EnginePart* part : parts_) last = std::max(last, part->last_delivery());
  return last;
}

Counters Engine::counters() const {
  Counters sum;
  for (const EnginePart* part : parts_) sum += part->counters();
  return sum;
}

std::size_t Engine::bytes() const {
  const auto of = [](const auto& v) { return v.size() * sizeof(v[0]); };
  std::uint64_t events = 0;
  std::uint64_t packets = 0;
  for (const EnginePart* part : parts_) {
    events += part->wheel().pending();
    part->wheel().for_each([&](Time, TimeWheel::Event event) {
      const EnginePart::Kind kind = EnginePart::kind_of(event);
      const bool in_lane = state_.model.queueing == Queueing::kFifo;
      if (kind == EnginePart::Kind::kDeliver) ++packets;
      if (kind == EnginePart::Kind::kRequest && !in_lane) ++packets;
    });
  }
  const auto count = [&](std::uint32_t head) {
    for (std::uint32_t p = head; p != kNil; p = packets_[p].next) ++packets;
  };
  for (std::uint32_t lane = 0; lane < state_.in.size(); ++lane) {
    count(state_.in[lane].head);
    if (state_.is_lane(lane)) count(state_.out(lane).head);
  }
  return of(state_.cells) + of(state_.in) + of(state_.times) + of(state_.sink_free) +
         of(state_.masks) + of(state_.turns) + of(state_.sources) + of(state_.random) +
         of(state_.path_turn) + packets * (sizeof(Packet) + sizeof(Message)) +
         events * sizeof(TimeWheel::Event);
}

}  // namespace fatwood::sim
