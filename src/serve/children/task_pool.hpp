// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tasks that take longer than a request should. Clients start, poll and cancel them.
//
// A task is a command of this program (child.hpp). kAtOnce run at a time, kMostWaiting wait, more
// are refused. The results of the last kKept tasks are stored.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "report/json.hpp"
#include "serve/children/child.hpp"

namespace fatwood::serve {

enum class TaskStatus : std::uint8_t { kWaiting, kRunning, kDone, kFailed, kCancelled };
std::string_view status_name(TaskStatus status);

struct TaskView {
  std::uint64_t id = 0;
  std::string verb;
  TaskStatus status = TaskStatus::kWaiting;
  double progress = 0;  // 0 to 1
  double seconds = 0;
  int exit_code = 0;
  std::string result;  // output of the command: one JSON object
  std::string error;
};

// The times of tasks by verb, for /metrics.
struct TaskTimes {
  std::uint64_t number = 0, failed = 0;
  double seconds = 0;
};

class TaskPool {
 public:
  static constexpr std::size_t kAtOnce = 2;
  static constexpr std::size_t kMostWaiting = 16;
  static constexpr std::size_t kKept = 64;

  explicit TaskPool(ChildLimits limits);
  ~TaskPool() { stop(); }
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  // `words`: VERB and its arguments. No value if too many wait.
  std::optional<std::uint64_t> start(std::vector<std::string> words);
  std::optional<TaskView> find(std::uint64_t id) const;
  bool cancel(std::uint64_t id);
  // Waits for the end. REQUIRES an id of start().
  TaskView wait(std::uint64_t id) const;
  std::map<std::string, TaskTimes> times() const;
  void stop();  // cancels all tasks, and starts no more

 private:
  struct Task;
  void run();
  static TaskView view_of(const Task& task);

  ChildLimits limits_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<std::shared_ptr<Task>> tasks_;  // oldest first
  std::uint64_t last_ = 0;
  std::map<std::string, TaskTimes> times_;
  bool stopping_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace fatwood::serve
