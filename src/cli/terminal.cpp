// SPDX-License-Identifier: BSD-3-Clause
#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "cli/outcome.hpp"
#include "cli/progress_line.hpp"
#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/printable.hpp"
#include "io/base/output.hpp"
#include "report/plot/plot.hpp"

namespace fatwood::cli {

namespace {

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

int text_stream(const Session& session) {
  return session.stdout_taken ? STDERR_FILENO : STDOUT_FILENO;
}

}  // namespace

std::size_t terminal_columns(const Session& session) {
  const int stream = text_stream(session);
  if (isatty(stream) == 0) return 0;
  if (const char* const given = std::getenv("COLUMNS")) {
    if (const auto columns = parse_number<std::size_t>(given); columns && *columns > 0) {
      return *columns;
    }
  }
  winsize size{};
  return ioctl(stream, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

Colour chosen_colour(const std::string& word, const Session& session) {
  if (word == "always") return Colour::kAnsi;
  if (word == "never" || session.json) return Colour::kNone;
  const char* const none = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  const bool refused =
      (none != nullptr && *none != 0) || (term != nullptr && std::string_view(term) == "dumb");
  return !refused && isatty(text_stream(session)) != 0 ? Colour::kAnsi : Colour::kNone;
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
    say(fmt::format("wrote {} ({})\n", printable_text(path), size_text(bytes)));
  }
}

Progress terminal_progress(std::string label) {
  if (const char* const name = std::getenv("FATWOOD_PROGRESS_FD")) {
    if (const auto descriptor = parse_number<int>(name)) {
      return [lines = std::make_shared<ProgressLines>(*descriptor)](
                 double fraction, std::string_view text) { lines->show(fraction, text); };
    }
  }
  return progress_on_line(std::move(label));
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
