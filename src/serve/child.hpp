// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Child processes: whatever computes runs in one, so that a crash, an endless loop or a lack of
// memory there ends the request and not the server.
//
// run_child:   fatwood VERB ... --json, once; its output is the answer.
// Worker:      fatwood-serve --worker FD, which keeps a fabric and its routes in memory and answers
//              one call after another (worker.cpp). It is started again after it died.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace fatwood::serve {

// A child that did not answer: it crashed, took too long, or was cancelled.
class ChildError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ChildLimits {
  std::chrono::seconds time{600};
  std::uint64_t memory_bytes = 16ULL << 30;  // address space
  std::uint64_t output_bytes = 64ULL << 20;
};

struct ChildOutput {
  int status = 0;  // exit code
  std::string out, err;
};

// Runs `words` (without the program's name) until it ends. `cancel` may become true at any time.
// `progress` holds the share that is done, in thousandths. ChildError as above.
ChildOutput run_child(const std::vector<std::string>& words, const ChildLimits& limits,
                      const std::atomic<bool>& cancel, std::atomic<int>& progress);

// The same for another program, which is found by PATH or in /usr/sbin.
ChildOutput run_program(const std::vector<std::string>& words, const ChildLimits& limits,
                        const std::atomic<bool>& cancel);

// Takes the parts of a reply that come before its end.
using PartHandler = std::function<void(const std::string&)>;

class Worker {
 public:
  explicit Worker(ChildLimits limits) : limits_(limits) {}
  ~Worker() { stop(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Sends a request and waits for the reply; starts the process where there is none. Calls wait
  // for each other. ChildError when it dies or takes too long: it is gone then.
  std::string call(const std::string& request, const PartHandler& part = {});
  std::uint64_t starts() const { return starts_; }
  // How often a process died: what it knew is lost when this has grown.
  std::uint64_t deaths() const { return deaths_; }
  void stop();

 private:
  void start();
  void end();  // kills and reaps

  ChildLimits limits_;
  std::mutex mutex_;
  std::atomic<std::uint64_t> starts_ = 0, deaths_ = 0;
  std::atomic<int> pid_ = 0;
  int socket_ = -1;
};

// The worker's side: the next request, or "" at the end; and its reply.
std::string receive(int socket);
void reply(int socket, const std::string& bytes);
void reply_part(int socket, const std::string& bytes);  // more follows

}  // namespace fatwood::serve
