// SPDX-License-Identifier: BSD-3-Clause
#include "cli/ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <string_view>

#include "cli/outcome.hpp"
#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "mpi/ranks_mpi.h"

namespace fatwood::cli {

namespace {

struct Free {
  void operator()(char* bytes) const { std::free(bytes); }
};

enum MessageKind : char { kShare = 'S', kEnd = 'E' };

// mpirun of Open MPI; srun --mpi=pmix; srun --mpi=pmi2.
bool started_by_mpi() {
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

// In the build tree, in an installation, on the loader's path.
void* open_library() {
  constexpr const char* kName = "libfatwood_mpi.so";
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  for (const char* const folder : {"../../mpi", FATWOOD_MPI_FOLDER}) {
    const auto path = program / folder / kName;
    if (!std::filesystem::exists(path, none)) continue;
    if (void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
  }
  return dlopen(kName, RTLD_NOW | RTLD_GLOBAL);
}

// A status and a text, as the error of another process.
std::string packed(const std::exception_ptr& failure) {
  if (!failure) return {};
  const Outcome outcome = outcome_of(failure);
  BytesOut out;
  out(outcome.status, outcome.message);
  return out.take();
}
[[noreturn]] void throw_packed(std::string_view bytes, const std::string& whose) {
  int status = 0;
  std::string message;
  BytesIn in(bytes);
  in(status, message);
  message = whose + message;
  if (status == 1) throw PromiseError(message);
  if (status == 2) throw InputError(message);
  throw std::runtime_error(message);
}

}  // namespace

struct Ranks::Library {
  template <class Function>
  Function* find(const char* name) {
    return reinterpret_cast<Function*>(dlsym(handle, name));
  }
  void* handle = nullptr;
  decltype(&fatwood_mpi_add) add = nullptr;
  decltype(&fatwood_mpi_exchange) exchange = nullptr;
  decltype(&fatwood_mpi_end) end = nullptr;
};

Ranks::Ranks() {
  if (!started_by_mpi()) return;
  auto library = std::make_unique<Library>();
  library->handle = open_library();
  if (library->handle == nullptr) {
    throw InputError(fmt::format(
        "started by mpirun or srun, but libfatwood_mpi.so can't be opened: install the package "
        "fatwood-mpi, or Open MPI (Debian: libopenmpi3) and a fatwood that was built with "
        "libopenmpi-dev; or start it alone ({})",
        dlerror()));
  }
  const auto start = library->find<decltype(fatwood_mpi_start)>("fatwood_mpi_start");
  library->add = library->find<decltype(fatwood_mpi_add)>("fatwood_mpi_add");
  library->exchange = library->find<decltype(fatwood_mpi_exchange)>("fatwood_mpi_exchange");
  library->end = library->find<decltype(fatwood_mpi_end)>("fatwood_mpi_end");
  if (start == nullptr || library->add == nullptr || library->exchange == nullptr ||
      library->end == nullptr || start(&rank_, &size_) != 0) {
    throw InputError("MPI can't be started");
  }
  library_ = std::move(library);
}

Ranks::~Ranks() {
  if (library_) library_->end();
}

WorkShare Ranks::share() {
  if (size_ == 1) return {};
  return {
      .processes = size_,
      .each = [this](std::size_t count, int threads,
                     const SharedWork& work) { return each(count, threads, work); },
      .once = [this](const std::function<std::string()>& read) { return once(read); },
  };
}

std::vector<std::string> Ranks::exchange(const std::string& bytes) {
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(size_));
  char* all = nullptr;
  const int failed = library_->exchange(bytes.data(), bytes.size(), size_, &all, sizes.data());
  const std::unique_ptr<char, Free> owner(all);
  if (failed != 0) throw std::runtime_error("MPI: an exchange of results failed");
  std::vector<std::string> parts;
  std::size_t at = 0;
  for (const std::uint64_t size : sizes) {
    parts.emplace_back(all + at, size);
    at += size;
  }
  return parts;
}

void Ranks::end_with(std::size_t rank, const std::string& message) {
  ended_ = true;
  if (message.size() == 1) {
    throw std::runtime_error(fmt::format("rank {} came to its end before the others", rank));
  }
  throw_packed(std::string_view(message).substr(1), fmt::format("rank {}: ", rank));
}

std::string Ranks::once(const std::function<std::string()>& read) {
  std::string own(1, kShare);
  if (rank_ == 0) own += read();
  return meet(own)[0].substr(1);
}

// Exchanges, unless somebody has come to the end.
std::vector<std::string> Ranks::meet(const std::string& bytes) {
  std::vector<std::string> parts = exchange(bytes);
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    if (parts[rank].front() == kEnd) end_with(rank, parts[rank]);
  }
  return parts;
}

// Encoding: 'S', then for each item done its number, 1 if it failed, and its bytes. Items are given
// out in order, so when one has failed those before it are done or being done: nobody needs to
// begin another, and the first that fails is that of one process.
std::vector<std::string> Ranks::each(std::size_t count, int threads, const SharedWork& work) {
  const std::uint64_t begin = begin_;
  // Every rank takes one number too many.
  begin_ += count + static_cast<std::uint64_t>(size_);
  std::mutex mutex;
  bool over = false;
  bool failed_here = false;
  BytesOut own;
  own(kShare);
  const auto next = [&]() -> std::uint64_t {
    const std::lock_guard lock(mutex);
    while (!over) {
      const std::uint64_t item = library_->add(1) - begin;
      over = item >= count;
      if (!failed_here) return item;
    }
    return count;
  };
  const auto team = static_cast<std::size_t>(thread_count(threads));
  parallel_for(team, threads, [&](std::size_t thread, int) {
    for (std::uint64_t item = next(); item < count; item = next()) {
      std::string result;
      std::exception_ptr failure;
      try {
        result = work(item, static_cast<int>(thread));
      } catch (...) {
        failure = std::current_exception();
        result = packed(failure);
      }
      const std::lock_guard lock(mutex);
      failed_here = failed_here || failure;
      own(item, std::uint64_t{failure ? 1U : 0U}, result);
    }
  });
  std::vector<std::string> results(count);
  std::uint64_t failed = count;
  for (const std::string& part : meet(own.take())) {
    BytesIn in(std::string_view(part).substr(1));
    while (!in.empty()) {
      std::uint64_t item = 0;
      std::uint64_t failure = 0;
      std::string result;
      in(item, failure, result);
      if (failure != 0) failed = std::min(failed, item);
      results[item] = std::move(result);
    }
  }
  if (failed < count) throw_packed(results[failed], "");
  return results;
}

void Ranks::finish(const std::exception_ptr& failure) {
  if (size_ == 1 || ended_) return;
  ended_ = true;
  // Others are not to begin anything more.
  if (failure) library_->add(std::uint64_t{1} << 62U);
  std::string own(1, kEnd);
  own += packed(failure);
  const std::vector<std::string> parts = exchange(own);
  if (failure) return;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    if (parts[rank].front() == kEnd && parts[rank].size() > 1) end_with(rank, parts[rank]);
  }
}

}  // namespace fatwood::cli
