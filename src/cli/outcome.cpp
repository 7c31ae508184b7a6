// SPDX-License-Identifier: BSD-3-Clause
#include "cli/outcome.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <ios>
#include <new>
#include <stdexcept>

#include "app/parameter.hpp"
#include "cli/options/add_options.hpp"
#include "core/error.hpp"
#include "core/version.hpp"

namespace fatwood::cli {

namespace {

constexpr int kFails = 1;
constexpr int kWrongInput = 2;
constexpr int kOurFault = 70;

Outcome our_fault(std::string_view what) {
  return {
      kOurFault,
      fmt::format("internal error: {}\nThis is a fault of fatwood {}, not of your input. Please "
                  "report it, with the command and its files.",
                  what, version())};
}

// The server asks for its own spelling: "?fault_seed=3".
Spelling asked_spelling() {
  return std::getenv(kAsQueryVariable) != nullptr ? as_query : as_option;
}

}  // namespace

Outcome outcome_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    return {kWrongInput, error.text(asked_spelling())};
  } catch (const PromiseError& error) {
    return {kFails, error.what()};
  } catch (const std::bad_alloc&) {
    return {kWrongInput, "out of memory: this fabric or request is too large for this machine"};
  } catch (const std::filesystem::filesystem_error& error) {
    return {kWrongInput, fmt::format("{}: {}", error.path1().string(), error.code().message())};
  } catch (const std::overflow_error& error) {
    return {kWrongInput, fmt::format("{}: it can't be counted exactly", error.what())};
  } catch (const std::ios_base::failure&) {
    return {kWrongInput, "a file can't be read or written: is it a directory?"};
  } catch (const std::exception& error) {
    return our_fault(error.what());
  } catch (...) {
    return our_fault("an unknown exception");
  }
}

void say(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace fatwood::cli
