// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/tar.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/error.hpp"
#include "core/text/parse_number.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kTarBlock = 512;
constexpr std::uint64_t kMostNames = std::uint64_t{1}
                                     << 16U;  // bytes of a long name or of pax words

using TarBlock = std::array<char, kTarBlock>;

std::string_view field(std::string_view block, std::size_t at, std::size_t size) {
  const std::string_view bytes = block.substr(at, size);
  return bytes.substr(0, bytes.find('\0'));
}

// Octal with blanks around, or, when the first bit is set, the low bytes as they are.
std::optional<std::uint64_t> number(std::string_view block, std::size_t at, std::size_t size) {
  std::string_view text = block.substr(at, size);
  if ((static_cast<unsigned char>(text[0]) & 0x80U) != 0) {
    std::uint64_t value = 0;
    for (const char c : text.substr(text.size() - 8)) {
      value = value << 8U | static_cast<unsigned char>(c);
    }
    return value;
  }
  text = text.substr(0, text.find('\0'));
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.empty()) return 0;
  return parse_number<std::uint64_t>(text, 8);
}

// The sum of all bytes, those of the checksum counted as blanks.
std::uint64_t checksum(std::string_view block) {
  constexpr std::size_t kAt = 148;
  constexpr std::size_t kSize = 8;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kTarBlock; ++i) {
    const bool own = i >= kAt && i < kAt + kSize;
    sum += own ? std::uint64_t{' '} : static_cast<unsigned char>(block[i]);
  }
  return sum;
}

bool is_header(std::string_view block) {
  const std::optional<std::uint64_t> stored = number(block, 148, 8);
  return stored && *stored == checksum(block) && block[0] != '\0';
}

// "27 path=some/long/name\n": the value of a word in pax's records.
std::optional<std::string> pax_word(std::string_view records, std::string_view key) {
  std::optional<std::string> value;
  while (!records.empty()) {
    const std::size_t blank = records.find(' ');
    if (blank == std::string_view::npos) break;
    const auto size = parse_number<std::size_t>(records.substr(0, blank));
    if (!size || *size <= blank + 1 || *size > records.size()) break;
    const std::string_view record = records.substr(blank + 1, *size - blank - 2);
    if (record.starts_with(key) && record.substr(key.size()).starts_with('=')) {
      value = record.substr(key.size() + 1);
    }
    records.remove_prefix(*size);
  }
  return value;
}

}  // namespace

struct TarReader::Header {
  std::string name;
  std::uint64_t size = 0;
  char kind = '0';
};

bool looks_like_tar(std::string_view head) {
  return head.size() >= kTarBlock && is_header(head.substr(0, kTarBlock));
}

void TarReader::fail(const std::string& what) const { throw InputError({.file = name_}, what); }

std::size_t TarReader::read_fully(std::span<char> buffer) {
  std::size_t have = 0;
  while (have < buffer.size()) {
    const std::size_t got = archive_->read(buffer.subspan(have));
    if (got == 0) break;
    have += got;
  }
  return have;
}

void TarReader::skip(std::uint64_t count) {
  std::vector<char> buffer(std::min<std::uint64_t>(count, std::uint64_t{1} << 18U));
  while (count > 0) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(count, buffer.size()));
    if (read_fully({buffer.data(), part}) != part) fail("the archive is cut short");
    count -= part;
  }
}

// The bytes of a member that says something of the next.
std::string TarReader::take(std::uint64_t count, std::uint64_t most) {
  if (count > most) fail("a name in the archive is too long");
  std::string bytes(count, '\0');
  if (read_fully(bytes) != count) fail("the archive is cut short");
  skip((kTarBlock - count % kTarBlock) % kTarBlock);
  return bytes;
}

std::optional<TarReader::Header> TarReader::read_header() {
  TarBlock block{};
  const std::size_t got = read_fully(block);
  const std::string_view bytes(block.data(), block.size());
  if (got == 0 || bytes.find_first_not_of('\0') == std::string_view::npos) return std::nullopt;
  if (got != kTarBlock) fail("the archive is cut short");
  const std::optional<std::uint64_t> size = number(bytes, 124, 12);
  if (!is_header(bytes) || !size) fail("the archive is broken: expected the header of a file");
  Header header{std::string(field(bytes, 0, 100)), *size, bytes[156]};
  const std::string_view prefix = field(bytes, 345, 155);
  if (bytes.substr(257, 6) == std::string_view("ustar\0", 6) && !prefix.empty()) {
    header.name = std::string(prefix) + '/' + header.name;
  }
  return header;
}

std::optional<TarReader::Member> TarReader::next() {
  skip(left_);
  skip(padding_);
  left_ = padding_ = 0;
  std::optional<std::string> name, size;  // given in front
  while (std::optional<Header> header = read_header()) {
    if (header->kind == 'L') {
      const std::string bytes = take(header->size, kMostNames);
      name = bytes.c_str();  // up to the first zero
      continue;
    }
    if (header->kind == 'x') {
      const std::string records = take(header->size, kMostNames);
      if (auto path = pax_word(records, "path")) name = path;
      if (auto stored = pax_word(records, "size")) size = stored;
      continue;
    }
    if (size) header->size = parse_number<std::uint64_t>(*size).value_or(header->size);
    const std::uint64_t padding = (kTarBlock - header->size % kTarBlock) % kTarBlock;
    if (header->kind == '0' || header->kind == '\0' || header->kind == '7') {
      left_ = header->size;
      padding_ = padding;
      return Member{name.value_or(header->name), header->size};
    }
    const bool has_bytes = header->kind == 'g' || header->kind == 'K';
    if (has_bytes) {
      skip(header->size);
      skip(padding);
    } else {
      name.reset();
      size.reset();
    }
  }
  return std::nullopt;
}

std::size_t TarReader::read(std::span<char> buffer) {
  const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(left_, buffer.size()));
  if (most == 0) return 0;
  const std::size_t got = archive_->read(buffer.subspan(0, most));
  if (got == 0) fail("the archive is cut short");
  left_ -= got;
  return got;
}

}  // namespace fatwood
