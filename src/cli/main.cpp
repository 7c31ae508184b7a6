// SPDX-License-Identifier: BSD-3-Clause
// fatwood VERB ...: parses the command line, runs the verb, turns what it throws into exit codes.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#include "cli/outcome.hpp"
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

int run(int argc, const char* const* argv) {
  cli::CommandLine app("fatwood",
                       "Routes for lossless fat-tree fabrics: made, proved, measured, put into "
                       "switches.",
                       fmt::format("fatwood {}", version()));
  app.footer("'fatwood VERB --help' lists the options of a verb; 'man fatwood' has the rest.");
  cli::Session session;
  for (const cli::AddVerb add : cli::verbs()) add(app, session);
  app.run(argc, argv);
  flush_output();
  return session.status;
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_at_once);
  hold_standard_streams();
  try {
    return run(argc, argv);
  } catch (...) {
    return told(cli::outcome_of(std::current_exception()));
  }
}
