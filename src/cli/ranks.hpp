// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The processes of an mpirun or srun. Every rank runs the same verb; what is independent is given
// out item by item as ranks get free, and everybody gets all results, so that all go on alike. Rank
// 0 prints. The bytes are those of one process.
//
// Ranks meet in exchanges: each brings the results of a share, or that it has come to its end, with
// its error if it has one. So a rank that fails ends all, wherever the others are. MPI itself is in
// libfatwood_mpi.so (mpi/), opened when the environment says that there are several ranks.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/share.hpp"

namespace fatwood::cli {

class Ranks {
 public:
  // One rank unless the environment is that of mpirun or srun. InputError if there are several
  // and MPI cannot be had, with what to install.
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  // Empty for one rank. The ranks must outlive it.
  Share share();

  // The last thing a rank does: `failure` is what it ended with, or nothing. Throws the failure of
  // another rank if this one has none.
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
  std::uint64_t begin_ = 0;  // the number of the next share's first item
  bool ended_ = false;       // somebody has come to the end: no more exchanges
};

}  // namespace fatwood::cli
