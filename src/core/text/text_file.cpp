// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace fatwood {

namespace {
constexpr std::size_t kMostBytes = std::size_t{64} * 1024;  // of a line
}

std::ifstream open_text(const std::string& path) {
  if (path.empty()) throw InputError("expected the name of a file");
  std::error_code error;
  // A directory opens, and reads as an empty file.
  if (std::filesystem::is_directory(path, error)) {
    throw InputError({.file = path}, "is a directory; expected a file");
  }
  std::ifstream in(path);
  if (!in) throw InputError({.file = path}, std::strerror(errno));
  return in;
}

TextLines::TextLines(std::istream& in, std::string file)
    : in_(in), file_(std::move(file)), line_(kMostBytes + 2) {}

std::optional<std::string_view> TextLines::next() {
  errno = 0;
  in_.getline(line_.data(), static_cast<std::streamsize>(line_.size()));
  auto length = static_cast<std::size_t>(in_.gcount());
  if (in_.bad()) {
    throw InputError(
        {file_, number_ + 1, 0},
        fmt::format("can't be read further: {}", errno != 0 ? std::strerror(errno) : "read error"));
  }
  if (in_.fail() && length == 0) return std::nullopt;
  ++number_;
  if (in_.fail()) {
    throw InputError(where(), fmt::format("a line has more than {} bytes", kMostBytes));
  }
  if (!in_.eof()) --length;  // the line end counts
  if (length > 0 && line_[length - 1] == '\r') --length;
  return std::string_view(line_.data(), length);
}

}  // namespace fatwood
