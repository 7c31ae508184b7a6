// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A barrier for a fixed number of threads that meet thousands of times a second. A thread that
// comes early polls for about as long as it takes to wake a thread, and then sleeps.

#include <atomic>
#include <cstdint>

namespace fatwood::sim {

class Barrier {
 public:
  explicit Barrier(std::uint32_t threads) : threads_(threads) {}

  // What a thread wrote before wait() is seen by all threads after it.
  void wait() {
    const std::uint32_t phase = phase_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      phase_.store(phase + 1, std::memory_order_release);
      phase_.notify_all();
      return;
    }
    constexpr int kLooks = 500;  // polls of some 50 ns each
    for (int look = 0; look < kLooks; ++look) {
      if (phase_.load(std::memory_order_acquire) != phase) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    phase_.wait(phase, std::memory_order_acquire);
  }

 private:
  const std::uint32_t threads_;
  alignas(64) std::atomic<std::uint32_t> arrived_{0};
  alignas(64) std::atomic<std::uint32_t> phase_{0};
};

}  // namespace fatwood::sim
