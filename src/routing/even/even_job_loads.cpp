// SPDX-License-Identifier: BSD-3-Clause
#include "routing/even/even_job_loads.hpp"

#include <algorithm>

namespace fatwood {

namespace {

float eighth_power(float x) {
  const float x2 = x * x;
  const float x4 = x2 * x2;
  return x4 * x4;
}
// Links far above their targets cost the same: 4^64 would overflow a float.
float limit_power(float x) { return eighth_power(eighth_power(std::min(x, 3.0F))); }

}  // namespace

EvenJobLoads::EvenJobLoads(const Model& model, const EvenNet& net, const EvenWindows& windows,
                           std::span<const std::uint32_t> rank,
                           std::span<const std::uint32_t> descending, float near)
    : net_(net),
      windows_(windows),
      rank_(rank),
      rows_(windows.rows()),
      whole_weight_(kWholeWeight * static_cast<float>(windows.hosts())),
      hot_(1 + near + kRounding) {
  if (rows_ == 0) return;
  find_links(model);
  find_places(descending);
  window_.assign(rows_, kNobody);
  own_.assign(net.sources().size() * rows_, 0);
}

void EvenJobLoads::find_links(const Model& model) {
  link_.resize(net_.channel.size());
  for (std::uint32_t s = 0; s < net_.size(); ++s) {
    for (const Port port : net_.cabled_ports(s)) {
      const std::uint32_t slot = net_.slot(s, port);
      const EvenChannel& channel = net_.channel[slot];
      Link& link = link_[slot];
      link.whole = static_cast<float>(channel.load);
      link.per_target = channel.least > 0 ? 1 / channel.least : 0;
      link.slow = static_cast<float>(static_cast<double>(model.speeds().usual()) /
                                     static_cast<double>(net_.capacity(slot)));
      link.lower = goes_up(s, port) ? s : net_.next(slot);
    }
  }
}

void EvenJobLoads::Range::include(const Range& other) {
  first = std::min(first, other.first);
  last = std::max(last, other.last);
}

// The windows of a link are those with a host at or below its lower end: flows that go up over it
// come from there, and flows that go down over it end there.
void EvenJobLoads::find_places(std::span<const std::uint32_t> descending) {
  range_.assign(net_.size() * rows_, {});
  for (const EvenSource& source : net_.sources()) {
    for (const EvenDestination& to : source.destinations) {
      for (std::uint32_t k = 0; k < rows_; ++k) {
        const std::uint32_t w = windows_.window(to.number, k);
        if (w != kNobody) range_[source.at * rows_ + k].include({w, w});
      }
    }
  }
  for (std::size_t i = descending.size(); i-- > 0;) {
    const std::uint32_t s = descending[i];
    for (const Port port : net_.cabled_ports(s)) {
      if (!goes_up(s, port)) continue;
      const std::uint32_t above = net_.next(net_.slot(s, port));
      for (std::uint32_t k = 0; k < rows_; ++k) {
        range_[above * rows_ + k].include(range_[s * rows_ + k]);
      }
    }
  }
  shift_.resize(net_.size() * rows_);
  std::vector<std::uint32_t> size(net_.size(), 0);
  for (std::uint32_t s = 0; s < net_.size(); ++s) {
    for (std::uint32_t k = 0; k < rows_; ++k) {
      shift_[s * rows_ + k] = range_[s * rows_ + k].first - size[s];
      size[s] += range_[s * rows_ + k].size();
    }
  }
  std::size_t sum = 0;
  for (std::uint32_t s = 0; s < net_.size(); ++s) {
    for (const Port port : net_.cabled_ports(s)) {
      Link& link = link_[net_.slot(s, port)];
      link.first = static_cast<std::uint32_t>(sum);
      sum += size[link.lower];
      if (sum > kMostLoads) return;
    }
  }
  load_.assign(sum, 0);
}

// Neighbours share most windows.
void EvenJobLoads::begin(std::uint32_t terminal) {
  for (std::uint32_t k = 0; k < rows_; ++k) {
    const std::uint32_t old = window_[k];
    window_[k] = windows_.window(terminal, k);
    if (old != kNobody) {
      const auto senders = windows_.senders(old, terminal_);
      if (window_[k] == old && windows_.senders(old, terminal).data() == senders.data()) continue;
      for (const auto& [source, hosts] : senders) own_[source * rows_ + k] = 0;
    }
    if (window_[k] == kNobody) continue;
    for (const auto& [source, hosts] : windows_.senders(window_[k], terminal)) {
      own_[source * rows_ + k] = hosts;
    }
  }
  terminal_ = terminal;
}

void EvenJobLoads::gather(std::span<const float> flows, float whole) {
  parts_.clear();
  whole_ = whole;
  for (std::uint32_t k = 0; k < rows_; ++k) {
    if (flows[k] == 0) continue;
    parts_.push_back({k, window_[k], flows[k], windows_.scale(window_[k]), windows_.weight(k)});
  }
}

float EvenJobLoads::added(std::uint32_t slot) const {
  const Link& link = link_[slot];
  float sum = 0;
  for (const Part& part : parts_) {
    const float load = load_[place(link, part)];
    const float scale = part.scale * link.slow;
    sum += part.weight * (eighth_power((load + part.flows) * scale) - eighth_power(load * scale));
  }
  return sum + whole_weight_ * (limit_power((link.whole + whole_) * link.per_target) -
                                limit_power(link.whole * link.per_target));
}

void EvenJobLoads::add(std::uint32_t slot, float sign) {
  Link& link = link_[slot];
  for (const Part& part : parts_) load_[place(link, part)] += sign * part.flows;
  link.whole += sign * whole_;
}

bool EvenJobLoads::is_hot(std::uint32_t slot) const {
  const Link& link = link_[slot];
  if (link.whole * link.per_target > kWholeHot) return true;
  return std::ranges::any_of(parts_, [&](const Part& part) {
    return load_[place(link, part)] * part.scale * link.slow > hot_;
  });
}

float EvenJobLoads::cost(std::uint32_t slot) const {
  const Link& link = link_[slot];
  float sum = whole_weight_ * limit_power(link.whole * link.per_target);
  for (std::uint32_t k = 0; k < rows_; ++k) {
    const Range& range = range_[std::size_t{link.lower} * rows_ + k];
    float of_row = 0;
    for (std::uint32_t i = 0; i < range.size(); ++i) {
      const std::uint32_t window = range.first + i;
      of_row += eighth_power(load(slot, k, window) * windows_.scale(window) * link.slow);
    }
    sum += windows_.weight(k) * of_row;
  }
  return sum;
}

}  // namespace fatwood
