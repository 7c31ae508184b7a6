// SPDX-License-Identifier: BSD-3-Clause
#include "cli/progress_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

namespace fatwood::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kFirst{1};  // nothing is drawn before
constexpr std::chrono::milliseconds kEvery{200};

// "12 s", "3 min 20 s", "2 h 10 min"
std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(descriptor, text.data(), text.size());
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

// The line, and what the computation that reports reported last.
class Display {
 public:
  void start(std::string label) {
    label_ = std::move(label);
    start_ = Clock::now();
    thread_ = std::thread([this] { draw_until_stopped(); });
  }
  void stop() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      erase();
    }
    wake_.notify_all();
    thread_.join();
  }
  bool is_running() const { return thread_.joinable(); }

  void report(const std::string& label, Clock::time_point since, double fraction,
              std::string_view text) {
    const std::lock_guard lock(mutex_);
    bar_ = {true, label, since, fraction, std::string(text)};
  }
  void end_report() {
    const std::lock_guard lock(mutex_);
    bar_.shown = false;
  }
  // Writes what the program prints, below nothing.
  ssize_t print(int descriptor, const char* text, std::size_t size) {
    const std::lock_guard lock(mutex_);
    erase();
    return write(descriptor, text, size);
  }

 private:
  struct Bar {
    bool shown = false;
    std::string label;
    Clock::time_point since;
    double fraction = 0;
    std::string text;
  };

  void draw_until_stopped() {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, kFirst, [&] { return stopped_; });
    while (!stopped_) {
      draw();
      wake_.wait_for(lock, kEvery, [&] { return stopped_; });
    }
  }
  std::string line() const {
    if (!bar_.shown) return fmt::format("{}: {}", label_, duration_text(seconds_since(start_)));
    const double spent = seconds_since(bar_.since);
    const double left = bar_.fraction > 0.01 ? spent / bar_.fraction * (1 - bar_.fraction) : 0;
    const auto filled = static_cast<std::size_t>(std::clamp(bar_.fraction, 0.0, 1.0) * 24);
    return fmt::format("{} [{:-<24}] {:3.0f}% {}{}", bar_.label, std::string(filled, '#'),
                       bar_.fraction * 100, bar_.text,
                       left >= 1 ? fmt::format(", {} left", duration_text(left)) : "");
  }
  // A line that the terminal breaks could not be erased.
  void draw() {
    winsize size{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    const std::size_t columns = known ? size.ws_col - 1U : 79;
    write_all(STDERR_FILENO, "\r\033[K" + line().substr(0, columns));
    drawn_ = true;
  }
  void erase() {
    if (drawn_) write_all(STDERR_FILENO, "\r\033[K");
    drawn_ = false;
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
  std::string label_;
  Clock::time_point start_;
  Bar bar_;
  bool drawn_ = false;
  bool stopped_ = false;
};

Display& display() {
  static Display* const only = new Display;  // never destroyed: streams may be flushed at exit
  return *only;
}

template <int kDescriptor>
ssize_t print_to(void*, const char* text, std::size_t size) {
  return display().print(kDescriptor, text, size);
}

// Everything that is printed to the stream goes by Display::print.
template <int kDescriptor>
void redirect(FILE*& stream, int buffering) {
  std::fflush(stream);
  cookie_io_functions_t functions{};
  functions.write = print_to<kDescriptor>;
  FILE* const by_display = fopencookie(nullptr, "w", functions);
  if (by_display == nullptr) return;
  std::setvbuf(by_display, nullptr, buffering, BUFSIZ);
  stream = by_display;
}

}  // namespace

ProgressLine::ProgressLine(std::string label) {
  if (isatty(STDERR_FILENO) == 0) return;
  redirect<STDOUT_FILENO>(stdout, isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF);
  redirect<STDERR_FILENO>(stderr, _IONBF);
  display().start(std::move(label));
}

ProgressLine::~ProgressLine() { display().stop(); }

Progress progress_on_line(std::string label) {
  if (!display().is_running()) return {};
  struct Report {
    std::string label;
    Clock::time_point since = Clock::now();
    ~Report() { display().end_report(); }
  };
  return [report = std::shared_ptr<Report>(new Report{std::move(label)})](double fraction,
                                                                          std::string_view text) {
    display().report(report->label, report->since, fraction, text);
  };
}

}  // namespace fatwood::cli
