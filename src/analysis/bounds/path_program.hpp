// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A linear program with a column for each path that was offered. The only file that uses the solver
// (Clp).
//
// The caller defines the rows; the last rows belong to pairs, one each. The column of a path has 1
// in the rows of the links that it crosses and in the row of its pair. It has no cost and no limit.
// There are too many paths to list, so callers offer a path when the prices of the rows make it
// attractive (column generation).

#include <memory>
#include <set>
#include <vector>

namespace fatwood {

// Columns other than paths; each is at least `low`.
struct ProgramColumns {
  std::vector<int> first{0};  // by column, and the end
  std::vector<int> row;
  std::vector<double> value;
  std::vector<double> low, cost;  // by column
};

class PathProgram {
 public:
  static const double kNoLimit;

  // Minimises the cost, with each row between `low` and `high`.
  PathProgram(const ProgramColumns& columns, const std::vector<double>& low,
              const std::vector<double>& high, std::size_t pairs);

  PathProgram(const PathProgram&) = delete;
  ~PathProgram();

  // Adds the path at the next solve(), unless it is known.
  void offer(std::size_t pair, std::vector<int> path);
  bool offered() const { return first_.size() > 1; }
  bool solve();

  double value() const;
  double price(int row) const;
  double price_of_pair(std::size_t pair) const { return price(pair_row(pair)); }
  double column(std::size_t i) const;  // of those that are not paths
  int pair_row(std::size_t pair) const { return first_pair_ + static_cast<int>(pair); }

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
  int first_pair_;
  std::vector<std::set<std::vector<int>>> paths_;  // by pair, as rows
  // The offered paths: the start of each, and the end.
  std::vector<int> first_{0};
  std::vector<int> row_;
};

}  // namespace fatwood
