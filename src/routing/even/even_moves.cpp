// SPDX-License-Identifier: BSD-3-Clause
#include "routing/even/even_moves.hpp"

#include <algorithm>

namespace fatwood {

EvenMoves::EvenMoves(EvenNet& net, ShiftContention& contention, std::span<const std::uint32_t> rank,
                     std::span<const std::uint32_t> descending)
    : net_(net),
      contention_(contention),
      rank_(rank),
      traffic_(net, descending),
      over_((net.channel.size() + 63) / 64),
      own_weight_(net.size()),
      onward_(net.size()),
      hops_(net.size(), kNobody),
      best_(net.size()) {
  first_.push_back(0);
  place_.resize(net.channel.size());
  group_.resize(net.channel.size());
  for (std::uint32_t s = 0; s < net.size(); ++s) {
    const std::span<const Port> ports = net.cabled_ports(s);
    ports_.insert(ports_.end(), ports.begin(), ports.end());
    const auto first = ports_.end() - static_cast<std::ptrdiff_t>(ports.size());
    const auto up =
        std::stable_partition(first, ports_.end(), [&](Port p) { return !goes_up(s, p); });
    downs_.push_back(static_cast<std::uint32_t>(up - first));
    first_.push_back(static_cast<std::uint32_t>(ports_.size()));
    for (std::uint32_t i = 0; i < ports.size();) {
      std::uint32_t k = i + 1;
      while (k < ports.size() && next(s, first[k]) == next(s, first[i])) ++k;
      for (std::uint32_t j = i; j < k; ++j) {
        place_[net.slot(s, first[j])] = static_cast<std::uint8_t>(j);
        group_[net.slot(s, first[j])] = {static_cast<std::uint8_t>(i),
                                         static_cast<std::uint8_t>(k - i)};
      }
      i = k;
    }
  }
  double sum = 0;
  for (std::uint32_t i = 0; i < net.sources().size(); ++i) {
    if (net.all_to_all()) sum += static_cast<double>(net.sent(i, 0));
  }
  bundle_ = std::max(1.0F, static_cast<float>(sum / static_cast<double>(net.sources().size())));
  price_.resize(net.channel.size());
  part_.resize(net.channel.size());
}

void EvenMoves::begin_pass(const Pass& pass) {
  pass_ = pass;
  ++homes_;
  for (std::uint32_t slot = 0; slot < net_.channel.size(); ++slot) {
    const EvenChannel& channel = net_.channel[slot];
    if (channel.next == kNobody) continue;
    // Where a bundle is a large part of a target load, steeper prices would let nothing move.
    part_[slot] = channel.least > 0
                      ? std::min(pass.steepness / channel.least,
                                 kMostSteep / bundle_ *
                                     static_cast<float>(static_cast<double>(net_.fastest()) /
                                                        static_cast<double>(net_.capacity(slot))))
                      : 0;
    set_load(slot, channel.load);
  }
}

std::size_t EvenMoves::rebalance(std::uint32_t at, const EvenDestination& to, std::span<Port> row) {
  bool hot = false;
  traffic_.follow(row.data(), at, to,
                  [&](std::uint32_t slot, std::uint64_t) { hot = hot || is_over(slot); });
  if (!hot) return 0;
  begin(at, to, row);
  // Destinations in a row begin with sources far apart: else all of them would send the same
  // leaf's flows the same way.
  const std::uint32_t part = (to.number + 3 * pass_.number) * 0x9e37U & 0xffffU;
  column_ = part;
  std::size_t moved = 0;
  bundles_.assign(traffic_.touched().begin(), traffic_.touched().end());
  for (const std::uint32_t u : bundles_) {
    if (u != at && traffic_.arrived(u) != 0) moved += relieve_at(u) ? 1U : 0U;
  }
  net_.each_sender_from(part, at, to, [&](std::uint32_t source, std::uint64_t) {
    const std::uint32_t s = net_.sources()[source].at;
    if (traffic_.arrived(s) == 0) moved += relieve_at(s) ? 1U : 0U;
  });
  end();
  return moved;
}

bool EvenMoves::relieve_at(std::uint32_t s) {
  if (is_over(slot_of(s)) && try_parallel(s)) return true;
  const Onward& onward = onwards(s);
  if (!onward.hot) return false;
  const bool up = goes_up(s, row_[s]) || sends(s);
  if (!up && group_[slot_of(s)].count == 1) return false;
  const bool cheaper = !up || best(s, onward.hops).price <= gain() * onward.price;
  if (cheaper && try_move(s, up)) return true;
  return up && pass_.longer > 0 && traffic_.arrived(s) == 0 && try_longer(s, onward.hops);
}

bool EvenMoves::try_longer(std::uint32_t s, std::uint32_t hops) {
  const std::uint32_t most = least_hops(s, at_) + pass_.longer;
  for (++hops; hops <= most; ++hops) {
    longer_ = hops - onwards(s).hops;
    const bool moved = try_move(s, true);
    longer_ = 0;
    if (moved) return true;
  }
  return false;
}

void EvenMoves::note_lengths(const ForwardingTables& tables) {
  const std::size_t sources = net_.sources().size();
  least_hops_.assign(sources * sources, kMostHops);
  for (const EvenSource& to : net_.sources()) {
    for (const EvenDestination& destination : net_.destinations(to.at)) {
      const std::span<const Port> row = tables.row(destination.destination);
      for (const EvenSource& from : net_.sources()) {
        std::uint8_t hops = 0;
        for (std::uint32_t u = from.at; u != to.at && hops < kMostHops; ++hops) {
          u = next(u, row[u]);
        }
        std::uint8_t& least =
            least_hops_[net_.source_at(from.at) * sources + net_.source_at(to.at)];
        least = std::min(least, hops);
      }
    }
  }
}

bool EvenMoves::try_parallel(std::uint32_t s) {
  const Parallel& group = group_[slot_of(s)];
  if (group.count == 1) return false;
  const Port least = least_parallel(s);
  weight_ = own_weight_[s] + traffic_.arrived(s);
  moving_ = static_cast<float>(weight_);
  if (least == row_[s] || price(net_.slot(s, least), 1) >= gain() * price(slot_of(s), -1)) {
    return false;
  }
  moved_ = s;
  windows_known_ = false;
  path_.steps[0] = {s, least};
  path_.size = 1;
  most_ = shared_off(net_.channel[slot_of(s)]);
  if (is_congested()) return false;
  apply(s);
  return true;
}

// Moves in this row make it a guess.
const EvenMoves::Onward& EvenMoves::onwards(std::uint32_t s) {
  Onward& onward = onward_[s];
  if (onward.row == rows_) return onward;
  onward = {rows_, 0, 0, false};
  if (s == at_) return onward;
  const std::uint32_t slot = slot_of(s);
  const Onward& rest = onwards(net_.next(slot));
  onward = {rows_, rest.hops + 1, price_[slot] + rest.price, rest.hot || is_over(slot)};
  return onward;
}

std::size_t EvenMoves::spread_shifts(const CongestedRow& congested, std::span<Port> row,
                                     std::uint32_t least) {
  const auto& [at, to, sources] = congested;
  traffic_.follow(row.data(), at, to, [](std::uint32_t, std::uint64_t) {});
  begin(at, to, row);
  most_ = least - 1;
  std::size_t moved = 0;
  for (const std::uint32_t source : sources) {
    const std::uint32_t s = net_.sources()[source].at;
    if (traffic_.arrived(s) != 0 || !sends(s)) continue;
    walk(s);
    find_behind(s);
    std::size_t contention = 0;
    while (contention + 1 < old_.size() &&
           !contention_.reaches(net_.channel[slot_of(old_[contention])].number, windows_, least)) {
      ++contention;
    }
    if (contention + 1 < old_.size() && try_spread(s, contention)) ++moved;
  }
  end();
  return moved;
}

void EvenMoves::begin(std::uint32_t at, const EvenDestination& to, std::span<Port> row) {
  if (at != at_ || homes_ == 0) ++homes_;
  at_ = at;
  to_ = &to;
  row_ = row;
  ++rows_;
  if (!net_.all_to_all()) {
    net_.each_sender(at, to, [&](std::uint32_t source, std::uint64_t weight) {
      own_weight_[net_.sources()[source].at] = weight;
    });
  } else if (to.kind != kind_) {
    kind_ = to.kind;
    for (std::uint32_t i = 0; i < net_.sources().size(); ++i) {
      own_weight_[net_.sources()[i].at] = net_.sent(i, kind_);
    }
  }
}

void EvenMoves::end() {
  if (net_.all_to_all()) return;
  net_.each_sender(at_, *to_, [&](std::uint32_t source, std::uint64_t) {
    own_weight_[net_.sources()[source].at] = 0;
  });
}

void EvenMoves::walk(std::uint32_t s) {
  for (const std::uint32_t u : old_) hops_[u] = kNobody;
  old_.clear();
  for (; s != at_; s = next(s, row_[s])) old_.push_back(s);
  old_.push_back(at_);
  for (std::size_t i = 0; i < old_.size(); ++i) {
    hops_[old_[i]] = static_cast<std::uint32_t>(old_.size() - 1 - i);
  }
}

void EvenMoves::find_behind(std::uint32_t s) {
  windows_.clear();
  windows_known_ = true;
  if (contention_.empty()) return;
  const auto visit = [&](const auto& self, std::uint32_t u) -> void {
    if (sends(u)) {
      contention_.add_windows(net_.sources()[net_.source_at(u)], to_->number, windows_);
    }
    if (traffic_.arrived(u) == 0) return;
    std::uint32_t last = kNobody;
    for (const Port port : net_.cabled_ports(u)) {
      const std::uint32_t other = next(u, port);
      if (other == last) continue;  // by several cables
      last = other;
      if (other != at_ && next(other, row_[other]) == u) self(self, other);
    }
  };
  visit(visit, s);
}

bool EvenMoves::try_move(std::uint32_t s, bool up) {
  weight_ = own_weight_[s] + traffic_.arrived(s);
  moving_ = static_cast<float>(weight_);
  most_ = pass_.shared;
  float most = 0;
  float steep = part_[slot_of(s)];
  std::uint32_t hops = 0;
  for (std::uint32_t u = s; u != at_; ++hops) {
    const std::uint32_t slot = slot_of(u);
    most += price(slot, -1);
    steep = std::min(steep, part_[slot]);
    most_ = std::max(most_, shared_off(net_.channel[slot]));
    u = net_.next(slot);
  }
  hops += longer_;
  if (hops >= kMostHops) return false;
  if (up) {
    most *= gain() / mean_price_exp(moving_ * steep);
    if (best(s, hops).price >= most) return false;
  }
  walk(s);
  moved_ = s;
  windows_known_ = false;
  hops_[s] = kNobody - 1;  // no path leads back
  const auto first = first_place(s);
  const auto end = goes_up(s, row_[s]) ? first_[s + 1] - first_[s] : downs_[s];
  if (first >= end) return false;
  std::uint32_t congested = 0;
  bool moved = any_port(s, first, end, first + column_ % (end - first), [&](Port port) {
    const std::uint32_t slot = net_.slot(s, port);
    if (port == row_[s] || price_[slot] >= most) return false;
    if (pass_.within && net_.channel[slot].load + weight_ > net_.channel[slot].limit) return false;
    const std::uint32_t u = net_.next(slot);
    const float rest = most - price_[slot];
    if (up && price_onwards(u, hops - 1, rank_[u] < rank_[s], rest) >= rest) return false;
    if (!lay(s, port) || (pass_.within && !is_within_limits())) return false;
    if (!is_cheaper()) {
      // Moves have filled it since it was found.
      for (std::size_t i = 1; i < path_.size; ++i) best_[path_.steps[i].at].home = 0;
      return false;
    }
    if (is_congested()) return ++congested == kCongested && !pass_.patient;
    column_ = place_[slot] - first;
    return true;
  });
  moved = moved && (congested < kCongested || pass_.patient);
  if (moved) apply(s);
  return moved;
}

// REQUIRES walk(s).
bool EvenMoves::try_spread(std::uint32_t s, std::size_t leave) {
  if (old_.size() > kMostHops || !goes_up(s, row_[s])) return false;
  weight_ = own_weight_[s] + traffic_.arrived(s);
  moved_ = s;
  windows_known_ = false;
  hops_[s] = kNobody - 1;
  const std::uint32_t first = downs_[s];
  const std::uint32_t end = first_[s + 1] - first_[s];
  const std::size_t meets_below = old_.size() - 1 - leave;
  const bool moved = any_port(s, first, end, first + column_ % (end - first), [&](Port port) {
    if (port == row_[s] || !lay(s, port)) return false;
    const Step& last = path_.steps[path_.size - 1];
    if (hops_[next(last.at, last.port)] >= meets_below) return false;
    if (!is_within_limits() || is_congested()) return false;
    column_ = place_[net_.slot(s, port)] - first;
    return true;
  });
  if (moved) apply(s);
  return moved;
}

bool EvenMoves::is_cheaper() const {
  float sum = 0;
  for (std::size_t i = 0; i < path_.size; ++i) {
    sum += price(net_.slot(path_.steps[i].at, path_.steps[i].port), 1);
  }
  const Step& last = path_.steps[path_.size - 1];
  const std::size_t replaced = old_.size() - 1 - hops_[next(last.at, last.port)];
  float old = 0;
  for (std::size_t i = 0; i < replaced; ++i) old += price(slot_of(old_[i]), -1);
  return sum < gain() * old;
}

bool EvenMoves::is_within_limits() const {
  for (std::size_t i = 0; i < path_.size; ++i) {
    const EvenChannel& channel = net_.channel[net_.slot(path_.steps[i].at, path_.steps[i].port)];
    if (channel.load + weight_ > channel.limit) return false;
  }
  return true;
}

void EvenMoves::fetch_contention() const {
  for (std::size_t i = 0; i < path_.size; ++i) {
    const std::uint32_t slot = net_.slot(path_.steps[i].at, path_.steps[i].port);
    for (const ShiftContention::Window& window : windows_)
      contention_.fetch(net_.channel[slot].number, window.first);
  }
}

bool EvenMoves::is_congested() {
  if (contention_.empty()) return false;
  if (!windows_known_) find_behind(moved_);
  fetch_contention();
  for (std::size_t i = 0; i < path_.size; ++i) {
    const std::uint32_t slot = net_.slot(path_.steps[i].at, path_.steps[i].port);
    if (contention_.reaches(net_.channel[slot].number, windows_, most_)) return true;
  }
  return false;
}

void EvenMoves::apply(std::uint32_t s) {
  if (!windows_known_) find_behind(s);
  const Step& last = path_.steps[path_.size - 1];
  const std::uint32_t meeting = next(last.at, last.port);
  for (std::uint32_t u = s; u != meeting; u = next(u, row_[u])) {
    for (const ShiftContention::Window& window : windows_)
      contention_.fetch(net_.channel[slot_of(u)].number, window.first);
  }
  for (std::uint32_t u = s; u != meeting;) {
    const std::uint32_t slot = slot_of(u);
    const EvenChannel& channel = net_.channel[slot];
    set_load(slot, channel.load - weight_);
    contention_.take(channel.number, windows_);
    if (u != s) traffic_.take(u, weight_);
    u = channel.next;
  }
  for (std::size_t i = 0; i < path_.size; ++i) {
    const auto [u, port] = path_.steps[i];
    row_[u] = port;
    onward_[u].row = 0;
    const std::uint32_t slot = net_.slot(u, port);
    set_load(slot, net_.channel[slot].load + weight_);
    contention_.add(net_.channel[slot].number, windows_);
    if (u != s) traffic_.add(u, weight_);
  }
}

}  // namespace fatwood
