// SPDX-License-Identifier: BSD-3-Clause
#include "routing/even/even_jobs.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/time_limit.hpp"

namespace fatwood {

EvenJobs::EvenJobs(const Model& model, const EvenNet& net, const EvenWindows& windows,
                   ShiftContention& contention, std::uint32_t shared,
                   std::span<const std::uint32_t> rank, std::span<const std::uint32_t> descending,
                   ForwardingTables& tables, std::uint64_t work, float near)
    : net_(net),
      contention_(contention),
      shared_(shared),
      rank_(rank),
      tables_(tables),
      rows_(windows.rows()),
      loads_(model, net, windows, rank, descending, near),
      most_looks_(work * net.size() * net.num_terminals()) {
  if (!loads_.fits()) return;
  hops_.assign(net.size(), 0);
  hops_of_.assign(net.size(), 0);
  behind_.assign(net.size() * rows_, 0);
  whole_behind_.assign(net.size(), 0);
  sources_behind_.resize(net.size());
  count();
}

void EvenJobs::begin(std::uint32_t source, const EvenDestination& to) {
  at_ = net_.sources()[source].at;
  row_ = tables_.row(to.destination);
  ++version_;
  hops_of_[at_] = version_;
  hops_[at_] = 0;
  loads_.begin(to.number);
  terminal_ = to.number;
}

// Moves do not change it.
std::uint32_t EvenJobs::hops(std::uint32_t s) {
  if (hops_of_[s] != version_) {
    hops_of_[s] = version_;
    hops_[s] = hops(next(s)) + 1;
  }
  return hops_[s];
}

void EvenJobs::count() {
  const auto sources = static_cast<std::uint32_t>(net_.sources().size());
  for (std::uint32_t i = 0; i < sources; ++i) {
    for (const EvenDestination& to : net_.sources()[i].destinations) {
      begin(i, to);
      for (std::uint32_t k = 0; k < sources; ++k) {
        if (k == i) continue;
        loads_.gather(loads_.own(k), 0);
        if (loads_.parts().empty()) continue;
        for (std::uint32_t s = net_.sources()[k].at; s != at_; s = next(s))
          loads_.add(slot_of(s), 1);
      }
    }
  }
}

bool EvenJobs::is_congested(std::uint32_t first) const {
  if (contention_.empty()) return false;
  for (std::uint32_t slot = first;; slot = slot_of(net_.next(slot))) {
    if (contention_.reaches(net_.channel[slot].number, shifts_, shared_)) return true;
    if (net_.next(slot) == at_) return false;
  }
}

// Sets candidates_ to the other legal ports of s whose first link costs less than `most`, the
// cheapest first.
void EvenJobs::find_candidates(std::uint32_t s, float most) {
  candidates_.clear();
  const bool up = goes_up(s, row_[s]);
  const bool sends = net_.source_at(s) != kNobody;
  for (const Port port : net_.cabled_ports(s)) {
    if (port == row_[s]) continue;
    const bool rises = goes_up(s, port);
    if (rises ? !up : up && !sends) continue;
    const std::uint32_t slot = net_.slot(s, port);
    const std::uint32_t to = net_.next(slot);
    if (hops(to) + 1 != hops(s)) continue;
    if (!rises && to != at_ && goes_up(to, row_[to])) continue;
    const float cost = price(slot);
    if (cost < most) candidates_.push_back({cost, port});
  }
  std::ranges::sort(candidates_, {}, [](const Candidate& c) { return std::pair(c.cost, c.port); });
}

// REQUIRES that the flows are taken from the present path.
Port EvenJobs::choose(std::uint32_t s) {
  float best = 0;
  for (std::uint32_t u = s; u != at_; u = next(u)) best += price(slot_of(u));
  best *= kGain;
  Port chosen = row_[s];
  find_candidates(s, best);
  for (const auto& [first, port] : candidates_) {
    if (first >= best) break;
    const std::uint32_t slot = net_.slot(s, port);
    float sum = first;
    for (std::uint32_t u = net_.next(slot); u != at_ && sum < best; u = next(u)) {
      sum += price(slot_of(u));
    }
    if (sum >= best || is_congested(slot)) continue;
    best = sum;
    chosen = port;
  }
  return chosen;
}

bool EvenJobs::improve(std::uint32_t s) {
  bool hot = false;
  for (std::uint32_t u = s; u != at_ && !hot; u = next(u)) hot = loads_.is_hot(slot_of(u));
  if (!hot) return false;
  find_shifts(s);
  for (std::uint32_t u = s; u != at_; u = next(u)) {
    loads_.add(slot_of(u), -1);
    contention_.take(net_.channel[slot_of(u)].number, shifts_);
  }
  const Port port = choose(s);
  const bool moved = port != row_[s];
  if (moved) move(s, port);
  for (std::uint32_t u = s; u != at_; u = next(u)) {
    loads_.add(slot_of(u), 1);
    contention_.add(net_.channel[slot_of(u)].number, shifts_);
  }
  return moved;
}

// Changes the entry, and what is behind the switches of both paths.
void EvenJobs::move(std::uint32_t s, Port port) {
  std::vector<std::uint32_t> moving = sources_behind_[s];
  if (net_.source_at(s) != kNobody) moving.push_back(net_.source_at(s));
  for (std::uint32_t u = next(s); u != at_; u = next(u)) {
    for (const EvenJobLoads::Part& part : loads_.parts()) behind(u)[part.row] -= part.flows;
    whole_behind_[u] -= loads_.whole();
    std::erase_if(sources_behind_[u],
                  [&](std::uint32_t k) { return std::ranges::find(moving, k) != moving.end(); });
  }
  row_[s] = port;
  for (std::uint32_t u = next(s); u != at_; u = next(u)) {
    for (const EvenJobLoads::Part& part : loads_.parts()) behind(u)[part.row] += part.flows;
    add_behind(u, moving);
    whole_behind_[u] += loads_.whole();
  }
}

void EvenJobs::add_behind(std::uint32_t s, std::span<const std::uint32_t> sources) {
  std::vector<std::uint32_t>& list = sources_behind_[s];
  if (list.empty()) touched_.push_back(s);
  list.insert(list.end(), sources.begin(), sources.end());
}

void EvenJobs::find_behind(std::uint32_t home, const EvenDestination& to) {
  for (const std::uint32_t s : touched_) {
    std::fill_n(behind(s), rows_, 0.0F);
    whole_behind_[s] = 0;
    sources_behind_[s].clear();
  }
  touched_.clear();
  for (std::uint32_t k = 0; k < net_.sources().size(); ++k) {
    if (k == home) continue;
    const std::span<const float> own = loads_.own(k);
    for (std::uint32_t u = next(net_.sources()[k].at); u != at_; u = next(u)) {
      add_behind(u, {&k, 1});
      whole_behind_[u] += sent(k, to);
      float* const all = behind(u);
      for (std::uint32_t r = 0; r < rows_; ++r) all[r] += own[r];
    }
  }
}

void EvenJobs::find_shifts(std::uint32_t s) {
  shifts_.clear();
  if (contention_.empty()) return;
  for (const std::uint32_t k : sources_behind_[s]) {
    contention_.add_windows(net_.sources()[k], terminal_, shifts_);
  }
  if (const std::uint32_t k = net_.source_at(s); k != kNobody) {
    contention_.add_windows(net_.sources()[k], terminal_, shifts_);
  }
}

// Destinations begin with different sources: else the same ones would always choose first.
std::uint64_t EvenJobs::improve_sources(std::uint32_t home, const EvenDestination& to) {
  std::uint64_t moved = 0;
  const auto sources = static_cast<std::uint32_t>(net_.sources().size());
  const std::uint32_t first = to.number * 0x9e37U % sources;
  for (std::uint32_t j = 0; j < sources; ++j) {
    const std::uint32_t k = first + j < sources ? first + j : first + j - sources;
    const std::uint32_t s = net_.sources()[k].at;
    if (k == home || !sources_behind_[s].empty()) continue;
    loads_.gather(loads_.own(k), sent(k, to));
    if (improve(s)) ++moved;
  }
  return moved;
}

// First switches where traffic goes up, from the lowest; then those where it goes down.
std::uint64_t EvenJobs::improve_transit(const EvenDestination& to) {
  std::uint64_t moved = 0;
  std::vector<std::uint32_t> transit = touched_;
  std::ranges::sort(transit, std::greater{}, [&](std::uint32_t s) { return rank_[s]; });
  std::vector<float> all(rows_);
  for (const bool up : {true, false}) {
    for (const std::uint32_t s : transit) {
      if (sources_behind_[s].empty() || goes_up(s, row_[s]) != up) continue;
      std::copy_n(behind(s), rows_, all.begin());
      float whole = whole_behind_[s];
      if (const std::uint32_t k = net_.source_at(s); k != kNobody) {
        whole += sent(k, to);
        for (std::uint32_t r = 0; r < rows_; ++r) all[r] += loads_.own(k)[r];
      }
      loads_.gather(all, whole);
      if (improve(s)) ++moved;
    }
  }
  return moved;
}

std::uint64_t EvenJobs::pass() {
  std::uint64_t moved = 0;
  if (!fits()) return moved;
  for (std::uint32_t i = 0; i < net_.sources().size(); ++i) {
    check_time();
    for (const EvenDestination& to : net_.sources()[i].destinations) {
      if (looks_ >= most_looks_) return moved;
      begin(i, to);
      find_behind(i, to);
      moved += improve_sources(i, to);
      moved += improve_transit(to);
    }
  }
  return moved;
}

}  // namespace fatwood
