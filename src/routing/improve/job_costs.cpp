// SPDX-License-Identifier: BSD-3-Clause
#include "routing/improve/job_costs.hpp"

#include <algorithm>
#include <functional>

#include "core/time_limit.hpp"
#include "routing/even/even_cuts.hpp"

namespace fatwood {

JobCosts::JobCosts(TablesInUse& in_use, std::span<const Terminal> host_order)
    : in_use_(in_use),
      map_(in_use.model().hop_map()),
      graph_(in_use.model().port_graph()),
      moves_(in_use),
      up_down_(in_use.model().port_graph(), in_use.model().levels()),
      net_(in_use.model(), up_down_, in_use.tables(), {}),
      windows_(in_use.model(), net_, host_order, EvenWindows::kOffsets / 2),
      source_(in_use.tables().num_destinations()),
      to_(in_use.tables().num_destinations(), nullptr) {
  for (const Switch s : ids<Switch>(net_.size())) rank_.push_back(up_down_.position()[s]);
  for (auto s = up_down_.ascending().rbegin(); s != up_down_.ascending().rend(); ++s) {
    descending_.push_back(index(*s));
  }
  for (std::uint32_t i = 0; i < net_.sources().size(); ++i) {
    for (const EvenDestination& to : net_.sources()[i].destinations) {
      source_[to.destination] = i;
      to_[to.destination] = &to;
    }
  }
  if (windows_.rows() == 0) return;
  count_whole();
  EvenCuts(in_use.model(), up_down_, net_).set_limits(0, 0, net_);
  loads_.emplace(in_use.model(), net_, windows_, rank_, descending_);
  if (loads_->fits()) count_windows();
}

std::vector<JobCosts::LinkCost> JobCosts::by_cost() const {
  std::vector<LinkCost> links;
  for (std::uint32_t s = 0; s < net_.size(); ++s) {
    for (const Port port : net_.cabled_ports(s)) {
      links.push_back({loads_->cost(net_.slot(s, port)), s, port});
    }
  }
  std::ranges::stable_sort(links, std::ranges::greater{}, &LinkCost::cost);
  return links;
}

void JobCosts::look_at(Destination destination, std::uint32_t at) {
  destination_ = destination;
  row_ = in_use_.tables().row(destination);
  plain_ = in_use_.kind(destination) == RowKind::kPlain;
  at_ = at;
}

void JobCosts::begin(Destination destination) {
  look_at(destination, net_.sources()[source_[destination]].at);
  loads_->begin(to_[destination]->number);
}

std::vector<std::uint32_t> JobCosts::behind(std::uint32_t at) const {
  std::vector<std::uint32_t> found;
  for (const EvenSource& source : net_.sources()) {
    if (source.at == at_ || !arrives(source.at)) continue;
    const std::size_t before = found.size();
    std::uint32_t u = source.at;
    for (; u != at && u != at_; u = next(u)) found.push_back(u);
    if (u == at_) {
      found.resize(before);
    } else {
      found.push_back(at);
    }
  }
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

bool JobCosts::arrives(std::uint32_t s) const {
  if (plain_) return row_[s] != kNoRoute;
  bool down = false;
  while (s != at_) {
    if (row_[s] == kNoRoute || !map_.at(s, row_[s]).to_switch()) return false;
    const std::uint32_t to = next(s);
    const bool up = rank_[to] < rank_[s];
    if (up && down) return false;
    down = !up;
    s = to;
  }
  return true;
}

std::uint32_t JobCosts::hops(std::uint32_t s) const {
  std::uint32_t count = 0;
  for (; s != at_; s = next(s)) ++count;
  return count;
}

bool JobCosts::has_transit(std::uint32_t s) const {
  return std::ranges::any_of(graph_.neighbours(Switch{s}), [&](Switch n) {
    return index(n) != at_ && moves_.leads_to(row_, index(n), s);
  });
}

template <class Visit>
void JobCosts::each_row(const Visit& visit) {
  for (const EvenSource& source : net_.sources()) {
    check_time();
    for (const EvenDestination& to : source.destinations) {
      look_at(to.destination, source.at);
      visit(to);
    }
  }
}

void JobCosts::count_whole() {
  each_row([&](const EvenDestination& to) {
    for (std::uint32_t k = 0; k < net_.sources().size(); ++k) {
      const std::uint32_t from = net_.sources()[k].at;
      if (from == at_ || !arrives(from)) continue;
      for (std::uint32_t u = from; u != at_; u = next(u)) {
        net_.channel[slot_of(u)].load += net_.sent(k, to.kind);
      }
    }
  });
}

void JobCosts::count_windows() {
  each_row([&](const EvenDestination& to) {
    loads_->begin(to.number);
    for (std::uint32_t k = 0; k < net_.sources().size(); ++k) {
      const std::uint32_t from = net_.sources()[k].at;
      if (from == at_) continue;
      loads_->gather(loads_->own(k), 0);
      if (!loads_->parts().empty() && arrives(from)) add_path(from, 1);
    }
  });
}

void JobCosts::add_path(std::uint32_t s, float sign) {
  for (std::uint32_t u = s; u != at_; u = next(u)) loads_->add(slot_of(u), sign);
}

bool JobCosts::gather(std::uint32_t s) {
  if (!arrives(s)) return false;
  const bool transit = has_transit(s);
  if (!transit && net_.source_at(s) == kNobody) return false;
  flows_.assign(loads_->rows(), 0);
  float whole = 0;
  const auto take = [&](std::uint32_t k) {
    const std::span<const float> own = loads_->own(k);
    for (std::size_t r = 0; r < own.size(); ++r) flows_[r] += own[r];
    whole += static_cast<float>(net_.sent(k, to_[destination_]->kind));
  };
  if (const std::uint32_t k = net_.source_at(s); k != kNobody) take(k);
  for (std::uint32_t k = 0; transit && k < net_.sources().size(); ++k) {
    std::uint32_t u = net_.sources()[k].at;
    if (u == s || u == at_ || !arrives(u)) continue;
    while (u != s && u != at_) u = next(u);
    if (u == s) take(k);
  }
  loads_->gather(flows_, whole);
  return whole > 0;
}

JobCosts::Best JobCosts::best(std::uint32_t s) {
  if (!moves_.may_move(destination_, s) || !gather(s)) return {};
  bool hot = false;
  for (std::uint32_t u = s; u != at_ && !hot; u = next(u)) hot = loads_->is_hot(slot_of(u));
  if (!hot) return {};
  add_path(s, -1);
  const Best found = choose(s);
  add_path(s, 1);
  return found;
}

// REQUIRES that the flows are taken from the present path.
JobCosts::Best JobCosts::choose(std::uint32_t s) const {
  float old = 0;
  for (std::uint32_t u = s; u != at_; u = next(u)) old += loads_->added(slot_of(u));
  float best = old * kGain;
  Best found;
  moves_.each_port(destination_, s, [&](std::uint32_t n, Port port) {
    if (!arrives(n) || hops(n) >= hops(s)) return;
    float sum = loads_->added(net_.slot(s, port));
    for (std::uint32_t u = n; u != at_ && sum < best; u = next(u)) sum += loads_->added(slot_of(u));
    if (sum >= best) return;
    best = sum;
    found = {old - sum, port};
  });
  return found;
}

void JobCosts::move(std::uint32_t s, Port port) {
  add_path(s, -1);
  const EntryChange change{destination_, Switch{s}, port};
  in_use_.apply(std::span(&change, 1));
  row_ = in_use_.tables().row(destination_);
  add_path(s, 1);
}

}  // namespace fatwood
