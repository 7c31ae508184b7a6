// SPDX-License-Identifier: BSD-3-Clause
#include "cli/ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <string_view>

#include "cli/outcome.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "mpi/ranks_mpi.h"

namespace fatwood::cli {

namespace {

struct Free {
  void operator()(char* bytes) const { std::free(bytes); }
};

enum Kind : char { kShare = 'S', kEnd = 'E' };

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
  for (const char* const folder : {"../../mpi", "../lib", "../lib/x86_64-linux-gnu"}) {
    const auto path = program / folder / kName;
    if (!std::filesystem::exists(path, none)) continue;
    if (void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
  }
  return dlopen(kName, RTLD_NOW | RTLD_GLOBAL);
}

void append_number(std::string& bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}
std::uint64_t take_number(std::string_view& bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof(number));
  bytes.remove_prefix(sizeof(number));
  return number;
}

// A status and a text, as the error of another process.
std::string packed(const std::exception_ptr& failure) {
  if (!failure) return {};
  const Outcome outcome = outcome_of(failure);
  std::string bytes;
  append_number(bytes, static_cast<std::uint64_t>(outcome.status));
  return bytes + outcome.message;
}
[[noreturn]] void throw_packed(std::string_view bytes, const std::string& whose) {
  const std::uint64_t status = take_number(bytes);
  const std::string message = whose + std::string(bytes);
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
  decltype(&fatwood_mpi_next) next = nullptr;
  decltype(&fatwood_mpi_exchange) exchange = nullptr;
  decltype(&fatwood_mpi_end) end = nullptr;
};

Ranks::Ranks() {
  if (!started_by_mpi()) return;
  auto library = std::make_unique<Library>();
  library->handle = open_library();
  if (library->handle == nullptr) {
    throw InputError(fmt::format(
        "started by mpirun or srun, but libfatwood_mpi.so can't be opened: install Open MPI "
        "(Debian: "
        "libopenmpi3) and a fatwood that was built with libopenmpi-dev, or start it alone ({})",
        dlerror()));
  }
  const auto start = library->find<decltype(fatwood_mpi_start)>("fatwood_mpi_start");
  library->next = library->find<decltype(fatwood_mpi_next)>("fatwood_mpi_next");
  library->exchange = library->find<decltype(fatwood_mpi_exchange)>("fatwood_mpi_exchange");
  library->end = library->find<decltype(fatwood_mpi_end)>("fatwood_mpi_end");
  if (start == nullptr || library->next == nullptr || library->exchange == nullptr ||
      library->end == nullptr || start(&rank_, &size_) != 0) {
    throw InputError("MPI can't be started");
  }
  library_ = std::move(library);
}

Ranks::~Ranks() {
  if (library_) library_->end();
}

Share Ranks::share() {
  if (size_ == 1) return {};
  return
      [this](std::size_t count, int threads, const std::function<std::string(std::size_t)>& work) {
        return shared(count, threads, work);
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
  throw_packed(std::string_view(message).substr(1), fmt::format("rank {}: ", rank));
}

// Encoding: 'S', then for each item done its number, 1 if it failed, its size and its bytes.
std::vector<std::string> Ranks::shared(std::size_t count, int threads,
                                       const std::function<std::string(std::size_t)>& work) {
  const std::uint64_t begin = begin_;
  // Every rank takes one number too many.
  begin_ += count + static_cast<std::uint64_t>(size_);
  std::mutex mutex;
  bool over = false;
  std::string own(1, kShare);
  const auto next = [&]() -> std::uint64_t {
    const std::lock_guard lock(mutex);
    if (over) return count;
    const std::uint64_t item = library_->next() - begin;
    over = item >= count;
    return item;
  };
  const auto team = static_cast<std::size_t>(thread_count(threads));
  parallel_for(team, threads, [&](std::size_t, int) {
    for (std::uint64_t item = next(); item < count; item = next()) {
      std::string result;
      std::exception_ptr failure;
      try {
        result = work(item);
      } catch (...) {
        failure = std::current_exception();
        result = packed(failure);
      }
      const std::lock_guard lock(mutex);
      append_number(own, item);
      append_number(own, failure ? 1 : 0);
      append_number(own, result.size());
      own += result;
    }
  });
  const std::vector<std::string> parts = exchange(own);
  std::vector<std::string> results(count);
  std::uint64_t failed = count;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    if (parts[rank].front() == kEnd) end_with(rank, parts[rank]);
    std::string_view bytes = std::string_view(parts[rank]).substr(1);
    while (!bytes.empty()) {
      const std::uint64_t item = take_number(bytes);
      if (take_number(bytes) != 0) failed = std::min(failed, item);
      const std::uint64_t size = take_number(bytes);
      results[item] = bytes.substr(0, size);
      bytes.remove_prefix(size);
    }
  }
  // As one process would: the first item that fails.
  if (failed < count) throw_packed(results[failed], "");
  return results;
}

void Ranks::finish(const std::exception_ptr& failure) {
  if (size_ == 1 || ended_) return;
  ended_ = true;
  const std::vector<std::string> parts = exchange(std::string(1, kEnd) + packed(failure));
  if (failure) return;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    if (parts[rank].front() == kEnd && parts[rank].size() > 1) end_with(rank, parts[rank]);
  }
}

}  // namespace fatwood::cli
