// SPDX-License-Identifier: BSD-3-Clause
#include "routing/even/even_windows.hpp"

#include <algorithm>
#include <map>

#include "topology/levels/tree_cuts.hpp"

namespace fatwood {

// The largest fair share of the traffic of a window, over all cuts.
class WindowShares {
 public:
  WindowShares(const Model& model, const EvenNet& net, std::uint32_t rails) : rails_(rails) {
    const auto usual = static_cast<double>(model.speeds().usual());
    for (const TreeCut& cut : tree_cuts(model.fabric(), model.levels())) {
      cut_of_.resize(std::max<std::size_t>(cut_of_.size(), cut.level + std::size_t{1}),
                     std::vector<std::uint32_t>(net.sources().size(), kNobody));
      for (const Switch s : cut.switches) {
        const std::uint32_t source = net.source_at(index(s));
        if (source != kNobody) {
          cut_of_[cut.level][source] = static_cast<std::uint32_t>(capacity_.size());
        }
      }
      capacity_.push_back(0);
      for (const Channel c : cut.links) {
        capacity_.back() += static_cast<double>(model.speeds().speed(c)) / usual;
      }
    }
    inside_.assign(capacity_.size() * rails, 0);
  }

  // `hosts`: by (rail, source); `all`: by rail.
  double largest(const std::map<std::pair<std::uint32_t, std::uint32_t>, float>& hosts,
                 std::span<const double> all) {
    double most = 0;
    for (const std::vector<std::uint32_t>& cut_of : cut_of_) {
      for (const auto& [key, count] : hosts) {
        const std::uint32_t cut = cut_of[key.second];
        if (cut == kNobody) continue;
        seen_.push_back(cut);
        inside_[cut * rails_ + key.first] += static_cast<double>(count);
      }
      for (const std::uint32_t cut : seen_) {
        double flows = 0;
        for (std::uint32_t rail = 0; rail < rails_; ++rail) {
          const double inside = inside_[cut * rails_ + rail];
          flows += inside * (all[rail] - inside);
        }
        most = std::max(most, flows / capacity_[cut]);
      }
      for (const std::uint32_t cut : seen_) {
        std::fill_n(inside_.begin() + static_cast<std::ptrdiff_t>(cut * rails_), rails_, 0);
      }
      seen_.clear();
    }
    return most;
  }

 private:
  std::uint32_t rails_;
  std::vector<std::vector<std::uint32_t>> cut_of_;  // by level, then source
  std::vector<double> capacity_;                    // by cut
  std::vector<double> inside_;                      // [cut][rail]
  std::vector<std::uint32_t> seen_;
};

EvenWindows::EvenWindows(const Model& model, const EvenNet& net, std::span<const Terminal> order,
                         std::uint32_t offsets) {
  const Fabric& fabric = model.fabric();
  const JobPlaces found = job_places(model, order);
  hosts_ = found.hosts;
  rails_ = found.rails;
  places_.resize(net.num_terminals());
  source_.assign(net.num_terminals(), kNobody);
  std::vector<std::uint32_t> on_leaf(net.sources().size() * rails_, 0);
  std::uint32_t fullest = 0;
  for (const Terminal t : ids<Terminal>(fabric.num_terminals())) {
    const std::uint32_t number = net.number(t);
    if (number == kNobody) continue;
    places_[number] = found.of[t];
    source_[number] = net.source_at(index(fabric.leaf(t)));
    if (found.of[t].host == kNoJobPlace) continue;
    fullest = std::max(fullest, ++on_leaf[source_[number] * rails_ + found.of[t].rail]);
  }
  if (hosts_ < 2) return;
  const std::vector<Row> rows = choose_rows(offsets, fullest);
  for (const Row& row : rows) weight_.push_back(static_cast<float>(row.size));
  window_.assign(std::size_t{net.num_terminals()} * rows.size(), kNobody);
  WindowShares shares(model, net, rails_);
  for (std::uint32_t k = 0; k < rows.size(); ++k) {
    const auto first = static_cast<std::uint32_t>(scale_.size());
    for (std::uint32_t t = 0; t < net.num_terminals(); ++t) {
      if (places_[t].host == kNoJobPlace) continue;
      const double place = (places_[t].host + rows[k].shift) / rows[k].size;
      window_[std::size_t{t} * rows.size() + k] = first + static_cast<std::uint32_t>(place);
    }
    fill(k, rows[k].all_rails, net, shares);
  }
}

std::vector<EvenWindows::Row> EvenWindows::choose_rows(std::uint32_t offsets,
                                                       std::uint32_t fullest_leaf) const {
  constexpr double kSmallest = 4;  // hosts: smaller jobs fill no link
  std::vector<Row> rows;
  const auto add = [&](double least, double ratio, std::uint32_t shifts, bool all_rails) {
    rows.push_back({static_cast<double>(hosts_), 0, all_rails});
    for (double size = least; size < hosts_; size *= ratio) {
      for (std::uint32_t i = 0; i < shifts; ++i)
        rows.push_back({size, size * i / shifts, all_rails});
    }
  };
  add(std::max(kSmallest, fullest_leaf / 2.0), 2, offsets, false);
  if (rails_ > 1) add(std::max(2.0, fullest_leaf / 2.0 / rails_), 4, 1, true);
  return rows;
}

void EvenWindows::fill(std::uint32_t row, bool all_rails, const EvenNet& net,
                       WindowShares& shares) {
  // Of each window: the hosts that send on a rail, by (rail, source), and their number by rail.
  // With `all_rails`, all adapters are of rail 0.
  std::vector<std::map<std::pair<std::uint32_t, std::uint32_t>, float>> hosts;
  std::vector<std::vector<double>> all;
  const auto first = static_cast<std::uint32_t>(scale_.size());
  for (std::uint32_t t = 0; t < net.num_terminals(); ++t) {
    if (window(t, row) == kNobody) continue;
    const std::uint32_t w = window(t, row) - first;
    if (w >= hosts.size()) hosts.resize(w + 1);
    all.resize(hosts.size(), std::vector<double>(rails_, 0));
    const std::uint32_t rail = all_rails ? 0 : places_[t].rail;
    hosts[w][{rail, source_[t]}] += 1;
    all[w][rail] += 1;
  }
  for (std::size_t w = 0; w < hosts.size(); ++w) {
    const double received = *std::ranges::max_element(all[w]) - 1;
    const double bound = std::max({1.0, received, shares.largest(hosts[w], all[w])});
    scale_.push_back(static_cast<float>(1 / bound / net.addresses()));
    for (std::uint32_t rail = 0; rail < rails_; ++rail) {
      const std::uint32_t own = all_rails ? 0 : rail;
      for (auto it = hosts[w].lower_bound({own, 0}); it != hosts[w].end() && it->first.first == own;
           ++it) {
        senders_.push_back({it->first.second, it->second});
      }
      first_sender_.push_back(static_cast<std::uint32_t>(senders_.size()));
    }
  }
}

}  // namespace fatwood
