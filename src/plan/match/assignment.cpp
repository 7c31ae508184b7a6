// SPDX-License-Identifier: BSD-3-Clause
#include "plan/match/assignment.hpp"

#include <algorithm>
#include <limits>

namespace fatwood {

namespace {

// A square matrix of costs, rows and columns from 1; 0 is the row that looks for a column.
class Hungarian {
 public:
  explicit Hungarian(const std::vector<std::vector<std::int64_t>>& scores)
      : scores_(scores),
        size_(std::max(scores.size(), scores.empty() ? 0 : scores.front().size())),
        row_potential_(size_ + 1),
        column_potential_(size_ + 1),
        row_of_(size_ + 1) {}

  std::vector<std::size_t> run() {
    for (std::size_t row = 1; row <= size_; ++row) place(row);
    std::vector<std::size_t> column_of(scores_.size(), kUnassigned);
    for (std::size_t column = 1; column <= size_; ++column) {
      const std::size_t row = row_of_[column] - 1;
      if (row < scores_.size() && cost(row + 1, column) < 0) column_of[row] = column - 1;
    }
    return column_of;
  }

 private:
  std::int64_t cost(std::size_t row, std::size_t column) const {
    if (row > scores_.size() || column > scores_[row - 1].size()) return 0;
    return -scores_[row - 1][column - 1];
  }

  // Shortest augmenting path from `row`.
  void place(std::size_t row) {
    constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> least(size_ + 1, kFar);
    std::vector<std::size_t> before(size_ + 1);
    std::vector<std::uint8_t> done(size_ + 1);
    row_of_[0] = row;
    std::size_t at = 0;
    do {
      done[at] = 1;
      const std::size_t from = row_of_[at];
      std::int64_t step = kFar;
      std::size_t next = 0;
      for (std::size_t column = 1; column <= size_; ++column) {
        if (done[column] != 0) continue;
        const std::int64_t reduced =
            cost(from, column) - row_potential_[from] - column_potential_[column];
        if (reduced < least[column]) {
          least[column] = reduced;
          before[column] = at;
        }
        if (least[column] < step) {
          step = least[column];
          next = column;
        }
      }
      for (std::size_t column = 0; column <= size_; ++column) {
        if (done[column] != 0) {
          row_potential_[row_of_[column]] += step;
          column_potential_[column] -= step;
        } else {
          least[column] -= step;
        }
      }
      at = next;
    } while (row_of_[at] != 0);
    for (; at != 0; at = before[at]) row_of_[at] = row_of_[before[at]];
  }

  const std::vector<std::vector<std::int64_t>>& scores_;
  std::size_t size_;
  std::vector<std::int64_t> row_potential_, column_potential_;
  std::vector<std::size_t> row_of_;  // by column
};

}  // namespace

std::vector<std::size_t> best_assignment(const std::vector<std::vector<std::int64_t>>& scores) {
  return Hungarian(scores).run();
}

}  // namespace fatwood
