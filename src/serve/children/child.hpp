// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Child processes. All computing runs in them, so that a crash, an endless loop or a lack of memory
// ends a request and not the server.
//
// run_child:   fatwood VERB ... --json, once; its output is the answer.
// Worker:      a process that answers one call after another. It is restarted if it dies.
//              fatwood-serve --worker FD holds a fabric and its routes in memory (worker.cpp);
//              fatwood-serve --files-worker FD touches the user's files (files_worker.cpp).
//
// Every wait for a child has a time limit: for its reply, for its reading of a request, for its
// end. A child that exceeds it is killed.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/base/run_program.hpp"

namespace fatwood::serve {

// A child that did not answer: it crashed, took too long, or was cancelled.
using ChildError = ProgramError;

struct ChildLimits {
  std::chrono::seconds time{600};
  std::uint64_t memory_bytes = 16ULL << 30;  // address space
  std::uint64_t output_bytes = 64ULL << 20;
};

// Runs `words` (without the program's name) to the end. `cancel` may become true at any time.
// `progress` is in thousandths.
ProgramOutput run_child(const std::vector<std::string>& words, const ChildLimits& limits,
                        const std::atomic<bool>& cancel, std::atomic<int>& progress);

// Receives the parts of a reply before its end.
using PartHandler = std::function<void(const std::string&)>;

class Worker {
 public:
  // `word`: what the process does, --worker or --files-worker.
  Worker(ChildLimits limits, std::string word) : limits_(limits), word_(std::move(word)) {}
  ~Worker() { stop(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Sends a request and waits for the reply; starts the process if there is none. Calls are
  // serialised. ChildError if the process dies or takes too long; it is then gone. `first`: a
  // shorter limit for the first part.
  std::string call(const std::string& request, const PartHandler& part = {},
                   std::optional<std::chrono::seconds> first = {});
  std::uint64_t starts() const { return starts_; }
  // How often a process died. If this has grown, its state is lost.
  std::uint64_t deaths();
  void stop();

 private:
  void start();
  void end();  // kills and reaps
  // Notes the death of a process that nobody asks. Its exit status, if it died.
  std::optional<int> find_death();

  ChildLimits limits_;
  std::string word_;
  std::mutex mutex_;
  std::atomic<std::uint64_t> starts_ = 0, deaths_ = 0;
  std::atomic<int> pid_ = 0;
  int socket_ = -1;
};

// The worker's side: receives the next request ("" at the end), and replies.
std::string receive(int socket);
void reply(int socket, const std::string& bytes);
void reply_part(int socket, const std::string& bytes);  // more follows

}  // namespace fatwood::serve
