// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/input.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "io/base/noise.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kBuffer = 256UL << 10;
constexpr std::size_t kPeek = 64UL << 10;
constexpr std::uint64_t kFreeExpansion = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxRatio = 1000;
constexpr std::size_t kMaxBlankLines = std::size_t{1} << 20;

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : name_(path), fd_(STDIN_FILENO) {
    if (path == "-") return;
    fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ < 0) throw InputError({.file = path}, std::strerror(errno));
    struct stat status{};
    if (::fstat(fd_, &status) == 0 && S_ISDIR(status.st_mode)) {
      ::close(fd_);
      throw InputError({.file = path}, "is a directory; expected a file");
    }
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override {
    if (fd_ != STDIN_FILENO) ::close(fd_);
  }
  std::size_t read(std::span<char> buffer) override {
    for (;;) {
      const ssize_t got = ::read(fd_, buffer.data(), buffer.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) throw InputError({.file = name_}, std::strerror(errno));
    }
  }

 private:
  std::string name_;
  int fd_;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = std::min(buffer.size(), bytes_.size() - taken_);
    std::memcpy(buffer.data(), bytes_.data() + taken_, count);
    taken_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t taken_ = 0;
};

// Puts bytes that were looked at back in front of a source.
class PushedBack : public ByteSource {
 public:
  PushedBack(std::string_view bytes, std::unique_ptr<ByteSource> rest)
      : first_(bytes), rest_(std::move(rest)) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = first_.read(buffer);
    return count != 0 ? count : rest_->read(buffer);
  }

 private:
  MemorySource first_;
  std::unique_ptr<ByteSource> rest_;
};

// Shared by gzip and xz: packed bytes in, with a limit on the ratio.
class Unpacker : public ByteSource {
 public:
  Unpacker(std::string name, std::unique_ptr<ByteSource> packed)
      : name_(std::move(name)), packed_(std::move(packed)), in_(kBuffer) {}

 protected:
  std::span<char> refill() {
    const std::size_t count = packed_->read(in_);
    taken_ += count;
    return {in_.data(), count};
  }
  void check_ratio(std::size_t made) {
    made_ += made;
    if (made_ > kFreeExpansion && made_ / kMaxRatio > taken_) {
      throw InputError({.file = name_},
                       "is packed more than 1000 to 1: unpack it first if you trust it");
    }
  }
  [[noreturn]] void fail(const std::string& what) const { throw InputError({.file = name_}, what); }

 private:
  std::string name_;
  std::unique_ptr<ByteSource> packed_;
  std::vector<char> in_;
  std::uint64_t taken_ = 0, made_ = 0;
};

class GzipSource : public Unpacker {
 public:
  GzipSource(std::string name, std::unique_ptr<ByteSource> packed)
      : Unpacker(std::move(name), std::move(packed)) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) fail("zlib can't be started");
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> buffer) override {
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(buffer.size());
    while (stream_.avail_out == buffer.size()) {
      if (stream_.avail_in == 0) {
        const std::span<char> more = refill();
        if (more.empty()) {
          if (inside_) fail("gzip data end too early");
          return 0;
        }
        stream_.next_in = reinterpret_cast<Bytef*>(more.data());
        stream_.avail_in = static_cast<uInt>(more.size());
      }
      if (!inside_) {  // another member follows, as after `cat a.gz b.gz`
        inflateReset(&stream_);
        inside_ = true;
      }
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        inside_ = false;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        fail("gzip data are broken");
      }
    }
    const std::size_t made = buffer.size() - stream_.avail_out;
    check_ratio(made);
    return made;
  }

 private:
  z_stream stream_{};
  bool inside_ = true;
};

class XzSource : public Unpacker {
 public:
  XzSource(std::string name, std::unique_ptr<ByteSource> packed)
      : Unpacker(std::move(name), std::move(packed)) {
    constexpr std::uint64_t kMemory = std::uint64_t{256} << 20;
    if (lzma_stream_decoder(&stream_, kMemory, LZMA_CONCATENATED) != LZMA_OK) {
      fail("liblzma can't be started");
    }
  }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;
  ~XzSource() override { lzma_end(&stream_); }

  std::size_t read(std::span<char> buffer) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
    stream_.avail_out = buffer.size();
    while (!ended_ && stream_.avail_out == buffer.size()) {
      if (stream_.avail_in == 0 && action_ == LZMA_RUN) {
        const std::span<char> more = refill();
        if (more.empty()) action_ = LZMA_FINISH;
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(more.data());
        stream_.avail_in = more.size();
      }
      const lzma_ret status = lzma_code(&stream_, action_);
      if (status == LZMA_STREAM_END) {
        ended_ = true;
      } else if (status == LZMA_MEMLIMIT_ERROR) {
        fail("xz data need more than 256 MiB to unpack");
      } else if (status == LZMA_BUF_ERROR) {
        fail("xz data end too early");
      } else if (status != LZMA_OK) {
        fail("xz data are broken");
      }
    }
    const std::size_t made = buffer.size() - stream_.avail_out;
    check_ratio(made);
    return made;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  lzma_action action_ = LZMA_RUN;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path) {
  return std::make_unique<FileSource>(path);
}

