// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The bytes of a file, line by line, in constant memory: plain, gzip or xz as found by the first
// bytes, "-" for standard input. A line is a view that lives until the next call.
//
// Hostile input is bounded: a line is 64 KiB at most, and data that unpack to more than 1 GiB may
// not be packed tighter than 1000 to 1.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "io/base/warnings.hpp"

namespace fatwood {

inline constexpr std::size_t kMaxLine = std::size_t{64} * 1024;

// A source of bytes. read() fills a part of the buffer and returns how much; 0 at the end.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::size_t read(std::span<char> buffer) = 0;
};

// A file as it lies there, packed or not; "-" for standard input.
std::unique_ptr<ByteSource> open_file(const std::string& path);
// The same with its packing (gzip, xz) taken off, and the byte order mark that some editors put
// before the first line; `name` is for messages.
std::unique_ptr<ByteSource> unpacked(const std::string& name, std::unique_ptr<ByteSource> source);

// Some lines of a file in memory, as InputParts cuts them off.
struct InputPart {
  std::vector<char> bytes;            // the text, a line end, and room that is not used
  std::size_t size = 0;               // of the text
  std::size_t number = 0;             // of the part
  std::size_t lines_before = 0;       // of the file
  std::vector<std::size_t> sections;  // where in the text sections begin
};

class Input {
 public:
  // InputError if the file is absent, no regular readable file, or its packing is broken.
  explicit Input(const std::string& path);
  // From anywhere, under a name for messages.
  Input(std::unique_ptr<ByteSource> source, std::string name);
  // A part of a file, under the file's name and with its line numbers.
  Input(InputPart part, std::string name);
  // For tests and fuzzing: the same, from memory, under a made-up name.
  Input(std::string_view bytes, std::string name);

  const std::string& name() const { return name_; }
  // The next bytes, without taking them: at least 64 KiB unless the file is shorter.
  std::string_view peek();
  // The next line without its end ("\n" or "\r\n"); no value at the end of the file.
  std::optional<std::string_view> next_line();
  // The same for a tool's output: without control bytes, and without lines that are noise
  // (noise.hpp), which are counted.
  std::optional<std::string_view> next_line(Warnings& warnings);
  // Takes the noise and the empty lines that come next, so that peek() shows the first record.
  void skip_noise(Warnings& warnings);
  // Takes the next line, of which peek() shows all: so many characters and "\n".
  void take_line(std::size_t length) {
    begin_ += length + 1;
    ++line_;
    unended_ = false;
  }
  // Takes so many lines, of which peek() shows all, of so many bytes with their ends.
  void take_lines(std::size_t count, std::size_t bytes) {
    if (count == 0) return;
    begin_ += bytes;
    line_ += count;
    unended_ = false;
  }
  // Raw bytes for readers that know no lines; 0 at the end. Not to be mixed with next_line().
  std::size_t read(std::span<char> buffer);

  std::size_t line_number() const { return line_; }  // of the line last given
  // Whether the line last given was ended by the file's end rather than by a line end.
  bool unended() const { return unended_; }
  Location at(std::size_t column = 0) const { return {name_, line_, column}; }
  // Its memory, to be used again.
  std::vector<char> release() && { return std::move(buffer_); }

 private:
  void fill();  // moves what is left to the front and reads more behind it

  std::string name_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::string clean_;                // a line without its control bytes
  std::size_t begin_ = 0, end_ = 0;  // what of buffer_ is not taken yet
  std::size_t line_ = 0;
  bool finished_ = false;  // the source has no more
  bool unended_ = false;
};

}  // namespace fatwood
