// SPDX-License-Identifier: BSD-3-Clause
#include "serve/children/task_pool.hpp"

#include <algorithm>

namespace fatwood::serve {

namespace {

using PoolClock = std::chrono::steady_clock;

double seconds_since(PoolClock::time_point start) {
  return std::chrono::duration<double>(PoolClock::now() - start).count();
}

// What went wrong, without the program's name before it.
std::string message_of(const std::string& err) {
  constexpr std::string_view kName = "fatwood: ";
  std::string line = last_line(err);
  if (line.starts_with(kName)) line.erase(0, kName.size());
  return line;
}

}  // namespace

struct TaskPool::Task {
  std::uint64_t id = 0;
  std::vector<std::string> words;
  TaskStatus status = TaskStatus::kWaiting;
  std::atomic<bool> cancel = false;
  std::atomic<int> progress = 0;
  PoolClock::time_point began = PoolClock::now();
  double seconds = 0;
  int exit_code = 0;
  std::string result, error;
  bool ended() const { return status != TaskStatus::kWaiting && status != TaskStatus::kRunning; }
};

std::string_view status_name(TaskStatus status) {
  constexpr std::string_view kNames[] = {"waiting", "running", "done", "failed", "cancelled"};
  return kNames[static_cast<std::size_t>(status)];
}

TaskPool::TaskPool(ChildLimits limits) : limits_(limits) {
  for (std::size_t i = 0; i < kAtOnce; ++i) threads_.emplace_back([this] { run(); });
}

void TaskPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& task : tasks_) task->cancel = true;
  }
  changed_.notify_all();
}

TaskView TaskPool::view_of(const Task& task) {
  TaskView view{.id = task.id,
                .verb = task.words.front(),
                .status = task.status,
                .progress = task.progress / 1000.0,
                .seconds = task.seconds,
                .exit_code = task.exit_code,
                .result = task.result,
                .error = task.error};
  if (task.status == TaskStatus::kRunning) view.seconds = seconds_since(task.began);
  if (task.status == TaskStatus::kDone) view.progress = 1;
  return view;
}

std::optional<std::uint64_t> TaskPool::start(std::vector<std::string> words) {
  const auto task = std::make_shared<Task>();
  task->words = std::move(words);
  {
    const std::lock_guard lock(mutex_);
    const auto waiting = std::ranges::count_if(
        tasks_, [](const auto& one) { return one->status == TaskStatus::kWaiting; });
    if (stopping_ || static_cast<std::size_t>(waiting) >= kMostWaiting) return std::nullopt;
    task->id = ++last_;
    tasks_.push_back(task);
    while (tasks_.size() > kKept && tasks_.front()->ended()) tasks_.pop_front();
  }
  changed_.notify_all();
  return task->id;
}

std::optional<TaskView> TaskPool::find(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::find(tasks_, id, [](const auto& task) { return task->id; });
  if (at == tasks_.end()) return std::nullopt;
  return view_of(**at);
}

bool TaskPool::cancel(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::find(tasks_, id, [](const auto& task) { return task->id; });
  if (at == tasks_.end() || (*at)->ended()) return false;
  (*at)->cancel = true;
  if ((*at)->status == TaskStatus::kWaiting) (*at)->status = TaskStatus::kCancelled;
  changed_.notify_all();
  return true;
}

TaskView TaskPool::wait(std::uint64_t id) const {
  std::unique_lock lock(mutex_);
  const auto at = std::ranges::find(tasks_, id, [](const auto& task) { return task->id; });
  const std::shared_ptr<Task> task = *at;
  changed_.wait(lock, [&] { return task->ended(); });
  return view_of(*task);
}

std::map<std::string, TaskTimes> TaskPool::times() const {
  const std::lock_guard lock(mutex_);
  return times_;
}

void TaskPool::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    std::shared_ptr<Task> task;
    changed_.wait(lock, [&] {
      const auto at = std::ranges::find(tasks_, TaskStatus::kWaiting,
                                        [](const auto& one) { return one->status; });
      if (at != tasks_.end()) task = *at;
      return stopping_ || task;
    });
    if (stopping_) {
      for (const auto& one : tasks_) {
        if (one->status == TaskStatus::kWaiting) one->status = TaskStatus::kCancelled;
      }
      changed_.notify_all();
      return;
    }
    task->status = TaskStatus::kRunning;
    task->began = PoolClock::now();
    lock.unlock();
    TaskStatus status = TaskStatus::kDone;
    ProgramOutput output;
    std::string error;
    try {
      output = run_child(task->words, limits_, task->cancel, task->progress);
      // 1: a property does not hold, which is an answer.
      if (output.status > 1 || output.out.empty()) {
        status = TaskStatus::kFailed;
        error = message_of(output.err);
      }
    } catch (const ChildError& failed) {
      status = task->cancel ? TaskStatus::kCancelled : TaskStatus::kFailed;
      error = failed.what();
    }
    lock.lock();
    task->seconds = seconds_since(task->began);
    task->exit_code = output.status;
    task->result = std::move(output.out);
    task->error = std::move(error);
    task->status = status;
    TaskTimes& times = times_[task->words.front()];
    ++times.number;
    times.failed += status == TaskStatus::kFailed ? 1 : 0;
    times.seconds += task->seconds;
    changed_.notify_all();
  }
}

}  // namespace fatwood::serve
