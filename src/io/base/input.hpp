// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reads a file line by line, in constant memory: plain, gzip or xz, as detected by the first bytes;
// "-" is standard input. A line is a view that is valid until the next call.
//
// Hostile input is limited: a line has at most 64 KiB, no more than 2^20 blank lines follow each
// other, and data that unpack to more than 1 GiB may not be compressed by more than 1000 to 1.

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

// A source of bytes. read() fills a part of the buffer and returns its size; 0 at the end.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::size_t read(std::span<char> buffer) = 0;
};

// A file as it is, packed or not; "-" for standard input.
std::unique_ptr<ByteSource> open_file(const std::string& path);
// Decompresses gzip and xz, and removes a byte order mark. `name` is for messages.
std::unique_ptr<ByteSource> unpacked(const std::string& name, std::unique_ptr<ByteSource> source);

// Some lines of a file in memory, as cut by InputParts.
struct InputPart {
  std::vector<char> bytes;            // the text, a line end, and unused room
  std::size_t size = 0;               // of the text
  std::size_t number = 0;             // of the part
  std::size_t lines_before = 0;       // in the file
  std::vector<std::size_t> sections;  // offsets in the text where sections begin
};

class Input {
 public:
  // InputError if the file is missing, not a readable regular file, or its compression is broken.
  explicit Input(const std::string& path);
  // From any source; `name` is for messages.
  Input(std::unique_ptr<ByteSource> source, std::string name);
  // A part of a file, with the file's name and line numbers.
  Input(InputPart part, std::string name);
  // From memory, for tests and fuzzing; `name` is arbitrary.
  Input(std::string_view bytes, std::string name);

  const std::string& name() const { return name_; }
  // The next bytes, without consuming them: at least 64 KiB unless the file is shorter.
  std::string_view peek();
  // The next line without its end ("\n" or "\r\n"); no value at the end of the file.
  std::optional<std::string_view> next_line();
  // The same for output of a tool: without control bytes, and without noise lines (noise.hpp),
  // which are counted.
  std::optional<std::string_view> next_line(Warnings& warnings);
  // Consumes noise and empty lines, so that peek() shows the first record.
  void skip_noise(Warnings& warnings);
  // Consumes the next line, which peek() shows completely: `length` characters and "\n".
  void take_line(std::size_t length) {
    begin_ += length + 1;
    ++line_;
    unended_ = false;
  }
  // Consumes `count` lines, which peek() shows completely, with `bytes` bytes including line ends.
  void take_lines(std::size_t count, std::size_t bytes) {
    if (count == 0) return;
    begin_ += bytes;
    line_ += count;
    unended_ = false;
  }
  // Raw bytes; 0 at the end. Must not be mixed with next_line().
  std::size_t read(std::span<char> buffer);
  // All of them, for formats that need random access. InputError above 4 GiB.
  std::string all_bytes();

  std::size_t line_number() const { return line_; }  // of the last line
  // Whether the last line ended with the file, without a line end.
  bool unended() const { return unended_; }
  Location at(std::size_t column = 0) const { return {name_, line_, column}; }
  // Hands over its memory for reuse.
  std::vector<char> release() && { return std::move(buffer_); }

 private:
  void count_blank(std::string_view line);  // InputError if too many follow each other
  void fill();                              // moves the rest to the front and reads more

  std::string name_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::string clean_;                // a line without its control bytes
  std::size_t begin_ = 0, end_ = 0;  // the part of buffer_ that is not consumed
  std::size_t line_ = 0;
  std::size_t blank_lines_ = 0;  // in a row, up to the last line
  bool finished_ = false;        // the source has no more
  bool unended_ = false;
};

}  // namespace fatwood
