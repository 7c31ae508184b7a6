// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/bounds/path_program.hpp"

#include <Clp_C_Interface.h>

#include <limits>
#include <type_traits>

namespace fatwood {

static_assert(std::is_same_v<CoinBigIndex, int>);

const double PathProgram::kNoLimit = std::numeric_limits<double>::max();  // as Clp has it

struct PathProgram::Solver {
  Clp_Simplex* const clp = Clp_newModel();

  Solver() = default;
  Solver(const Solver&) = delete;
  ~Solver() { Clp_deleteModel(clp); }
};

PathProgram::PathProgram(const ProgramColumns& columns, const std::vector<double>& low,
                         const std::vector<double>& high, std::size_t pairs)
    : solver_(std::make_unique<Solver>()),
      first_pair_(static_cast<int>(low.size() - pairs)),
      paths_(pairs) {
  constexpr double kTolerance = 1e-9;
  Clp_setLogLevel(solver_->clp, 0);
  Clp_loadProblem(solver_->clp, static_cast<int>(columns.cost.size()), static_cast<int>(low.size()),
                  columns.first.data(), columns.row.data(), columns.value.data(),
                  columns.low.data(), nullptr, columns.cost.data(), low.data(), high.data());
  Clp_setPrimalTolerance(solver_->clp, kTolerance);
  Clp_setDualTolerance(solver_->clp, kTolerance);
}

PathProgram::~PathProgram() = default;

void PathProgram::offer(std::size_t pair, std::vector<int> path) {
  const auto [at, fresh] = paths_[pair].insert(std::move(path));
  if (!fresh) return;
  row_.insert(row_.end(), at->begin(), at->end());
  row_.push_back(pair_row(pair));
  first_.push_back(static_cast<int>(row_.size()));
}

bool PathProgram::solve() {
  const std::size_t columns = first_.size() - 1;
  const std::vector<double> zeros(columns, 0);
  const std::vector<double> most(columns, kNoLimit);
  const std::vector<double> ones(row_.size(), 1);
  Clp_addColumns(solver_->clp, static_cast<int>(columns), zeros.data(), most.data(), zeros.data(),
                 first_.data(), row_.data(), ones.data());
  first_.resize(1);
  row_.clear();
  Clp_primal(solver_->clp, 0);
  return Clp_status(solver_->clp) == 0;
}

double PathProgram::value() const { return Clp_getObjValue(solver_->clp); }
double PathProgram::price(int row) const { return Clp_dualRowSolution(solver_->clp)[row]; }
double PathProgram::column(std::size_t i) const { return Clp_getColSolution(solver_->clp)[i]; }

}  // namespace fatwood
