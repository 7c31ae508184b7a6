// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/shift_crowd.hpp"

#include <algorithm>
#include <numeric>

#include "core/parallel.hpp"

namespace fatwood {

ShiftCrowd::ShiftCrowd(const EvenNet& net, std::size_t good_bytes, std::size_t most_bytes)
    : net_(net), terminals_(net.num_terminals()) {
  const auto fits = [&](std::size_t bytes) {
    return net.num_channels() * (terminals_ / every_ + 1 + kPadding) <= bytes;
  };
  const auto sources = static_cast<std::uint32_t>(std::max<std::size_t>(net.sources().size(), 1));
  const std::uint32_t usual = terminals_ / sources;  // shifts of a window
  while (every_ < terminals_ && !fits(2 * every_ < usual ? good_bytes : most_bytes)) ++every_;
  shifts_ = terminals_ == 0 ? 1 : (terminals_ - 1) / every_ + 1;
  stride_ = shifts_ + kPadding;
  inverse_ = ((std::uint64_t{1} << kInverseBits) + every_ - 1) / every_;
  counts_ = BigBytes(net.num_channels() * stride_);
  for (std::uint64_t c = 0; c < 256; ++c) {
    step_.push_back(static_cast<std::uint32_t>(4 * c * c * c + 6 * c * c + 4 * c + 1));
  }
}

void ShiftCrowd::add_windows(const EvenSource& source, std::uint32_t destination,
                             std::vector<Window>& windows) const {
  if (empty()) return;
  const auto push = [&](std::uint32_t from, std::uint32_t to) {  // shifts
    const std::uint32_t first = quotient(from + every_ - 1);
    const std::uint32_t last = quotient(to);
    if (first > last) return;
    if (!windows.empty() && last + 1 == windows.back().first) {  // sources follow each other
      windows.back().first = first;
      windows.back().count += last - first + 1;
    } else {
      windows.push_back({first, last - first + 1});
    }
  };
  for (const HostRun& run : net_.runs(source)) {
    const std::uint32_t last =
        destination >= run.first ? destination - run.first : destination + terminals_ - run.first;
    if (last + 1 >= run.count) {
      push(last + 1 - run.count, last);
    } else {
      push(0, last);
      push(last + 1 + terminals_ - run.count, terminals_ - 1);
    }
  }
}

std::uint32_t ShiftCrowd::rare_count(std::uint32_t least, std::size_t parts) const {
  while (least < 128 && num_reaching(least) * parts > num_cells()) ++least;
  return least;
}

void ShiftCrowd::sum_up(std::uint32_t channel) {
  std::uint8_t* const row = row_of(channel);
  std::uint8_t sum = 0;
  for (std::uint32_t i = 0; i < shifts_; ++i) {
    sum = static_cast<std::uint8_t>(sum + row[i]);
    row[i] = sum;
  }
  std::fill_n(row + shifts_, kPadding, std::uint8_t{0});
}

std::size_t ShiftCrowd::num_reaching(std::uint32_t least) const {
  std::size_t sum = 0;
  for (std::uint32_t c = 0; c < net_.num_channels(); ++c) sum += num_reaching(c, least);
  return sum;
}

std::size_t ShiftCrowd::num_reaching(std::uint32_t channel, std::uint32_t least) const {
  const std::uint64_t lift = (0x80U - least) * kOnes;
  const std::uint8_t* const row = row_of(channel);
  std::size_t sum = 0;
  // What is beyond the last shift is 0, and reaches nothing.
  for (std::uint32_t i = 0; i < shifts_; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, row + i, sizeof word);
    const std::uint64_t high = (((word & ~kTops) + lift) | word) & kTops;
    sum += (high >> 7U) * kOnes >> 56U;  // of its bytes
  }
  return sum;
}

namespace {

using Window = ShiftCrowd::Window;

// The flows of one target's row by shift. Sources follow each other in number, so that where they
// come together their windows become one: what is to be marked or looked at is a few windows a
// channel, not all of its flows.
class RowWindows {
 public:
  RowWindows(const EvenNet& net, const ShiftCrowd& crowd, std::span<const std::uint32_t> descending)
      : net_(net), crowd_(crowd), sweep_(descending), waiting_(net.size()) {}

  // Follows the row of a target at switch `at`; calls visit(slot, window) for what goes over a
  // channel in shifts that are looked at.
  template <class Visit>
  void follow(const std::uint8_t* row, std::uint32_t at, const EvenDestination& to,
              const Visit& visit) {
    const auto pass = [&](std::uint32_t slot, const Window& window) {
      visit(slot, window);
      const std::uint32_t next = net_.channel[slot].next;
      if (next == at) return;
      append(waiting_[next], window);
      sweep_.add(next);
    };
    for (std::uint32_t shift = 0; shift < crowd_.shifts();) {
      const std::uint32_t sender = crowd_.sender(to.number, shift);
      const std::uint32_t s = net_.switch_of(sender);
      const std::uint32_t count =
          std::min(crowd_.within(sender - net_.first_of_run(sender)), crowd_.shifts() - shift);
      if (s != at) pass(net_.slot(s, row[s]), {shift, count});
      shift += count;
    }
    const auto go_on = [&](std::uint32_t s, bool climbs) {
      const std::uint32_t slot = net_.slot(s, row[s]);
      if (sweep_.climbs(s, net_.channel[slot].next) != climbs) return;
      for (const Window& window : waiting_[s]) pass(slot, window);
      waiting_[s].clear();
    };
    sweep_.run([&](std::uint32_t s) { go_on(s, true); }, [&](std::uint32_t s) { go_on(s, false); });
  }

