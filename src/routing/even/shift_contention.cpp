// SPDX-License-Identifier: BSD-3-Clause
#include "routing/even/shift_contention.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace fatwood {

ShiftContention::ShiftContention(const EvenNet& net, std::size_t good_bytes, std::size_t most_bytes)
    : net_(&net), terminals_(net.num_terminals()) {
  const auto fits = [&](std::size_t bytes) {
    return net.num_channels() * (terminals_ / every_ + 1 + kPadding) <= bytes;
  };
  const auto sources = static_cast<std::uint32_t>(std::max<std::size_t>(net.sources().size(), 1));
  const std::uint32_t usual = terminals_ / sources;  // shifts of a window
  while (every_ < terminals_ && !fits(2 * every_ < usual ? good_bytes : most_bytes)) ++every_;
  shifts_ = terminals_ == 0 ? 1 : (terminals_ - 1) / every_ + 1;
  stride_ = (shifts_ + kWord - 1) / kWord * kWord + kPadding;
  inverse_ = ((std::uint64_t{1} << kInverseBits) + every_ - 1) / every_;
  counts_ = BigBytes(net.num_channels() * stride_);
  reaching_.resize(net.num_channels());
  stale_.resize(net.num_channels());
  for (std::uint64_t c = 0; c < 256; ++c) {
    step_.push_back(static_cast<std::uint32_t>(4 * c * c * c + 6 * c * c + 4 * c + 1));
  }
}

