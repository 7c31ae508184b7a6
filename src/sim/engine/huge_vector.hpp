// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A vector that uses huge pages once it is large. Every tick touches the state of a large fabric
// all over; with small pages most of these accesses would also miss the TLB.

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace fatwood::sim {

template <class T>
struct HugeAllocator {
  using value_type = T;

  HugeAllocator() = default;
  template <class U>
  explicit HugeAllocator(const HugeAllocator<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    const bool huge = bytes >= kHugePage;
    const std::align_val_t align{huge ? kHugePage : kSmall};
    void* const memory = ::operator new(bytes, align);
    if (huge) (void)madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: small pages work, too
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    const std::size_t align = count * sizeof(T) >= kHugePage ? kHugePage : kSmall;
    ::operator delete(memory, std::align_val_t{align});
  }

  friend bool operator==(const HugeAllocator&, const HugeAllocator&) { return true; }

 private:
  static constexpr std::size_t kHugePage = std::size_t{1} << 21;
  static constexpr std::size_t kSmall = alignof(T) > 64 ? alignof(T) : 64;  // lines of memory
};

template <class T>
using HugeVector = std::vector<T, HugeAllocator<T>>;

}  // namespace fatwood::sim
