// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Long calls that do not block the interpreter. The work runs in its own thread, without Python.
// The caller's thread waits without the interpreter lock. Several times a second it checks for
// Ctrl-C and reports progress.
//
// Ctrl-C returns to the caller at once. The work stops the next time it reports progress. Until
// then it runs on data that it owns: `work` must capture by value and hold no Python object.

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "core/progress.hpp"

namespace fatwood::python {

namespace py = pybind11;

class Job {
 public:
  void report(double fraction, std::string_view text) {
    if (stopped_) throw Stopped{};
    const std::lock_guard lock(mutex_);
    fraction_ = fraction;
    text_ = text;
  }
  std::pair<double, std::string> reported() {
    const std::lock_guard lock(mutex_);
    return {fraction_, text_};
  }
  void stop() { stopped_ = true; }

 private:
  struct Stopped {};
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  double fraction_ = 0;
  std::string text_;
};

// Returns or throws what work(progress) does. `report` is None, or is called with (fraction, text).
template <class Work>
auto in_background(const py::object& report, Work work) {
  using Result = std::invoke_result_t<Work, const Progress&>;
  const auto job = std::make_shared<Job>();
  std::promise<Result> promise;
  std::future<Result> future = promise.get_future();
  std::thread([job, work = std::move(work), promise = std::move(promise)]() mutable {
    try {
      promise.set_value(
          work([job](double fraction, std::string_view text) { job->report(fraction, text); }));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }).detach();
  try {
    while (true) {
      {
        const py::gil_scoped_release free;
        if (future.wait_for(std::chrono::milliseconds(100)) == std::future_status::ready) break;
      }
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (report.is_none()) continue;
      const auto [fraction, text] = job->reported();
      report(fraction, text);
    }
  } catch (...) {
    job->stop();
    throw;
  }
  Result result = future.get();
  if (!report.is_none()) report(1.0, job->reported().second);  // even after a quick call
  return result;
}

}  // namespace fatwood::python
