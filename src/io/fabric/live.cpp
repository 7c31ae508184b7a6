// SPDX-License-Identifier: BSD-3-Clause
#include "io/fabric/live.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"
#include "io/base/input.hpp"

namespace fatwood {

namespace {

// "live:mlx5_0:1" is -C mlx5_0 -P 1.
std::vector<std::string> port_options(const std::string& word) {
  if (word == "live") return {};
  const std::size_t device = word.find(':') + 1;
  const std::size_t colon = word.find(':', device);
  const std::string name = word.substr(device, colon == word.npos ? word.npos : colon - device);
  const auto port = colon == word.npos ? std::optional<unsigned>(1)
                                       : parse_number<unsigned>(word.substr(colon + 1));
  if (name.empty() || name.front() == '-' || !port) {
    throw InputError(
        fmt::format("expected live or live:DEVICE:PORT, such as live:mlx5_0:1, "
                    "found \"{}\"",
                    word));
  }
  return {"-C", name, "-P", std::to_string(*port)};
}

Input printed_by(const char* program, const std::string& word) {
  return Input(live_output(program, word), fmt::format("{} ({})", word, program));
}

}  // namespace

bool is_live(std::string_view word) { return word == "live" || word.starts_with("live:"); }

std::vector<std::string> live_command(const std::string& program, const std::string& word) {
  std::vector<std::string> words = port_options(word);
  words.insert(words.begin(), program);
  return words;
}

std::string live_output(const std::string& program, const std::string& word,
                        const ProgramLimits& limits, const std::atomic<bool>* cancel) {
  ProgramCall call = diagnostic(live_command(program, word));
  call.own_group = cancel != nullptr;  // otherwise Ctrl-C ends it, too
  ProgramOutput output = run_program(std::move(call), limits, cancel);
  if (output.status == 0) return std::move(output.out);
  throw InputError(
      fmt::format("{} failed: {}; run as root on a host with an active InfiniBand port", program,
                  output.err.empty() ? "it said nothing" : last_line(std::move(output.err))));
}

Input live_fabric(const std::string& word) { return printed_by("ibnetdiscover", word); }
Input live_tables(const std::string& word) { return printed_by("dump_fts", word); }

}  // namespace fatwood
