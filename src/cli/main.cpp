// SPDX-License-Identifier: BSD-3-Clause
// fatwood VERB ...: parses the command line, runs the verb, turns what it throws into exit codes.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>

#include "cli/outcome.hpp"
#include "cli/ranks.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "core/version.hpp"

namespace {

using namespace fatwood;

// What is opened next must not take the place of a standard stream that is closed. Writing to
// closed standard output stays an error.
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

int told(const cli::Outcome& outcome) {
  cli::say(fmt::format("fatwood: {}\n", outcome.message));
  return outcome.status;
}

// An exception that nobody could catch, from a destructor or a thread: the same words.
[[noreturn]] void end_at_once() {
  const std::exception_ptr thrown = std::current_exception();
  std::_Exit(told(thrown ? cli::outcome_of(thrown) : cli::Outcome{70, "internal error"}));
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

int run(int argc, const char* const* argv, cli::Ranks& ranks) {
  cli::CommandLine app("fatwood",
                       "Routes for lossless fat-tree fabrics: made, proved, measured, put into "
                       "switches.",
                       fmt::format("fatwood {}", version()));
  app.footer("'fatwood VERB --help' lists the options of a verb; 'man fatwood' has the rest.");
  cli::Session session;
  session.rank = ranks.rank();
  session.share = ranks.share();
  // The options of one verb are enough where it is named: adding those of all takes longer than
  // small fabrics do.
  const auto named =
      std::ranges::find(cli::verbs(), argc > 1 ? argv[1] : std::string_view(), &cli::VerbRow::name);
  for (const cli::VerbRow& verb : cli::verbs()) {
    if (named == cli::verbs().end() || verb.name == named->name) verb.add(app, session);
  }
  app.run(argc, argv);
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
  if (ranks.rank() == 0) return run_as_one(argc, argv, ranks);
  be_silent();
  if (argc >= 2 && is_shared(argv[1])) {
    (void)run_as_one(argc, argv, ranks);
  } else {
    ranks.finish({});
  }
  return 0;  // what went wrong is rank 0's to tell
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_at_once);
  hold_standard_streams();
  try {
    cli::Ranks ranks;
    try {
      return run_rank(argc, argv, ranks);
    } catch (...) {
      // Before the ranks part: mpirun ends all of them when one ends with an error.
      return told(cli::outcome_of(std::current_exception()));
    }
  } catch (...) {
    return told(cli::outcome_of(std::current_exception()));
  }
}
