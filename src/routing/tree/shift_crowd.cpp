// SPDX-License-Identifier: BSD-3-Clause
#include "routing/tree/shift_crowd.hpp"

#include <algorithm>

namespace fatwood {

ShiftCrowd::ShiftCrowd(const EvenNet& net, std::size_t most_bytes)
    : net_(net), terminals_(net.num_terminals()) {
  const auto fits = [&](std::uint32_t every) {
    return net.num_channels() * (terminals_ / every + 1 + kPadding) <= most_bytes;
  };
  while (!fits(every_) && every_ < terminals_) ++every_;
  shifts_ = terminals_ == 0 ? 1 : (terminals_ - 1) / every_ + 1;
  stride_ = shifts_ + kPadding;
  counts_ = BigBytes(net.num_channels() * stride_, 0);
  for (std::uint64_t c = 0; c < 256; ++c) {
    step_.push_back(static_cast<std::uint32_t>(4 * c * c * c + 6 * c * c + 4 * c + 1));
  }
}

void ShiftCrowd::add_windows(const EvenSource& source, std::uint32_t destination,
                             std::vector<Window>& windows) const {
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
