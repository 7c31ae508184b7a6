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

 private:
  // A function of any type.
  struct Found {
    void* address;
    template <class Function>
    operator Function*() const {
      return reinterpret_cast<Function*>(address);
    }
  };

  ClpLibrary() = default;
  static void* open() {
    void* const library = dlopen("libClp.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      throw InputError(
          "a linear program needs libClp.so.1, which is not installed (Debian: "
          "apt install coinor-libclp1)");
    }
    return library;
  }
  Found find(const char* name) const {
    void* const address = dlsym(library_, name);
    if (address == nullptr) throw InputError(fmt::format("libClp.so.1 has no {}", name));
    return {address};
  }
  void* const library_ = open();

 public:
  decltype(&Clp_newModel) new_model = find("Clp_newModel");
  decltype(&Clp_deleteModel) delete_model = find("Clp_deleteModel");
  decltype(&Clp_setLogLevel) set_log_level = find("Clp_setLogLevel");
  decltype(&Clp_loadProblem) load_problem = find("Clp_loadProblem");
  decltype(&Clp_setPrimalTolerance) set_primal_tolerance = find("Clp_setPrimalTolerance");
  decltype(&Clp_setDualTolerance) set_dual_tolerance = find("Clp_setDualTolerance");
  decltype(&Clp_addColumns) add_columns = find("Clp_addColumns");
  decltype(&Clp_primal) primal = find("Clp_primal");
  decltype(&Clp_status) status = find("Clp_status");
  decltype(&Clp_getObjValue) objective = find("Clp_getObjValue");
  decltype(&Clp_dualRowSolution) row_prices = find("Clp_dualRowSolution");
  decltype(&Clp_getColSolution) columns = find("Clp_getColSolution");
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
