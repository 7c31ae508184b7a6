// SPDX-License-Identifier: BSD-3-Clause
#include "routing/even/even_moves.hpp"

#include <algorithm>

namespace fatwood {

EvenMoves::EvenMoves(EvenNet& net, ShiftContention& contention, std::span<const std::uint32_t> rank,
                     std::span<const std::uint32_t> descending, std::uint64_t work_per_entry)
    : net_(net),
      contention_(contention),
      rank_(rank),
      traffic_(net, descending),
      over_(net.channel.size()),
      own_weight_(net.size()),
      most_part_(net.size()),
      onward_(net.size()),
      ahead_(net.size()),
      hops_(net.size(), kNobody),
      best_(kMostHops * net.size()),
      latest_(net.size()),
      most_work_(std::max<std::uint64_t>(
          kShortWork, work_per_entry * net.num_terminals() * net.addresses() * net.size())) {
  first_.push_back(0);
  trunk_.resize(net.channel.size());
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
        trunk_[net.slot(s, first[j])] = {static_cast<std::uint8_t>(i),
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
  kind_ = kNobody;
  ++homes_;
  home_work_ = work_;
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

void EvenMoves::rebalance(std::uint32_t at, const EvenDestination& to, std::span<Port> row) {
  bool hot = false;
  traffic_.follow(row.data(), at, to,
                  [&](std::uint32_t slot, std::uint64_t) { hot = hot || is_over(slot); });
  if (!hot) return;
  begin(at, to, row);
  find_hot();
  for (const std::uint32_t s : hot_) {
    if (is_spent()) break;
    relieve_at(s);
  }
  end();
}

void EvenMoves::find_hot() {
  hot_.clear();
  onward_[at_] = {version_, 0, 0, false};
  const std::span<const std::uint32_t> touched = traffic_.touched();
  for (std::size_t i = touched.size() - 1; i-- > 0;) {
    const std::uint32_t s = touched[i];
    find_onward(s);
    if (onward_[s].hot && (trunk_[slot_of(s)].count > 1 || goes_up(s, row_[s]))) hot_.push_back(s);
  }
  // Destinations in a row begin with sources far apart: else all of them would send the same
  // leaf's flows the same way.
  const std::uint32_t part = (to_->number + 3 * pass_.number) * 0x9e37U & 0xffffU;
  column_ = part;
  net_.each_sender_from(part, at_, *to_, [&](std::uint32_t source, std::uint64_t) {
    const std::uint32_t s = net_.sources()[source].at;
    const std::uint32_t slot = slot_of(s);
    const Onward& rest = onward_[net_.next(slot)];
    if ((!rest.hot && !is_over(slot)) || traffic_.arrived(s) != 0) return;
    if (pass_.longer > 0 ||
        least_price(s, rest.hops + 1) < most_part_[s] * (price_[slot] + rest.price)) {
      hot_.push_back(s);
    }
  });
}

void EvenMoves::find_onward(std::uint32_t s) {
  const std::uint32_t slot = slot_of(s);
  const Onward& rest = onward_[net_.next(slot)];
  onward_[s] = {version_, rest.hops + 1, price_[slot] + rest.price, rest.hot || is_over(slot)};
}

void EvenMoves::relieve_at(std::uint32_t s) {
  if (is_over(slot_of(s)) && try_parallel(s)) return;
  const Onward old = onwards(s);
  if (!old.hot || !(goes_up(s, row_[s]) || sends(s)) || try_move(s, old, old.hops)) return;
  if (pass_.longer == 0 || traffic_.arrived(s) != 0) return;
  const std::uint32_t most = least_hops(s, at_) + pass_.longer;
  for (std::uint32_t hops = old.hops + 1; hops <= most; ++hops) {
    if (try_move(s, old, hops)) return;
  }
}

void EvenMoves::note_lengths(const ForwardingTables& tables) {
  const std::size_t sources = net_.sources().size();
  least_hops_.assign(sources * sources, kMostHops);
  for (const EvenSource& to : net_.sources()) {
    for (const EvenDestination& destination : to.destinations) {
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
  const std::uint32_t slot = slot_of(s);
  if (trunk_[slot].count == 1) return false;
  const Port least = least_parallel(s);
  begin_move(s, 0);
  if (least == row_[s] || price_added(net_.slot(s, least)) >= gain() * price_removed(slot)) {
    return false;
  }
  walk(s);
  look_at(s);
  path_.steps[0] = {s, least};
  path_.size = 1;
  if (is_congested()) return false;
  apply(s);
  return true;
}

void EvenMoves::begin_move(std::uint32_t s, std::uint32_t longer) {
  longer_ = longer;
  weight_ = own_weight_[s] + traffic_.arrived(s);
}

void EvenMoves::look_at(std::uint32_t s) {
  find_behind(s);
  most_ = pass_.shared;
  for (std::size_t i = 0; i + 1 < old_.size(); ++i) {
    const EvenChannel& channel = net_.channel[slot_of(old_[i])];
    if (pass_.urgent && static_cast<float>(channel.load) > channel.urgent) most_ = kAnyNumber;
    for (const ShiftContention::Window& window : windows_) {
      contention_.fetch(channel.number, window.first);
    }
  }
}

const EvenMoves::Onward& EvenMoves::onwards(std::uint32_t s) {
  if (onward_[s].version != version_) {
    if (s == at_) {
      onward_[s] = {version_, 0, 0, false};
    } else {
      onwards(next(s, row_[s]));
      find_onward(s);
    }
  }
  return onward_[s];
}

void EvenMoves::spread_shifts(const CongestedRow& congested, std::span<Port> row,
                              std::uint32_t least) {
  const auto& [at, to, sources] = congested;
  traffic_.follow(row.data(), at, to, [](std::uint32_t, std::uint64_t) {});
  begin(at, to, row);
  most_ = least - 1;
  for (const std::uint32_t source : sources) {
    const std::uint32_t s = net_.sources()[source].at;
    if (traffic_.arrived(s) != 0 || !sends(s)) continue;
    begin_move(s, 0);
    walk(s);
    find_behind(s);
    std::size_t contention = 0;
    while (contention + 1 < old_.size() &&
           !contention_.reaches(net_.channel[slot_of(old_[contention])].number, windows_, least)) {
      ++contention;
    }
    if (contention + 1 < old_.size()) try_spread(s, contention);
  }
  end();
}

void EvenMoves::begin(std::uint32_t at, const EvenDestination& to, std::span<Port> row) {
  if (at != at_ || homes_ == 0) {
    ++homes_;
    home_work_ = work_;
  }
  at_ = at;
  to_ = &to;
  row_ = row;
  ++version_;
  if (net_.all_to_all() && to.kind == kind_) return;
  kind_ = to.kind;
  net_.each_sender(kNobody, to, [&](std::uint32_t source, std::uint64_t weight) {
    const std::uint32_t s = net_.sources()[source].at;
    own_weight_[s] = weight_ = weight;
    if (first_[s] == first_[s + 1]) return;
    most_part_[s] = most_of_price(part_[net_.slot(s, ports_[first_[s + 1] - 1])]);
  });
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
  for (std::size_t i = 1; i < old_.size(); ++i) {
    hops_[old_[i]] = static_cast<std::uint32_t>(old_.size() - 1 - i);
  }
  hops_[old_[0]] = kNobody - 1;  // no path leads back
}

void EvenMoves::find_behind(std::uint32_t s) {
  windows_.clear();
  if (contention_.empty()) return;
  const auto visit = [&](const auto& self, std::uint32_t u) -> void {
    work_ += net_.cabled_ports(u).size();
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

bool EvenMoves::try_move(std::uint32_t s, const Onward& old, std::uint32_t hops) {
  if (hops >= kMostHops) return false;
  begin_move(s, hops - old.hops);
  const bool alone = traffic_.arrived(s) == 0;
  const float most = old.price * (alone ? most_part_[s] : most_of_price(part_[slot_of(s)]));
  if ((sends(s) ? least_price(s, hops) : best_price(s, hops)) >= most) return false;
  std::uint32_t congested = 0;
  bool walked = false;
  bool moved = false;
  float least = kNoPath;
  any_place(s, [&](std::uint32_t place, Port port) {
    ++work_;
    const std::uint32_t slot = net_.slot(s, port);
    const std::uint32_t u = net_.next(slot);
    const float bound = price_[slot] + (pass_.exact ? 0 : best_price(u, hops - 1));
    least = std::min(least, bound);
    if (bound >= most || port == row_[s]) return false;
    if (pass_.within && net_.channel[slot].load + weight_ > net_.channel[slot].limit) return false;
    if (place < downs_[s] && u != at_ && goes_up(u, row_[u])) return false;
    if (price_[slot] + ahead(u, hops - 1) >= most) return false;
    if (!walked) walk(s);
    walked = true;
    if (!lay(s, port) || (pass_.within && !is_within_limits())) return false;
    if (!is_cheaper()) {
      forget_path();
      return false;
    }
    if (congested == 0) look_at(s);
    fetch_contention();
    if (is_congested()) return ++congested == kCongested && !pass_.patient;
    moved = true;
    apply(s);
    column_ = place - first_place(s);
    return true;
  });
  if (!moved && congested == 0 && sends(s) && !pass_.exact) {  // all ports were examined
    best_slot(s, hops) = {homes_, row_[s], least};
    latest_[s] = static_cast<std::uint8_t>(hops);
  }
  return moved;
}

// REQUIRES walk(s) and find_behind(s).
void EvenMoves::try_spread(std::uint32_t s, std::size_t leave) {
  if (old_.size() > kMostHops || !goes_up(s, row_[s])) return;
  const std::size_t meets_below = old_.size() - 1 - leave;
  any_place(s, [&](std::uint32_t place, Port port) {
    if (place < downs_[s] || port == row_[s] || !lay(s, port)) return false;
    if (hops_[meeting()] >= meets_below) return false;
    if (!is_within_limits() || is_congested()) return false;
    apply(s);
    column_ = place - first_place(s);
    return true;
  });
}

// Moves have filled path_ since it was found.
void EvenMoves::forget_path() {
  for (std::size_t i = 1; i < path_.size; ++i) {
    for (std::uint32_t hops = 0; hops < kMostHops; ++hops) {
      best_slot(path_.steps[i].at, hops).home = 0;
    }
    ahead_[path_.steps[i].at].version = 0;
  }
}

bool EvenMoves::is_cheaper() const {
  float sum = 0;
  for (const Step& step : path_.all()) sum += price_added(slot_of(step));
  const std::size_t replaced = old_.size() - 1 - hops_[meeting()];
  float old = 0;
  for (std::size_t i = 0; i < replaced; ++i) old += price_removed(slot_of(old_[i]));
  return sum < gain() * old;
}

bool EvenMoves::is_within_limits() const {
  return std::ranges::all_of(path_.all(), [&](const Step& step) {
    const EvenChannel& channel = net_.channel[slot_of(step)];
    return channel.load + weight_ <= channel.limit;
  });
}

void EvenMoves::fetch_contention() const {
  for (const Step& step : path_.all()) {
    for (const ShiftContention::Window& window : windows_) {
      contention_.fetch(net_.channel[slot_of(step)].number, window.first);
    }
  }
}

bool EvenMoves::is_congested() const {
  if (contention_.empty()) return false;
  return std::ranges::any_of(path_.all(), [&](const Step& step) {
    return contention_.reaches(net_.channel[slot_of(step)].number, windows_, most_);
  });
}

void EvenMoves::apply(std::uint32_t s) {
  ++version_;
  const std::uint32_t end = meeting();
  for (std::uint32_t u = s; u != end;) {
    const std::uint32_t slot = slot_of(u);
    const EvenChannel& channel = net_.channel[slot];
    set_load(slot, channel.load - weight_);
    contention_.take(channel.number, windows_);
    if (u != s) traffic_.take(u, weight_);
    u = channel.next;
  }
  for (const auto& [u, port] : path_.all()) {
    row_[u] = port;
    const std::uint32_t slot = net_.slot(u, port);
    set_load(slot, net_.channel[slot].load + weight_);
    contention_.add(net_.channel[slot].number, windows_);
    if (u != s) traffic_.add(u, weight_);
  }
}

}  // namespace fatwood