 private:
  static void append(std::vector<Window>& list, const Window& window) {
    if (!list.empty() && window.first + window.count == list.back().first) {
      list.back().first = window.first;
      list.back().count += window.count;
    } else if (!list.empty() && list.back().first + list.back().count == window.first) {
      list.back().count += window.count;
    } else {
      list.push_back(window);
    }
  }
  const EvenNet& net_;
  const ShiftCrowd& crowd_;
  SwitchSweep sweep_;
  std::vector<std::vector<Window>> waiting_;  // by switch: what goes on from there
};

std::vector<RowWindows> workers_of(const EvenNet& net, const ShiftCrowd& crowd,
                                   std::span<const std::uint32_t> descending, int threads) {
  return {static_cast<std::size_t>(thread_count(threads)), RowWindows(net, crowd, descending)};
}

struct NetRow {
  std::uint32_t at;
  const EvenDestination* to;
};
// All targets. Those whose flows of a shift leave by the same ports, if routes are regular, follow
// each other: they are marked side by side, and the rows of all channels are larger than a cache.
std::vector<NetRow> rows_by_period(const EvenNet& net, const ShiftCrowd& crowd) {
  std::vector<NetRow> rows;
  for (const EvenSource& source : net.sources()) {
    for (const EvenDestination& to : net.destinations(source.at)) rows.push_back({source.at, &to});
  }
  const auto sources = static_cast<std::uint32_t>(std::max<std::size_t>(net.sources().size(), 1));
  const std::uint32_t usual = std::max(1U, net.num_terminals() / sources);  // terminals of a source
  const std::uint32_t period = std::lcm(usual, crowd.every());
  std::ranges::stable_sort(rows, {}, [&](const NetRow& row) { return row.to->number % period; });
  return rows;
}
constexpr std::size_t kRowsAtOnce = 64;
constexpr std::size_t kChannelsAtOnce = 256;

}  // namespace

// Marks are sums of whole numbers: the same in any order.
void count_crowd(ShiftCrowd& crowd, const EvenNet& net, std::span<const std::uint32_t> descending,
                 const ForwardingTables& tables, int threads) {
  std::vector<RowWindows> workers = workers_of(net, crowd, descending, threads);
  const std::vector<NetRow> rows = rows_by_period(net, crowd);
  const auto mark = [&](std::size_t item, int thread) {
    const auto& [at, to] = rows[item];
    workers[static_cast<std::size_t>(thread)].follow(tables.row(to->target).data(), at, *to,
                                                     [&](std::uint32_t slot, const Window& window) {
                                                       crowd.mark(net.channel[slot].number, window);
                                                     });
  };
  const auto clear = [&](std::size_t c, int) { crowd.clear(static_cast<std::uint32_t>(c)); };
  const auto sum_up = [&](std::size_t c, int) { crowd.sum_up(static_cast<std::uint32_t>(c)); };
  parallel_for(net.num_channels(), threads, clear, kChannelsAtOnce);
  parallel_for(rows.size(), threads, mark, kRowsAtOnce);
  parallel_for(net.num_channels(), threads, sum_up, kChannelsAtOnce);
}

std::vector<CrowdedRow> crowded_rows(const ShiftCrowd& crowd, const EvenNet& net,
                                     std::span<const std::uint32_t> descending,
                                     const ForwardingTables& tables, std::uint32_t least,
                                     int threads) {
  std::vector<std::uint8_t> crowded(net.channel.size());  // by slot
  for (std::size_t slot = 0; slot < crowded.size(); ++slot) {
    const EvenChannel& channel = net.channel[slot];
    if (channel.next == kNobody) continue;
    crowded[slot] = crowd.num_reaching(channel.number, least) != 0 ? 1 : 0;
  }
  std::vector<RowWindows> workers = workers_of(net, crowd, descending, threads);
  const std::vector<NetRow> all = rows_by_period(net, crowd);
  std::vector<CrowdedRow> rows(all.size());
  const auto look = [&](std::size_t item, int thread) {
    const auto& [at, to] = all[item];
    std::vector<std::uint32_t> sources;
    workers[static_cast<std::size_t>(thread)].follow(
        tables.row(to->target).data(), at, *to, [&](std::uint32_t slot, const Window& window) {
          if (crowded[slot] == 0) return;
          crowd.each_reaching(net.channel[slot].number, window, least, [&](std::uint32_t shift) {
            const std::uint32_t from = crowd.sender(to->number, shift);
            sources.push_back(net.source_at(net.switch_of(from)));
          });
        });
    std::ranges::sort(sources);
    const auto again = std::ranges::unique(sources);
    sources.erase(again.begin(), again.end());
    rows[item] = {at, *to, std::move(sources)};
  };
  parallel_for(rows.size(), threads, look, kRowsAtOnce);
  std::erase_if(rows, [](const CrowdedRow& row) { return row.sources.empty(); });
  std::ranges::sort(rows, {}, [&](const CrowdedRow& row) { return row.to.target; });
  return rows;
}

}  // namespace fatwood