void ShiftContention::add_windows(const EvenSource& source, std::uint32_t destination,
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
  for (const AdapterRun& run : source.runs) {
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

void ShiftContention::sum_up(std::uint32_t channel) {
  const std::uint64_t lift = (0x80U - least_) * kOnes;
  std::uint8_t* const row = row_of(channel);
  std::uint32_t found = 0;
  std::uint64_t last = 0;
  for (std::uint32_t i = 0; i < shifts_; i += kWord) {
    std::uint64_t word;
    std::memcpy(&word, row + i, sizeof word);
    // Byte k of the product is the sum of bytes 0 to k.
    word = (word + last) * kOnes & mask(shifts_ - i);
    std::memcpy(row + i, &word, sizeof word);
    found += reaching(word, lift);
    last = word >> 56U;
  }
  reaching_[channel] = found;
  stale_[channel] = 0;
}

std::uint32_t ShiftContention::rare_count(std::uint32_t least, std::size_t parts) {
  while (least < 128 && num_reaching(least) * parts > num_cells()) ++least;
  return least;
}

std::size_t ShiftContention::num_reaching(std::uint32_t least) {
  const std::uint64_t lift = (0x80U - least) * kOnes;
  std::size_t sum = 0;
  for (std::uint32_t c = 0; c < net_->num_channels(); ++c) {
    if (stale_[c] != 0 || least_ != least) {
      std::uint32_t found = 0;
      // What is beyond the last shift is 0, and reaches nothing.
      for (std::uint32_t i = 0; i < shifts_; i += kWord) {
        std::uint64_t word;
        std::memcpy(&word, row_of(c) + i, sizeof word);
        found += reaching(word, lift);
      }
      reaching_[c] = found;
      stale_[c] = 0;
    }
    sum += reaching_[c];
  }
  least_ = least;
  return sum;
}

std::size_t ShiftContention::sum_of_largest() const {
  std::vector<std::uint8_t> largest(shifts_);
  for (std::uint32_t c = 0; c < net_->num_channels(); ++c) {
    const std::uint8_t* const row = row_of(c);
    for (std::uint32_t i = 0; i < shifts_; ++i) largest[i] = std::max(largest[i], row[i]);
  }
  return std::accumulate(largest.begin(), largest.end(), std::size_t{0});
}

namespace {

using Window = ShiftContention::Window;

// Who sends to a terminal, by shift.
class SenderRuns {
 public:
  SenderRuns(const EvenNet& net, const ShiftContention& contention)
      : contention_(contention), terminals_(net.num_terminals()) {
    for (const EvenSource& source : net.sources()) {
      for (const AdapterRun& run : source.runs) runs_.push_back({run.first, source.at});
    }
    std::ranges::sort(runs_, {}, &Run::first);
    for (std::uint32_t t = 0, r = 0; t < terminals_; ++t) {
      if (r + 1 < runs_.size() && runs_[r + 1].first == t) ++r;
      run_of_.push_back(r);
    }
  }

  // Calls visit(switch, window) for who sends to a terminal: later shifts are of terminals before
  // it, and then of the last ones.
  template <class Visit>
  void each(std::uint32_t to, const Visit& visit) const {
    const std::uint32_t end = contention_.shifts();
    bool around = false;
    std::uint32_t r = run_of_[to];
    for (std::uint32_t shift = 0; shift < end;) {
      const Run& run = runs_[r];
      const std::uint32_t distance =
          around ? std::min(to + terminals_ - run.first, terminals_ - 1) : to - run.first;
      const std::uint32_t after = std::min(contention_.last_within(distance) + 1, end);
      if (after > shift) {
        visit(run.at, Window{shift, after - shift});
        shift = after;
      }
      around = around || r == 0;
      r = (r == 0 ? static_cast<std::uint32_t>(runs_.size()) : r) - 1;
    }
  }

 private:
  // Terminals of a switch in a row.
  struct Run {
    std::uint32_t first, at;
  };
  const ShiftContention& contention_;
  std::uint32_t terminals_;
  std::vector<Run> runs_;              // by first terminal
  std::vector<std::uint32_t> run_of_;  // by number of terminal
};

// The flows of one destination's row by shift. Sources follow each other in number, so that where
// they come together their windows become one: what is to be marked is a few windows a channel, not
// all of its flows.
class RowWindows {
 public:
  RowWindows(const EvenNet& net, const SenderRuns& runs, std::span<const std::uint32_t> descending)
      : net_(net), runs_(runs), sweep_(descending), waiting_(net.size()) {}

  // Follows the row of a destination at switch `at`; calls visit(slot, windows) for what goes over
  // a channel.
  template <class Visit>
  void follow(const Port* row, std::uint32_t at, const EvenDestination& to, const Visit& visit) {
    runs_.each(to.number, [&](std::uint32_t s, const Window& window) {
      if (s == at) return;
      const std::uint32_t slot = net_.slot(s, row[s]);
      visit(slot, std::span(&window, 1));
      const std::uint32_t next = net_.next(slot);
      if (next == at) return;
      append(waiting_[next], window);
      sweep_.add(next);
    });
    const auto go_on = [&](std::uint32_t s, bool goes_up) {
      const std::uint32_t slot = net_.slot(s, row[s]);
      const std::uint32_t next = net_.next(slot);
      if (sweep_.goes_up(s, next) != goes_up || waiting_[s].empty()) return;
      visit(slot, std::span<const Window>(waiting_[s]));
      if (next != at) {
        for (const Window& window : waiting_[s]) append(waiting_[next], window);
        sweep_.add(next);
      }
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
  const SenderRuns& runs_;
  SwitchSweep sweep_;
  std::vector<std::vector<Window>> waiting_;  // by switch: what goes on from there
};

struct NetRow {
  std::uint32_t at;
  const EvenDestination* to;
};
// All destinations. Where the counts of all channels are larger than a cache, those that are marked
// on the same channels follow each other: if one source sends to them by the same port, most do.
std::vector<NetRow> rows_by_column(const EvenNet& net, const ShiftContention& contention,
                                   const ForwardingTables& tables) {
  constexpr std::size_t kCacheBytes = std::size_t{1} << 20U;
  std::vector<NetRow> rows;
  rows.reserve(std::size_t{net.num_terminals()} * net.addresses());
  for (const EvenSource& source : net.sources()) {
    for (const EvenDestination& to : source.destinations) rows.push_back({source.at, &to});
  }
  if (contention.num_cells() <= kCacheBytes || net.sources().size() < 2) return rows;
  const std::uint32_t one = net.sources()[0].at;
  const std::uint32_t other = net.sources()[1].at;
  std::ranges::stable_sort(rows, {}, [&](const NetRow& row) {
    return std::pair(tables.row(row.to->destination)[row.at == one ? other : one], row.to->number);
  });
  return rows;
}

// Marks some time after they are asked for: their place is on its way from memory meanwhile.
class LateMarks {
 public:
  explicit LateMarks(ShiftContention& contention) : contention_(contention) {}
  ~LateMarks() {
    for (const Mark& mark : late_) apply(mark);
  }
  LateMarks(const LateMarks&) = delete;
  LateMarks& operator=(const LateMarks&) = delete;

  void add(std::uint32_t channel, const Window& window) {
    contention_.fetch(channel, window.first);
    Mark& mark = late_[next_++ % late_.size()];
    apply(mark);
    mark = {channel, window};
  }

 private:
  struct Mark {
    std::uint32_t channel = 0;
    Window window{0, 0};
  };
  void apply(const Mark& mark) {
    if (mark.window.count != 0) contention_.mark(mark.channel, mark.window);
  }
  ShiftContention& contention_;
  std::array<Mark, 32> late_;
  std::size_t next_ = 0;
};

}  // namespace

void count_contention(ShiftContention& contention, const EvenNet& net,
                      std::span<const std::uint32_t> descending, const ForwardingTables& tables,
                      std::uint32_t least) {
  const SenderRuns runs(net, contention);
  RowWindows windows(net, runs, descending);
  contention.look_for(least);
  for (std::uint32_t c = 0; c < net.num_channels(); ++c) contention.clear(c);
  {
    LateMarks marks(contention);
    for (const auto& [at, to] : rows_by_column(net, contention, tables)) {
      windows.follow(tables.row(to->destination).data(), at, *to,
                     [&](std::uint32_t slot, std::span<const Window> found) {
                       const std::uint32_t channel = net.channel[slot].number;
                       for (const Window& window : found) marks.add(channel, window);
                     });
    }
  }
  for (std::uint32_t c = 0; c < net.num_channels(); ++c) contention.sum_up(c);
}

std::vector<CongestedRow> congested_rows(const ShiftContention& contention, const EvenNet& net,
                                         const ForwardingTables& tables, std::uint32_t least) {
  const SenderRuns runs(net, contention);
  // By slot: the switch there, and whether the channel is congested in some shift: less than all
  // that is known of a channel, so that it fits a cache.
  constexpr std::uint32_t kMeets = std::uint32_t{1} << 31U;
  std::vector<std::uint32_t> next(net.channel.size());
  for (std::size_t slot = 0; slot < next.size(); ++slot) {
    const EvenChannel& channel = net.channel[slot];
    if (channel.next == kNobody) continue;
    next[slot] = channel.next + (contention.reaching_of(channel.number) != 0 ? kMeets : 0);
  }
  std::vector<CongestedRow> rows;
  for (const auto& [at, to] : rows_by_column(net, contention, tables)) {
    const std::span<const Port> row = tables.row(to->destination);
    std::vector<std::uint32_t> sources;
    runs.each(to->number, [&](std::uint32_t s, const Window& window) {
      for (std::uint32_t u = s; u != at;) {
        const std::uint32_t slot = net.slot(u, row[u]);
        u = next[slot];
        if (u < kMeets) continue;
        if (contention.reaches(net.channel[slot].number, std::span(&window, 1), least)) {
          sources.push_back(net.source_at(s));
          return;
        }
        u -= kMeets;
      }
    });
    std::ranges::sort(sources);
    const auto again = std::ranges::unique(sources);
    sources.erase(again.begin(), again.end());
    if (!sources.empty()) rows.push_back({at, *to, std::move(sources)});
  }
  std::ranges::sort(rows, {}, [&](const CongestedRow& row) { return row.to.destination; });
  return rows;
}

}  // namespace fatwood
