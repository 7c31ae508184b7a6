// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/bounds/path_program.hpp"

#include <Clp_C_Interface.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <limits>
#include <type_traits>

#include "core/error.hpp"

namespace fatwood {

// The functions of Clp, loaded when the first program is solved: linking them would load Clp,
// LAPACK and the Fortran runtime at every start of the program, which takes longer than most
// commands do.
class ClpLibrary {
 public:
  static const ClpLibrary& get() {
    static const ClpLibrary library;
    return library;
  }

  decltype(&Clp_newModel) new_model{};
  decltype(&Clp_deleteModel) delete_model{};
  decltype(&Clp_setLogLevel) set_log_level{};
  decltype(&Clp_loadProblem) load_problem{};
  decltype(&Clp_setPrimalTolerance) set_primal_tolerance{};
  decltype(&Clp_setDualTolerance) set_dual_tolerance{};
  decltype(&Clp_addColumns) add_columns{};
  decltype(&Clp_primal) primal{};
  decltype(&Clp_status) status{};
  decltype(&Clp_getObjValue) objective{};
  decltype(&Clp_dualRowSolution) row_prices{};
  decltype(&Clp_getColSolution) columns{};

 private:
  ClpLibrary() : library_(dlopen("libClp.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) {
      throw InputError(
          "a linear program needs libClp.so.1, which is not installed (Debian: "
          "apt install coinor-libclp1)");
    }
    find(new_model, "Clp_newModel");
    find(delete_model, "Clp_deleteModel");
    find(set_log_level, "Clp_setLogLevel");
    find(load_problem, "Clp_loadProblem");
    find(set_primal_tolerance, "Clp_setPrimalTolerance");
    find(set_dual_tolerance, "Clp_setDualTolerance");
    find(add_columns, "Clp_addColumns");
    find(primal, "Clp_primal");
    find(status, "Clp_status");
    find(objective, "Clp_getObjValue");
    find(row_prices, "Clp_dualRowSolution");
    find(columns, "Clp_getColSolution");
  }
  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr) throw InputError(fmt::format("libClp.so.1 has no {}", name));
  }

  void* library_;
};

static_assert(std::is_same_v<CoinBigIndex, int>);

const double PathProgram::kNoLimit = std::numeric_limits<double>::max();  // as Clp has it

struct PathProgram::Solver {
  const ClpLibrary& library = ClpLibrary::get();
  Clp_Simplex* const clp = library.new_model();

  Solver() = default;
  Solver(const Solver&) = delete;
  ~Solver() { library.delete_model(clp); }
};

PathProgram::PathProgram(const ProgramColumns& columns, const std::vector<double>& low,
                         const std::vector<double>& high, std::size_t pairs)
    : solver_(std::make_unique<Solver>()),
      first_pair_(static_cast<int>(low.size() - pairs)),
      paths_(pairs) {
  constexpr double kTolerance = 1e-9;
  const ClpLibrary& library = solver_->library;
  library.set_log_level(solver_->clp, 0);
  library.load_problem(solver_->clp, static_cast<int>(columns.cost.size()),
                       static_cast<int>(low.size()), columns.first.data(), columns.row.data(),
                       columns.value.data(), columns.low.data(), nullptr, columns.cost.data(),
                       low.data(), high.data());
  library.set_primal_tolerance(solver_->clp, kTolerance);
  library.set_dual_tolerance(solver_->clp, kTolerance);
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
  const ClpLibrary& library = solver_->library;
  const std::size_t columns = first_.size() - 1;
  const std::vector<double> zeros(columns, 0);
  const std::vector<double> most(columns, kNoLimit);
  const std::vector<double> ones(row_.size(), 1);
  library.add_columns(solver_->clp, static_cast<int>(columns), zeros.data(), most.data(),
                      zeros.data(), first_.data(), row_.data(), ones.data());
  first_.resize(1);
  row_.clear();
  library.primal(solver_->clp, 0);
  return library.status(solver_->clp) == 0;
}

double PathProgram::value() const { return solver_->library.objective(solver_->clp); }
double PathProgram::price(int row) const { return solver_->library.row_prices(solver_->clp)[row]; }
double PathProgram::column(std::size_t i) const {
  return solver_->library.columns(solver_->clp)[i];
}

}  // namespace fatwood
