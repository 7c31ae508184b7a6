// SPDX-License-Identifier: BSD-3-Clause
// fatwood VERB ...: parses the command line, runs the verb, turns what it throws into exit codes.

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "cli/verb.hpp"
#include "core/error.hpp"

namespace {

// A table that did not reach its reader must not end with 0.
void flush_output() {
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout) {
    throw fatwood::InputError("standard output can't be written");
  }
}

int fail(int status, const std::string& message) {
  fmt::print(stderr, "fatwood: {}\n", message);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace fatwood;
  try {
    cli::CommandLine app("fatwood",
                         "Routes for lossless fat-tree fabrics: made, proved, measured, put into "
                         "switches.",
                         "fatwood " FATWOOD_VERSION);
    app.footer("'fatwood VERB --help' tells a verb's options; 'man fatwood' tells the rest.");
    cli::Session session;
    for (const cli::AddVerb add : cli::verbs()) add(app, session);
    app.run(argc, argv);
    flush_output();
    return session.status;
  } catch (const InputError& error) {
    return fail(2, error.what());
  } catch (const PromiseError& error) {
    return fail(1, error.what());
  } catch (const std::bad_alloc&) {
    return fail(2, "not enough memory");
  } catch (const std::exception& error) {
    return fail(2, error.what());
  }
}
