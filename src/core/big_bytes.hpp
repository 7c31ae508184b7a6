// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A vector of bytes that may be large. It is not zeroed if made without a value, and uses huge
// pages if possible, because touching fresh small pages costs more than writing the bytes of a
// table.

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

namespace fatwood {

template <class T>
struct LazyAllocator {
  using value_type = T;

  LazyAllocator() = default;
  template <class U>
  explicit LazyAllocator(const LazyAllocator<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < kHugePage) return static_cast<T*>(::operator new(bytes));
    void* const memory = ::operator new(bytes, std::align_val_t{kHugePage});
    (void)madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: small pages work, too
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < kHugePage) {
      ::operator delete(memory);
    } else {
      ::operator delete(memory, std::align_val_t{kHugePage});
    }
  }
  // Without arguments: leaves the element uninitialised.
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }

  friend bool operator==(const LazyAllocator&, const LazyAllocator&) { return true; }

 private:
  static constexpr std::size_t kHugePage = std::size_t{1} << 21;
};

template <class T>
using BigVector = std::vector<T, LazyAllocator<T>>;
using BigBytes = BigVector<std::uint8_t>;

}  // namespace fatwood
