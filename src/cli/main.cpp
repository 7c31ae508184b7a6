// fatwood VERB ...: parses the command line, runs the verb, turns what it throws into exit codes.

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>

#include "cli/verb.hpp"
#include "core/error.hpp"
#include "core/parse_number.hpp"

namespace {

// CLI11 would only say that a subcommand is missing.
void check_verb(CLI::App& app, const std::string& name) {
  std::string known;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == name) return;
    known += ' ' + verb->get_name();
  }
  throw fatwood::InputError(fmt::format("no verb is called \"{}\"; there are:{}", name, known));
}

// An option with nothing in it is a script's unset variable, not a wish for the default.
std::string empty_value(const std::string& text) {
  return text.empty() ? "expected something, found nothing" : "";
}

// CLI11 would take -1 for the largest number, and any number of digits.
std::string bad_count(const std::string& text) {
  if (fatwood::parse_number<std::uint64_t>(text)) return "";
  return fmt::format("expected a whole number from 0 to {}, found \"{}\"", UINT64_MAX, text);
}

void check_values(CLI::App& app) {
  for (CLI::App* verb : app.get_subcommands({})) {
    for (CLI::Option* option : verb->get_options()) {
      if (option->get_items_expected_max() == 0) continue;
      const bool count = option->get_type_name().starts_with("UINT");
      option->check(empty_value);
      if (count) option->check(bad_count);
    }
  }
}

// A table that did not reach its reader must not end with 0.
void flush_output() {
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout) {
    throw fatwood::InputError("standard output can't be written");
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace fatwood;
  CLI::App app{"Routes for lossless fat-tree fabrics: made, proved, measured, put into switches."};
  app.name("fatwood");
  app.require_subcommand(1);
  app.set_version_flag("--version", "fatwood " FATWOOD_VERSION);
  app.footer("'fatwood VERB --help' tells a verb's options; 'man fatwood' tells the rest.");
  cli::Session session;
  for (const cli::AddVerb add : cli::verbs()) add(app, session);
  check_values(app);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return fmt::format("fatwood: {}\n'fatwood VERB --help' tells a verb's options.\n",
                       error.what());
  });
  try {
    if (argc > 1 && argv[1][0] != '-') check_verb(app, argv[1]);
    app.parse(argc, argv);
    flush_output();
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
