// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The processes of an mpirun or srun. Every rank runs the same verb. Independent items are given to
// ranks as they become free, and every rank gets all results, so all continue in the same way. Rank
// 0 prints. The output is that of a single process.
//
// Ranks communicate in exchanges: each sends the results of a share, or that it has ended, with its
// error if any. So a rank that fails ends all, wherever the others are. MPI itself is in
// libfatwood_mpi.so (mpi/), which is loaded if the environment has several ranks.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/work_share.hpp"

namespace fatwood::cli {

class Ranks {
 public:
  // One rank unless started by mpirun or srun. InputError, with what to install, if there are
  // several and MPI is not available.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  // Empty for one rank. The ranks must outlive it.
  WorkShare share();

  // The last call of a rank; `failure` is its exception, if any. Throws the failure of another rank
  // if this one has none.
  void finish(const std::exception_ptr& failure);

 private:
  struct Library;
  std::vector<std::string> each(std::size_t count, int threads, const SharedWork& work);
  std::string once(const std::function<std::string()>& read);
  std::vector<std::string> meet(const std::string& bytes);
  std::vector<std::string> exchange(const std::string& bytes);
  [[noreturn]] void end_with(std::size_t rank, const std::string& message);

  std::unique_ptr<Library> library_;
  int rank_ = 0;
  int size_ = 1;
  std::uint64_t begin_ = 0;  // the number of the first item of the next share
  bool ended_ = false;       // some rank has ended: no more exchanges
};

}  // namespace fatwood::cli
