// SPDX-License-Identifier: BSD-3-Clause
#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "cli/outcome.hpp"
#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/output.hpp"
#include "report/plot/plot.hpp"

namespace fatwood::cli {

namespace {

// "12 s", "3 min 20 s", "2 h 10 min"
std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

// Of one computation; cleared when that ends.
class Bar {
 public:
  explicit Bar(std::string label) : label_(std::move(label)) {}
  Bar(const Bar&) = delete;
  Bar& operator=(const Bar&) = delete;
  ~Bar() {
    if (any_) say("\r\033[K");
  }

  void show(double fraction, std::string_view text) {
    const auto now = Clock::now();
    if (now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    any_ = true;
    const double spent = std::chrono::duration<double>(now - start_).count();
    const double left = fraction > 0.01 ? spent / fraction * (1 - fraction) : 0;
    const auto filled = static_cast<std::size_t>(fraction * 24);
    say(fmt::format("\r\033[K{} [{:-<24}] {:3.0f}% {}{}", label_, std::string(filled, '#'),
                    fraction * 100, text,
                    left >= 1 ? fmt::format(", {} left", duration_text(left)) : ""));
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_{};
  bool any_ = false;
};

// For the program that started this one: lines "0.42 text" to a descriptor that it names.
class ProgressLines {
 public:
  explicit ProgressLines(int descriptor) : descriptor_(descriptor) {}
  void show(double fraction, std::string_view text) {
    const auto now = Clock::now();
    if (now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    const std::string line = fmt::format("{:.3f} {}\n", fraction, text);
    (void)!write(descriptor_, line.data(), line.size());
  }

 private:
  using Clock = std::chrono::steady_clock;
  int descriptor_;
  Clock::time_point shown_{};
};

}  // namespace

Colour chosen_colour(const std::string& word, const Session& session) {
  if (word == "always") return Colour::kAnsi;
  if (word == "never" || session.json) return Colour::kNone;
  const char* const none = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  const bool refused =
      (none != nullptr && *none != 0) || (term != nullptr && std::string_view(term) == "dumb");
  const int stream = session.stdout_taken ? STDERR_FILENO : STDOUT_FILENO;
  return !refused && isatty(stream) != 0 ? Colour::kAnsi : Colour::kNone;
}

std::string size_text(std::uintmax_t bytes) {
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  double size = static_cast<double>(bytes);
  std::string_view unit;
  for (const std::string_view next : {"kB", "MB", "GB", "TB"}) {
    unit = next;
    size /= 1000;
    if (size < 999.95) break;
  }
  return fmt::format("{:.1f} {}", size, unit);
}

void say_written(std::span<const std::pair<std::string, std::uintmax_t>> files) {
  for (const auto& [path, bytes] : files) {
    say(fmt::format("wrote {} ({})\n", path, size_text(bytes)));
  }
}

Progress terminal_progress(std::string label) {
  if (const char* const name = std::getenv("FATWOOD_PROGRESS_FD")) {
    if (const auto descriptor = parse_number<int>(name)) {
      return [lines = std::make_shared<ProgressLines>(*descriptor)](
                 double fraction, std::string_view text) { lines->show(fraction, text); };
    }
  }
  if (isatty(STDERR_FILENO) == 0) return {};
  auto bar = std::make_shared<Bar>(std::move(label));
  return [bar](double fraction, std::string_view text) { bar->show(fraction, text); };
}

void add_plots(Verb& verb, PlotChoice& choice, const std::string& what) {
  verb.add_flag("--plot", choice.plot, fmt::format("also draw {} in the terminal", what));
  verb.add_output("--svg", choice.svg, output_form::kPlot, fmt::format("file: plot {}", what));
}

void draw(const PlotChoice& choice, const Session& session, const std::vector<PlotPanel>& panels) {
  if (choice.plot && session.json) {
    throw InputError("--plot and --json both write to standard output: leave one out");
  }
  if (session.rank != 0) return;
  if (choice.plot) print(session, "\n" + text_plot(panels));
  if (!choice.svg.empty()) {
    write_output(choice.svg, svg_plot(panels));
  }
}

}  // namespace fatwood::cli
