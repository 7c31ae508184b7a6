// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The two errors that end a verb early. A broken invariant (core/invariant.hpp) is neither.
//
// An InputError is data: its kind, where in which file, the parameter that it is about, and a
// message. A message does not know who asked: it names parameters by param(), and each front end
// spells them in its own way (InputError::text).

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fatwood {

// The position of an error in an input. Line and column count from 1; 0: unknown.
struct Location {
  std::string file;  // or param(), where the input is the value of a parameter
  std::size_t line = 0;
  std::size_t column = 0;
};

// A parameter of a request in a message, by its name in app/parameter.hpp, perhaps with its value:
// "message_size" is --message-size, message_size= or ?message_size=.
std::string param(std::string_view name, std::string_view value = {});

// How a front end writes a parameter; `value` is empty if the message does not tell it.
using Spelling = std::string (*)(std::string_view name, std::string_view value);
// The text with all parameters of param() spelled.
std::string spelled(std::string_view text, Spelling spelling);

enum class ErrorKind : std::uint8_t {
  kWrong,
  kCutShort,  // a file that ends early
};

// Wrong input or usage: exit code 2, nothing is written.
// what() is "file:line:column: message" without unknown parts; parameters by their names.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message, ErrorKind kind = ErrorKind::kWrong)
      : InputError(Location{}, message, kind) {}
  InputError(const Location& where, const std::string& message, ErrorKind kind = ErrorKind::kWrong);

  ErrorKind kind() const { return kind_; }
  const Location& where() const { return where_; }         // no file: the error is not about one
  const std::string& message() const { return message_; }  // without the position
  std::string parameter() const;                           // the first one named; "": none
  std::string text(Spelling spelling) const;               // what(), with parameters spelled
  // The same error, found while reading something else.
  InputError at(const Location& outer) const;

 private:
  Location where_;
  std::string message_, located_;  // with param()
  ErrorKind kind_;
};

// A file that may have lost its end: says so behind the message.
InputError cut_short(const Location& where, const std::string& message);

// The fabric does not allow a property that the user asked for. The message names switches and
// ports. Exit code 1.
class PromiseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace fatwood
