// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/even_moves.hpp"

#include <algorithm>

namespace fatwood {

EvenMoves::EvenMoves(EvenNet& net, ShiftCrowd& crowd, std::span<const std::uint32_t> rank,
                     std::span<const std::uint32_t> descending)
    : net_(net),
      crowd_(crowd),
      rank_(rank),
      traffic_(net, descending),
      over_((net.channel.size() + 63) / 64),
      futile_(net.channel.size()),
      own_weight_(net.size()),
      clean_(net.size()),
      tried_(net.size()),
      hops_(net.size(), kNobody),
      failed_(net.size()) {
  first_up_.push_back(0);
  for (std::uint32_t s = 0; s < net.size(); ++s) {
    const std::span<const Port> ports = net.cabled_ports(s);
    ports_.insert(ports_.end(), ports.begin(), ports.end());
    const auto first = ports_.end() - static_cast<std::ptrdiff_t>(ports.size());
    const auto up =
        std::stable_partition(first, ports_.end(), [&](Port p) { return !climbs(s, p); });
    first_up_.push_back(static_cast<std::uint32_t>(up - ports_.begin()));
    first_up_.push_back(static_cast<std::uint32_t>(ports_.size()));
  }
}

void EvenMoves::take_limits() {
  std::ranges::fill(futile_, 0);
  for (std::uint32_t slot = 0; slot < net_.channel.size(); ++slot) {
    EvenChannel& channel = net_.channel[slot];
    channel.part = channel.limit == 0 ? 0 : 1 / static_cast<float>(channel.limit);
    set_over(slot, channel.load > channel.limit);
  }
}

std::size_t EvenMoves::relieve(std::uint32_t at, const EvenDestination& to, std::span<Port> row,
                               Overload overload, std::uint32_t shared, std::uint32_t pass) {
  bool hot = false;
  traffic_.follow(row.data(), at, to,
                  [&](std::uint32_t slot, std::uint64_t) { hot = hot || is_over(slot); });
  if (!hot) return 0;
  begin(at, to, row);
  most_ = shared;
  most_futile_ = overload == Overload::kNone ? kFewFutile : kFutile;
  std::size_t moved = 0;
  // Destinations in a row begin with sources far apart: else all of them would send the same
  // leaf's flows the same way.
  const std::uint32_t part = (to.number + 3 * pass) * 0x9e37U & 0xffffU;
  column_ = part;
  net_.each_sender_from(part, at, to, [&](std::uint32_t source, std::uint64_t) {
    const std::uint32_t s = net_.sources()[source].at;
    if (!is_clean(s)) moved += relieve_source(s, overload == Overload::kHandedOn);
  });
  end();
  return moved;
}

std::size_t EvenMoves::relieve_source(std::uint32_t s, bool hand_on) {
  for (std::size_t moved = 0; moved < kMostHops; ++moved) {
    walk(s);
    std::size_t over = 0;
    while (over + 1 < old_.size() && !is_over(slot_of(old_[over]))) ++over;
    if (over + 1 == old_.size()) return moved;
    const std::uint32_t slot = slot_of(old_[over]);
    const EvenChannel& channel = net_.channel[slot];
    const float overload =
        hand_on ? static_cast<float>(channel.load - channel.limit) * channel.part * 0.9F : 0;
    route_ = old_;
    bool done = false;
    for (std::size_t k = over + 1; !done && k-- > 0;) {
      const std::uint32_t u = route_[k];
      if (tried_[u] == changes_) continue;  // for another source behind it
      walk(u);
      done = try_move(u, over - k, overload);
      if (!done && u != s) tried_[u] = changes_;
    }
    if (!done) {
      if (++futile_[slot] >= most_futile_) set_over(slot, false);
      return moved;
    }
    futile_[slot] = 0;
  }
  return kMostHops;
}

std::size_t EvenMoves::spread_shifts(const CrowdedRow& crowded, std::span<Port> row,
                                     std::uint32_t least) {
  const auto& [at, to, sources] = crowded;
  traffic_.follow(row.data(), at, to, [](std::uint32_t, std::uint64_t) {});
  begin(at, to, row);
  most_ = least - 1;
  std::size_t moved = 0;
  for (const std::uint32_t source : sources) {
    const std::uint32_t s = net_.sources()[source].at;
    if (traffic_.arrived(s) != 0 || !sends(s)) continue;
    walk(s);
    find_behind(s);
    std::size_t crowd = 0;
    while (crowd + 1 < old_.size() &&
           !crowd_.reaches(net_.channel[slot_of(old_[crowd])].number, windows_, least)) {
      ++crowd;
    }
    if (crowd + 1 < old_.size() && try_move(s, crowd, 0)) ++moved;
  }
  end();
  return moved;
}

void EvenMoves::begin(std::uint32_t at, const EvenDestination& to, std::span<Port> row) {
  at_ = at;
  to_ = &to;
  row_ = row;
  ++rows_;
  ++changes_;
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

// Moves may hand some overload on to a link that was seen to be clean: it is found in the next
// pass.
bool EvenMoves::is_clean(std::uint32_t s) {
  for (std::uint32_t u = s; u != at_ && clean_[u] != rows_; u = next(u, row_[u])) {
    if (is_over(slot_of(u))) return false;
  }
  for (std::uint32_t u = s; u != at_ && clean_[u] != rows_; u = next(u, row_[u])) clean_[u] = rows_;
  return true;
}

void EvenMoves::find_behind(std::uint32_t s) {
  windows_.clear();
  windows_known_ = true;
  if (crowd_.empty()) return;
  const auto visit = [&](const auto& self, std::uint32_t u) -> void {
    if (sends(u)) {
      crowd_.add_windows(net_.sources()[net_.source_at(u)], to_->number, windows_);
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

// REQUIRES walk(s).
bool EvenMoves::try_move(std::uint32_t s, std::size_t leave, float overload) {
  if (old_.size() > kMostHops) return false;
  weight_ = own_weight_[s] + traffic_.arrived(s);
  moved_ = s;
  windows_known_ = false;
  meets_below_ = old_.size() - 1 - leave;
  overload_ = overload;
  hops_[s] = kNobody - 1;  // no path leads back
  path_.size = 0;
  const bool climbed = climbs(s, row_[s]);
  const std::span<const Port> ports = climbed ? net_.cabled_ports(s) : down_ports(s);
  if (ports.empty()) return false;
  column_ %= static_cast<std::uint32_t>(ports.size());
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[column_] != row_[s] && search_by(s, ports[column_], old_.size() - 1)) {
      apply(s);
      return true;
    }
    if (++column_ == ports.size()) column_ = 0;
  }
  return false;
}

bool EvenMoves::search_by(std::uint32_t s, Port port, std::size_t hops_left) {
  const EvenChannel& channel = net_.channel[net_.slot(s, port)];
  if (static_cast<float>(channel.load + weight_) * channel.part > 1 + overload_) return false;
  path_.steps[path_.size++] = {s, port};
  if (search(channel.next, hops_left - 1, rank_[channel.next] < rank_[s])) return true;
  --path_.size;
  return false;
}

// The path so far ends at `s`; its last step was a climb or not.
bool EvenMoves::search(std::uint32_t s, std::size_t hops_left, bool climbed) {
  if (hops_[s] != kNobody) {
    if (hops_[s] != hops_left || hops_left >= meets_below_) return false;
    if (!climbed && hops_left > 0 && climbs(s, row_[s])) return false;
    if (!is_crowded()) return true;
    ++crowded_;
    return false;
  }
  if (hops_left == 0) return false;
  Failure& failure = failed_[s];
  if (failure.row == rows_ && failure.weight <= weight_ && failure.meets_below >= meets_below_ &&
      failure.overload >= overload_) {
    return false;
  }
  const std::uint64_t crowded = crowded_;
  if (search_from(s, hops_left, climbed)) return true;
  // What is refused for its shifts may do for another source.
  if (crowded == crowded_) {
    failure = {rows_, static_cast<std::uint32_t>(meets_below_), weight_, overload_};
  }
  return false;
}

bool EvenMoves::search_from(std::uint32_t s, std::size_t hops_left, bool climbed) {
  const bool up = climbs(s, row_[s]);
  if (up && !climbed) return false;
  if (!is_free(s)) return search_by(s, row_[s], hops_left);
  const std::uint32_t below = next(s, row_[s]);
  const std::span<const Port> ports = up ? up_ports(s) : down_ports(s);
  // Destinations in a row begin with different ports.
  std::size_t p = (to_->number + s) % ports.size();
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if ((up || next(s, ports[p]) == below) && search_by(s, ports[p], hops_left)) return true;
    if (++p == ports.size()) p = 0;
  }
  return false;
}

bool EvenMoves::is_crowded() {
  if (crowd_.empty()) return false;
  if (!windows_known_) find_behind(moved_);
  for (std::size_t i = 0; i < path_.size; ++i) {
    const std::uint32_t slot = net_.slot(path_.steps[i].at, path_.steps[i].port);
    if (crowd_.reaches(net_.channel[slot].number, windows_, most_)) return true;
  }
  return false;
}

void EvenMoves::apply(std::uint32_t s) {
  ++changes_;
  if (!windows_known_) find_behind(s);
  const Step& last = path_.steps[path_.size - 1];
  const std::uint32_t meeting = next(last.at, last.port);
  for (std::uint32_t u = s; u != meeting;) {
    const std::uint32_t slot = slot_of(u);
    const EvenChannel& channel = net_.channel[slot];
    set_load(slot, channel.load - weight_);
    crowd_.take(channel.number, windows_);
    if (u != s) traffic_.take(u, weight_);
    u = channel.next;
  }
  for (std::size_t i = 0; i < path_.size; ++i) {
    const auto [u, port] = path_.steps[i];
    row_[u] = port;
    const std::uint32_t slot = net_.slot(u, port);
    set_load(slot, net_.channel[slot].load + weight_);
    crowd_.add(net_.channel[slot].number, windows_);
    if (u != s) traffic_.add(u, weight_);
  }
}

}  // namespace fatwood
