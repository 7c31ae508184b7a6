// What the verbs share: common options, loading a fabric, the progress bar.

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <memory>

#include "cli/verb.hpp"
#include "io/load_fabric.hpp"

namespace fatwood::cli {

void add_json(CLI::App& verb, Session& session) {
  verb.add_flag("--json", session.json, "print one JSON object instead of the table");
}
void add_threads(CLI::App& verb, Session& session) {
  verb.add_option("--threads", session.threads, "threads to use (0: all cores)")
      ->check(CLI::Range(0, 1024));
}
void add_seed(CLI::App& verb, Session& session) {
  verb.add_option("--seed", session.seed, "seed of all random choices")->capture_default_str();
}

Fabric load(const std::string& spec_or_path) {
  LoadedFabric loaded = load_fabric(spec_or_path);
  constexpr std::size_t kShown = 10;
  for (std::size_t i = 0; i < loaded.warnings.size() && i < kShown; ++i) {
    fmt::print(stderr, "fatwood: warning: {}\n", loaded.warnings[i]);
  }
  if (loaded.warnings.size() > kShown) {
    fmt::print(stderr, "fatwood: warning: and {} more (fatwood show lists them)\n",
               loaded.warnings.size() - kShown);
  }
  return std::move(loaded.fabric);
}

Progress terminal_progress(std::string label) {
  if (isatty(STDERR_FILENO) == 0) return {};
  using Clock = std::chrono::steady_clock;
  struct Bar {
    Clock::time_point start = Clock::now();
    Clock::time_point shown{};
    bool any = false;
    ~Bar() {
      if (any) fmt::print(stderr, "\r\033[K");
    }
  };
  auto bar = std::make_shared<Bar>();
  return [bar, label = std::move(label)](double fraction, std::string_view text) {
    const auto now = Clock::now();
    if (now - bar->shown < std::chrono::milliseconds(100)) return;
    bar->shown = now;
    bar->any = true;
    const double spent = std::chrono::duration<double>(now - bar->start).count();
    const double left = fraction > 0.01 ? spent / fraction * (1 - fraction) : 0;
    const int filled = static_cast<int>(fraction * 24);
    fmt::print(stderr, "\r\033[K{} [{:-<24}] {:3.0f}% {}{}", label,
               std::string(static_cast<std::size_t>(filled), '#'), fraction * 100, text,
               left >= 1 ? fmt::format(", {:.0f} s left", left) : "");
    std::fflush(stderr);
  };
}

}  // namespace fatwood::cli
