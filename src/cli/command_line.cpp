// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>
#include <string_view>

#include "core/error.hpp"
#include "core/parse_number.hpp"

namespace fatwood::cli {

namespace {

// An option with nothing in it is a script's unset variable, not a wish for the default.
std::string empty_value(const std::string& text) {
  return text.empty() ? "expected something, found nothing" : "";
}

// CLI11 would take -1 for the largest number, and any number of digits.
std::string bad_count(const std::string& text) {
  if (parse_number<std::uint64_t>(text)) return "";
  return fmt::format("expected a whole number from 0 to {}, found \"{}\"", UINT64_MAX, text);
}

std::string bad_number(const std::string& text) {
  if (parse_number<double>(text)) return "";
  return fmt::format("expected a number, found \"{}\"", text);
}

template <typename T>
void check_value(CLI::Option& option) {
  option.check(empty_value);
  if constexpr (std::unsigned_integral<T>) option.check(bad_count);
  if constexpr (std::floating_point<T>) option.check(bad_number);
}
template <typename T>
struct Element {
  using Type = T;
};
template <typename T>
struct Element<std::vector<T>> {
  using Type = T;
};
template <typename T>
struct Element<std::optional<T>> {
  using Type = T;
};

// CLI11 would only say that a subcommand is missing.
void check_verb(const CLI::App& app, const std::string& name) {
  std::string known;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_name() == name) return;
    known += ' ' + verb->get_name();
  }
  throw InputError(fmt::format("there is no verb \"{}\"; the verbs are:{}", name, known));
}

}  // namespace

Option* Option::required() {
  option_->required();
  return this;
}
Option* Option::show_default() {
  option_->capture_default_str();
  return this;
}
Option* Option::needs(const Option* other) {
  option_->needs(other->option_);
  return this;
}
Option* Option::one_of(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
  return this;
}
Option* Option::range(double low, double high) {
  option_->check(CLI::Range(low, high));
  return this;
}
Option* Option::whole_range(std::int64_t low, std::int64_t high) {
  option_->check(CLI::Range(low, high));
  return this;
}
Option* Option::separated_by(char separator) {
  option_->delimiter(separator)->allow_extra_args(false);
  return this;
}
Option* Option::one_each() {
  option_->allow_extra_args(false);
  return this;
}
Option* Option::exactly(int words) {
  option_->expected(words);
  return this;
}
Option* Option::group(const std::string& heading) {
  option_->group(heading);
  return this;
}

template <typename T>
Option* Verb::add(const std::string& names, T& value, const std::string& help) {
  CLI::Option* option = app_->add_option(names, value, help);
  check_value<typename Element<T>::Type>(*option);
  return &options_.emplace_back(*option);
}
Option* Verb::add_flag(const std::string& names, bool& value, const std::string& help) {
  return &options_.emplace_back(*app_->add_flag(names, value, help));
}
Option* Verb::add_option(const std::string& names, std::string& value, const std::string& help) {
  return add(names, value, help);
}
Option* Verb::add_option(const std::string& names, int& value, const std::string& help) {
  return add(names, value, help);
}
Option* Verb::add_option(const std::string& names, unsigned& value, const std::string& help) {
  return add(names, value, help);
}
Option* Verb::add_option(const std::string& names, std::int64_t& value, const std::string& help) {
  return add(names, value, help);
}
Option* Verb::add_option(const std::string& names, std::uint64_t& value, const std::string& help) {
  return add(names, value, help);
}
Option* Verb::add_option(const std::string& names, double& value, const std::string& help) {
  return add(names, value, help);
}
Option* Verb::add_option(const std::string& names, std::optional<std::uint64_t>& value,
                         const std::string& help) {
  return add(names, value, help);
}
Option* Verb::add_option(const std::string& names, std::optional<unsigned>& value,
                         const std::string& help) {
  return add(names, value, help);
}
Option* Verb::add_option(const std::string& names, std::optional<double>& value,
                         const std::string& help) {
  return add(names, value, help);
}
Option* Verb::add_option(const std::string& names, std::vector<std::string>& value,
                         const std::string& help) {
  return add(names, value, help);
}
Option* Verb::add_option(const std::string& names, std::vector<unsigned>& value,
                         const std::string& help) {
  return add(names, value, help);
}
void Verb::footer(const std::string& text) { app_->footer(text); }
void Verb::callback(std::function<Uses()> uses, std::function<void()> run) {
  app_->callback([this, uses = std::move(uses), run = std::move(run)] {
    check(uses());
    run();
  });
}
void Verb::check(Uses uses) const {
  const auto is_given = [this](std::string_view name) { return given(std::string(name)); };
  for (const CLI::Option* option : app_->get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string name = "--" + option->get_lnames().front();
    const std::string why = why_void(app_->get_name(), name, uses, is_given);
    if (!why.empty()) throw InputError(why);
  }
}
bool Verb::has(std::string_view option) const { return has_option(app_->get_name(), option); }
bool Verb::given(const std::string& name) const { return app_->count(name) != 0; }

CommandLine::CommandLine(const std::string& name, const std::string& summary,
                         const std::string& version)
    : app_(std::make_unique<CLI::App>(summary)) {
  app_->name(name);
  app_->require_subcommand(1);
  app_->set_version_flag("--version", version);
}
CommandLine::~CommandLine() = default;

Verb* CommandLine::add_verb(const std::string& name, const std::string& summary) {
  return &verbs_.emplace_back(*app_->add_subcommand(name, summary));
}
void CommandLine::footer(const std::string& text) { app_->footer(text); }

void CommandLine::run(int argc, const char* const* argv) {
  if (argc > 1 && argv[1][0] != '-') check_verb(*app_, argv[1]);
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      throw InputError(
          fmt::format("{}\n'fatwood VERB --help' lists the options of a verb.", error.what()));
    }
    std::ostringstream help;
    app_->exit(error, help, help);
    fmt::print("{}", help.str());
  }
}

}  // namespace fatwood::cli
