// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A pool of numbered cells for several threads. Cells never move, so one thread can take new ones
// while others use theirs. Address space for all cells is reserved at once; memory is used only
// from the first use of a cell.
//
// Each thread keeps up to two chains of the cells that it gave back. Further chains go to a common
// list, because packets may begin on one thread and end on another.

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace fatwood::sim {

// Next: the field that links free cells.
template <class T, std::uint32_t T::* Next>
class Pool {
  static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr std::uint32_t kChain = 64;  // cells that change hands together

 public:
  // The free cells of one thread.
  struct Own {
    std::uint32_t free = kNone;  // the chain in use
    std::uint32_t count = 0;     // number of its cells
    std::uint32_t full = kNone;  // another chain, of kChain cells
  };

  // For at most `most` cells in use at once, by this many threads.
  Pool(std::size_t most, std::size_t threads) : bytes_((most + threads * 3 * kChain) * sizeof(T)) {
    void* const memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    if (bytes_ >= kLarge) (void)madvise(memory, bytes_, MADV_HUGEPAGE);
    cells_ = static_cast<T*>(memory);
  }
  ~Pool() { munmap(cells_, bytes_); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  T* cells() { return cells_; }

  std::uint32_t take(Own& own) {
    if (own.free == kNone) {
      own.free = own.full != kNone ? std::exchange(own.full, kNone) : chain();
      own.count = kChain;
    }
    const std::uint32_t cell = own.free;
    own.free = cells_[cell].*Next;
    --own.count;
    return cell;
  }
  void give(Own& own, std::uint32_t cell) {
    if (own.count == kChain) {
      if (own.full != kNone) pass_on(own.full);
      own.full = std::exchange(own.free, kNone);
      own.count = 0;
    }
    cells_[cell].*Next = own.free;
    own.free = cell;
    ++own.count;
  }

 private:
  // Pools of this size or more use huge pages, because all of their memory is accessed
  // (huge_vector.hpp). A small pool would use a whole huge page for a few cells.
  static constexpr std::size_t kLarge = std::size_t{1} << 26U;

  // A chain of cells that no thread has.
  std::uint32_t chain() {
    const std::lock_guard lock(mutex_);
    if (!passed_on_.empty()) {
      const std::uint32_t first = passed_on_.back();
      passed_on_.pop_back();
      return first;
    }
    const std::uint32_t first = used_;
    if ((std::size_t{first} + kChain) * sizeof(T) > bytes_) throw std::bad_alloc();
    used_ += kChain;
    for (std::uint32_t i = 0; i < kChain; ++i) {
      cells_[first + i].*Next = i + 1 < kChain ? first + i + 1 : kNone;
    }
    return first;
  }
  void pass_on(std::uint32_t first) {
    const std::lock_guard lock(mutex_);
    passed_on_.push_back(first);
  }

  std::size_t bytes_;
  T* cells_ = nullptr;
  std::mutex mutex_;
  std::uint32_t used_ = 0;
  std::vector<std::uint32_t> passed_on_;
};

}  // namespace fatwood::sim
