// SPDX-License-Identifier: BSD-3-Clause
// fatwood VERB ...: parses the command line, runs the verb, turns what it throws into exit codes.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/completion.hpp"
#include "cli/outcome.hpp"
#include "cli/progress_line.hpp"
#include "cli/ranks.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "core/text/printable.hpp"
#include "core/version.hpp"

namespace {

using namespace fatwood;

// A file opened later must not take the number of a closed standard stream. Writing to closed
// standard output stays an error.
void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    (void)open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

// A table that did not reach its reader must not end with 0.
void flush_output() {
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout) {
    throw InputError("standard output can't be written");
  }
}

int report_outcome(const cli::Outcome& outcome) {
  cli::say(fmt::format("fatwood: {}\n", printable_text(outcome.message)));
  return outcome.status;
}

// An exception that nobody could catch, from a destructor or a thread: the same words.
[[noreturn]] void end_at_once() {
  const std::exception_ptr thrown = std::current_exception();
  std::_Exit(report_outcome(thrown ? cli::outcome_of(thrown) : cli::Outcome{70, "internal error"}));
}

// The verbs that share their work; any other runs on rank 0 alone.
bool is_shared(std::string_view verb) {
  constexpr std::string_view kShared[] = {"permutations", "sim", "worst", "whatif", "study", "job"};
  return std::ranges::find(kShared, verb) != std::end(kShared);
}

// Rank 0 prints; what the others would is the same.
void be_silent() {
  const int null = open("/dev/null", O_WRONLY);
  (void)dup2(null, STDOUT_FILENO);
  (void)dup2(null, STDERR_FILENO);
}

// The options of the named verb are enough: adding those of all takes longer than small fabrics do.
void add_verbs(cli::CommandLine& app, cli::Session& session, std::string_view name) {
  for (const cli::VerbRow& verb : cli::verbs()) {
    if (name.empty() || verb.name == name) verb.add(app, session);
  }
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

// "help VERB" is "VERB --help".
std::vector<const char*> words_of(int argc, const char* const* argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc > 2 && std::string_view(argv[1]) == "help" && argv[2][0] != '-') {
    words[1] = argv[2];
    words[2] = "--help";
  }
  return words;
}

int run(int argc, const char* const* argv, cli::Ranks& ranks) {
  const std::vector<const char*> words = words_of(argc, argv);
  const std::string_view first = argc > 1 ? words[1] : "";
  cli::CommandLine app("fatwood", "", fmt::format("fatwood {}", version()));
  cli::Session session;
  session.rank = ranks.rank();
  session.share = ranks.share();
  if (const std::string list =
          argc == 3 && std::string_view(argv[1]) == "help" ? cli::list_of(argv[2]) : std::string();
      !list.empty()) {
    fmt::print("{}", list);
  } else if (is_one_of(first, {"help", "--help", "-h", "--help-all"})) {
    add_verbs(app, session, "");
    fmt::print("{}", cli::overview(app));
  } else if (first == "complete") {
    add_verbs(app, session, argc > 2 && cli::is_verb(words[2]) ? words[2] : "");
    fmt::print("{}", cli::completions(app, std::span(words).subspan(2)));
  } else {
    if (first != "--version") cli::require_verb(first);
    add_verbs(app, session, first);
    app.run(static_cast<int>(words.size()), words.data());
  }
  flush_output();
  return session.status;
}

// Runs and meets the other ranks at the end, with what went wrong.
int run_as_one(int argc, const char* const* argv, cli::Ranks& ranks) {
  int status = 0;
  std::exception_ptr failure;
  try {
    status = run(argc, argv, ranks);
  } catch (...) {
    failure = std::current_exception();
  }
  ranks.finish(failure);
  if (failure) std::rethrow_exception(failure);
  return status;
}

int run_rank(int argc, const char* const* argv, cli::Ranks& ranks) {
  const bool verb = argc >= 2 && cli::is_verb(argv[1]);
  const cli::ProgressLine progress(verb ? fmt::format("fatwood {}", argv[1]) : "fatwood");
  if (ranks.rank() == 0) return run_as_one(argc, argv, ranks);
  be_silent();
  if (argc >= 2 && is_shared(argv[1])) {
    (void)run_as_one(argc, argv, ranks);
  } else {
    ranks.finish({});
  }
  return 0;  // rank 0 reports errors
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_at_once);
  hold_standard_streams();
  // A file that grows beyond the limit (ulimit -f) is then an error of write(), with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    cli::Ranks ranks;
    try {
      return run_rank(argc, argv, ranks);
    } catch (...) {
      // Before the ranks part: mpirun ends all of them when one ends with an error.
      return report_outcome(cli::outcome_of(std::current_exception()));
    }
  } catch (...) {
    return report_outcome(cli::outcome_of(std::current_exception()));
  }
}
