// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reads a tar archive member by member, in constant memory: the old format, ustar, and the long
// names and sizes of GNU and pax. Links, folders and devices are skipped.
//
// A member is a header of 512 bytes (name at 0, size in octal at 124, checksum at 148, kind at 156,
// prefix of the name at 345) and its bytes, filled up to a multiple of 512.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/base/input.hpp"

namespace fatwood {

// Detects an archive by its first 512 bytes.
bool looks_like_tar(std::string_view head);

class TarReader : public ByteSource {
 public:
  struct Member {
    std::string name;
    std::uint64_t size = 0;
  };

  // `name` is for messages.
  TarReader(std::unique_ptr<ByteSource> archive, std::string name)
      : archive_(std::move(archive)), name_(std::move(name)) {}

  // The next file; skips the rest of the present one. No value at the end of the archive.
  // InputError for an invalid header or a truncated archive.
  std::optional<Member> next();
  // Reads from the present file; 0 at its end.
  std::size_t read(std::span<char> buffer) override;

 private:
  struct Header;
  std::optional<Header> read_header();
  void skip(std::uint64_t count);
  std::string take(std::uint64_t count, std::uint64_t most);
  std::size_t read_fully(std::span<char> buffer);
  [[noreturn]] void fail(const std::string& what) const;

  std::unique_ptr<ByteSource> archive_;
  std::string name_;
  std::uint64_t left_ = 0;     // of the current file
  std::uint64_t padding_ = 0;  // after it
};

}  // namespace fatwood
