// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/shift_crowd.hpp"

#include <algorithm>

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
  counts_ = BigBytes(net.num_channels() * stride_, 0);
  for (std::uint64_t c = 0; c < 256; ++c) {
    step_.push_back(static_cast<std::uint32_t>(4 * c * c * c + 6 * c * c + 4 * c + 1));
  }
}

void ShiftCrowd::add_windows(const EvenSource& source, std::uint32_t destination,
                             std::vector<Window>& windows) const {
  if (empty()) return;
  const auto push = [&](std::uint32_t from, std::uint32_t to) {  // shifts
    const std::uint32_t first = (from + every_ - 1) / every_;
    const std::uint32_t last = to / every_;
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
  std::vector<std::size_t> cells(256);  // by count
  for (std::uint32_t c = 0; c < net_.num_channels(); ++c) {
    for (std::uint32_t i = 0; i < shifts_; ++i) ++cells[row_of(c)[i]];
  }
  std::uint32_t count = 128;
  std::size_t reach = 0;
  while (count > least) {
    reach += cells[count - 1];
    if (reach * parts > net_.num_channels() * shifts_) break;
    --count;
  }
  return count;
}

void ShiftCrowd::sum_up() {
  for (std::uint32_t c = 0; c < net_.num_channels(); ++c) {
    std::uint8_t* const row = row_of(c);
    std::uint8_t sum = 0;
    for (std::uint32_t i = 0; i < shifts_; ++i) {
      sum = static_cast<std::uint8_t>(sum + row[i]);
      row[i] = sum;
    }
    std::fill_n(row + shifts_, kPadding, std::uint8_t{0});
  }
}

}  // namespace fatwood
