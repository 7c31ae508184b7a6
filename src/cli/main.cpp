// fatwood VERB ...: parses the command line, runs the verb, turns what it throws into exit codes.

#include <fmt/format.h>

#include <exception>
#include <new>

#include "cli/verb.hpp"
#include "core/error.hpp"

int main(int argc, char** argv) {
  using namespace fatwood;
  CLI::App app{"Routes for lossless fat-tree fabrics: made, proved, measured, put into switches."};
  app.name("fatwood");
  app.require_subcommand(1);
  app.set_version_flag("--version", "fatwood " FATWOOD_VERSION);
  app.footer("'fatwood VERB --help' tells a verb's options; 'man fatwood' tells the rest.");
  cli::Session session;
  for (const cli::AddVerb add : cli::verbs()) add(app, session);
  try {
    app.parse(argc, argv);
    return session.status;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const InputError& error) {
    fmt::print(stderr, "fatwood: {}\n", error.what());
    return 2;
  } catch (const PromiseError& error) {
    fmt::print(stderr, "fatwood: {}\n", error.what());
    return 1;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "fatwood: not enough memory\n");
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "fatwood: {}\n", error.what());
    return 2;
  }
}
