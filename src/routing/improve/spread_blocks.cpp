// SPDX-License-Identifier: BSD-3-Clause
#include "routing/improve/spread_blocks.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/time_limit.hpp"
#include "routing/improve/job_costs.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kLinks = 32;       // of a round
constexpr std::size_t kMostLinks = 256;  // a search without result ends here
// A block whose gain has fallen below this part waits for the next round.
constexpr float kStillGains = 0.5F;
constexpr std::uint64_t kShares = 4;  // rounds that share the spare blocks of a result, at least
constexpr int kPasses = 4;            // over entries of sent blocks

class Spreader {
 public:
  Spreader(TablesInUse& in_use, const Lids& lids, std::span<const TableEntry> sent,
           const SpreadOptions& options)
      : in_use_(in_use),
        lids_(lids),
        options_(options),
        costs_(in_use, options.host_order),
        blocks_(std::size_t{lid_block(lids.highest())} + 1),
        open_(in_use.model().fabric().num_switches() * blocks_, 0),
        rows_of_(blocks_) {
    for (const TableEntry& entry : sent) open_[block_of(entry.destination, index(entry.at))] = 1;
    const ForwardingTables& tables = in_use.tables();
    for (const Destination destination :
         ids<Destination>(tables.num_destinations() - tables.num_switches())) {
      if (costs_.is_counted(destination)) {
        rows_of_[lid_block(lids.of(tables, destination))].push_back(destination);
      }
    }
  }

  std::optional<std::vector<SpreadResult>> run() {
    if (!costs_.fits()) return std::nullopt;
    improve_open();
    std::vector<SpreadResult> results;
    bool more = true;  // blocks may still help
    for (const std::uint64_t most : options_.spare_blocks) {
      if (more) spend(most);
      more = most == 0 || spent_ == most;
      results.push_back(result());
    }
    return results;
  }

 private:
  // Opens blocks until this many are spent, or none helps.
  void spend(std::uint64_t most) {
    const std::uint64_t in_round = std::max<std::uint64_t>(1, (most - spent_) / kShares);
    for (std::size_t first = 0; first < kMostLinks && (spent_ < most || most == 0);) {
      check_time();
      if (!round(first, std::min(in_round, most - spent_))) first += kLinks;
    }
  }

  struct Entry {
    Destination destination;
    std::uint32_t at;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  struct Gain {
    float sum = 0;
    std::vector<Destination> rows;
  };

  std::size_t block_of(Destination destination, std::uint32_t s) const {
    return s * blocks_ + lid_block(lids_.of(in_use_.tables(), destination));
  }

  bool improve(std::uint32_t s, Destination destination) {
    const JobCosts::Best best = costs_.best(s);
    if (best.gain <= 0) return false;
    first_port_.emplace(std::pair(destination, s), in_use_.tables().at(destination, Switch{s}));
    costs_.move(s, best.port);
    return true;
  }
  // All entries of blocks that are sent.
  void improve_open() {
    bool moved = true;
    for (int pass = 0; pass < kPasses && moved; ++pass) {
      moved = false;
      for (std::size_t block = 0; block < blocks_; ++block) {
        for (const Destination destination : rows_of_[block]) {
          bool begun = false;
          for (std::uint32_t s = 0; s < costs_.net().size(); ++s) {
            if (open_[s * blocks_ + block] == 0) continue;
            if (!std::exchange(begun, true)) costs_.begin(destination);
            moved = improve(s, destination) || moved;
          }
        }
      }
    }
  }

  // Entries whose traffic crosses one of kLinks links, from number `first` by cost.
  std::vector<Entry> entries_behind(std::size_t first) {
    std::vector<Entry> entries;
    const std::vector<JobCosts::LinkCost> links = costs_.by_cost();
    const ForwardingTables& tables = in_use_.tables();
    for (std::size_t i = first; i < std::min(first + kLinks, links.size()); ++i) {
      for (const std::vector<Destination>& rows : rows_of_) {
        for (const Destination destination : rows) {
          if (tables.at(destination, Switch{links[i].at}) != links[i].port) continue;
          costs_.begin(destination);
          for (const std::uint32_t u : costs_.behind(links[i].at))
            entries.push_back({destination, u});
        }
      }
    }
    std::ranges::sort(entries);
    entries.erase(std::ranges::unique(entries).begin(), entries.end());
    return entries;
  }

  // Whether some entry moved.
  bool round(std::size_t first, std::uint64_t most) {
    bool moved = false;
    std::map<std::size_t, Gain> gains;
    Destination current = kNone<Destination>;
    for (const auto& [destination, s] : entries_behind(first)) {
      if (destination != current) costs_.begin(current = destination);
      const std::size_t block = block_of(destination, s);
      if (open_[block] != 0) {
        moved = improve(s, destination) || moved;
      } else if (const float gain = costs_.best(s).gain; most > 0 && gain > 0) {
        gains[block].sum += gain;
        gains[block].rows.push_back(destination);
      }
    }
    std::vector<std::pair<float, std::size_t>> order;
    for (const auto& [block, gain] : gains) order.emplace_back(-gain.sum, block);
    std::ranges::sort(order);
    for (const auto& [gain, block] : order) {
      if (most == 0) break;
      if (!open(block, gains[block])) continue;
      moved = true;
      --most;
      ++spent_;
    }
    return moved;
  }

  // Opens a block if it still gains enough.
  bool open(std::size_t block, const Gain& gain) {
    const auto s = static_cast<std::uint32_t>(block / blocks_);
    float now = 0;
    for (const Destination destination : gain.rows) {
      costs_.begin(destination);
      now += costs_.best(s).gain;
    }
    if (now < kStillGains * gain.sum) return false;
    open_[block] = 1;
    bool moved = false;
    for (const Destination destination : rows_of_[block % blocks_]) {
      costs_.begin(destination);
      moved = improve(s, destination) || moved;
    }
    return moved;
  }

  SpreadResult result() const {
    SpreadResult result{spent_, {}};
    for (const auto& [entry, first] : first_port_) {
      const Port now = in_use_.tables().at(entry.first, Switch{entry.second});
      if (now != first) result.moves.push_back({entry.first, Switch{entry.second}, now});
    }
    return result;
  }

  TablesInUse& in_use_;
  const Lids& lids_;
  const SpreadOptions& options_;
  JobCosts costs_;
  std::size_t blocks_;
  std::vector<std::uint8_t> open_;                 // [switch][block]: it is sent
  std::vector<std::vector<Destination>> rows_of_;  // by block: counted destinations
  std::map<std::pair<Destination, std::uint32_t>, Port> first_port_;
  std::uint64_t spent_ = 0;
};

}  // namespace

std::optional<std::vector<SpreadResult>> spread_blocks(TablesInUse& in_use, const Lids& lids,
                                                       std::span<const TableEntry> sent,
                                                       const SpreadOptions& options) {
  return Spreader(in_use, lids, sent, options).run();
}

}  // namespace fatwood