namespace {

// Bytes looked at by unpacked(): enough for the marks of gzip, xz and byte order.
constexpr std::size_t kMagic = 6;

// Reads up to kMagic bytes.
std::string take_head(ByteSource& source) {
  std::string head(kMagic, '\0');
  std::size_t have = 0;
  while (have < kMagic) {
    const std::size_t got = source.read({head.data() + have, kMagic - have});
    if (got == 0) break;
    have += got;
  }
  head.resize(have);
  return head;
}

// Leaves a byte order mark out.
class WithoutMark : public ByteSource {
 public:
  explicit WithoutMark(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}
  std::size_t read(std::span<char> buffer) override {
    if (!looked_) {
      looked_ = true;
      constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
      std::string head = take_head(*source_);
      if (head.starts_with(kByteOrderMark)) head.erase(0, kByteOrderMark.size());
      source_ = std::make_unique<PushedBack>(head, std::move(source_));
    }
    return source_->read(buffer);
  }

 private:
  std::unique_ptr<ByteSource> source_;
  bool looked_ = false;
};

std::unique_ptr<ByteSource> without_mark(std::unique_ptr<ByteSource> source) {
  return std::make_unique<WithoutMark>(std::move(source));
}

}  // namespace

std::unique_ptr<ByteSource> unpacked(const std::string& name, std::unique_ptr<ByteSource> source) {
  const std::string head = take_head(*source);
  const bool gzip = head.starts_with("\x1f\x8b");
  const bool xz = head == std::string_view(
                              "\xfd"
                              "7zXZ\0",
                              kMagic);
  auto whole = std::make_unique<PushedBack>(head, std::move(source));
  if (gzip) return without_mark(std::make_unique<GzipSource>(name, std::move(whole)));
  if (xz) return without_mark(std::make_unique<XzSource>(name, std::move(whole)));
  return without_mark(std::move(whole));
}

Input::Input(const std::string& path)
    : name_(path == "-" ? "standard input" : path),
      source_(unpacked(name_, open_file(path))),
      buffer_(kBuffer) {}

Input::Input(std::unique_ptr<ByteSource> source, std::string name)
    : name_(std::move(name)), source_(unpacked(name_, std::move(source))), buffer_(kBuffer) {}

Input::Input(InputPart part, std::string name)
    : name_(std::move(name)),
      buffer_(std::move(part.bytes)),
      end_(part.size),
      line_(part.lines_before),
      finished_(true) {}

Input::Input(std::string_view bytes, std::string name)
    : name_(std::move(name)),
      source_(unpacked(name_, std::make_unique<MemorySource>(bytes))),
      buffer_(kBuffer) {}

void Input::fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const std::size_t got = source_->read({buffer_.data() + end_, buffer_.size() - end_});
  if (got == 0) finished_ = true;
  end_ += got;
}

std::string_view Input::peek() {
  while (!finished_ && end_ - begin_ < kPeek) fill();
  return {buffer_.data() + begin_, end_ - begin_};
}

std::optional<std::string_view> Input::next_line() {
  std::size_t looked = 0;
  for (;;) {
    const char* const from = buffer_.data() + begin_;
    const std::size_t have = end_ - begin_;
    const void* const found =
        have > looked ? std::memchr(from + looked, '\n', have - looked) : nullptr;
    std::size_t length = have;
    if (found != nullptr) {
      length = static_cast<std::size_t>(static_cast<const char*>(found) - from);
    } else if (!finished_ && have <= kMaxLine) {
      looked = have;
      fill();
      continue;
    } else if (have == 0) {
      return std::nullopt;
    }
    ++line_;
    unended_ = found == nullptr;
    if (length > kMaxLine) {
      throw InputError(at(kMaxLine + 1), "the line goes on; expected its end within 64 KiB");
    }
    begin_ += length + (found != nullptr ? 1 : 0);
    std::string_view line(from, length);
    if (line.ends_with('\r')) line.remove_suffix(1);
    count_blank(line);
    return line;
  }
}

void Input::count_blank(std::string_view line) {
  blank_lines_ = line.find_first_not_of(" \t") == std::string_view::npos ? blank_lines_ + 1 : 0;
  if (blank_lines_ > kMaxBlankLines) {
    throw InputError(
        at(), fmt::format("more than {} blank lines in a row; expected text", kMaxBlankLines));
  }
}

std::optional<std::string_view> Input::next_line(Warnings& warnings) {
  while (const auto line = next_line()) {
    if (const auto clean = clean_line(*line, line_, clean_, warnings)) return clean;
  }
  return std::nullopt;
}

void Input::skip_noise(Warnings& warnings) {
  std::string clean;
  for (;;) {
    const std::string_view head = peek();
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos) return;
    Warnings counted(name_);
    const auto line = clean_line(head.substr(0, end), line_ + 1, clean, counted);
    if (line && line->find_first_not_of(" \t") != std::string_view::npos) return;
    warnings.append(counted);
    take_line(end);
    count_blank(line.value_or(""));
  }
}

std::size_t Input::read(std::span<char> buffer) {
  if (begin_ == end_ && !finished_) {
    if (buffer.size() >= buffer_.size()) {
      const std::size_t got = source_->read(buffer);
      finished_ = got == 0;
      return got;
    }
    fill();
  }
  const std::size_t count = std::min(buffer.size(), end_ - begin_);
  std::memcpy(buffer.data(), buffer_.data() + begin_, count);
  begin_ += count;
  return count;
}

std::string Input::all_bytes() {
  constexpr std::size_t kMost = std::size_t{4} << 30;
  std::string bytes;
  std::array<char, 65536> buffer{};
  while (const std::size_t count = read(buffer)) {
    bytes.append(buffer.data(), count);
    if (bytes.size() > kMost) throw InputError({name_, 0, 0}, "more than 4 GiB");
  }
  return bytes;
}

}  // namespace fatwood
