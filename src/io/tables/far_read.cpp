// SPDX-License-Identifier: BSD-3-Clause
// Reads adaptive tables (far.hpp). Files can have gigabytes, so several threads read parts of whole
// switches (input_parts.hpp, far_part.hpp).
// The result does not depend on threads: a switch is read by one thread; a part that repeats a
// switch is read alone; warnings are joined in the order of parts; of several errors, the first in
// the file is reported. Cost: linear in the file.

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/parallel.hpp"
#include "io/tables/far.hpp"
#include "io/tables/far_part.hpp"

namespace fatwood {

namespace {

constexpr std::size_t kSmall = std::size_t{64} << 10U;  // a file for one thread

// Hands out parts in order, and keeps what they say until all are read.
class Reading {
 public:
  explicit Reading(FarFile& file) : file_(file) {}

  // Until there is no part left, or one was wrong.
  void work() {
    std::vector<char> memory;
    while (std::optional<InputPart> part = take(std::move(memory))) {
      memory = read(*std::move(part));
    }
  }

  // All rows, in order. Throws what is first in the file.
  Warnings finish() {
    if (error_) std::rethrow_exception(error_);
    Warnings all(file_.name);
    Frame frame;
    for (const auto& [number, end] : ends_) {
      all.append(end.warnings);
      frame.append(end.frame);
    }
    const Location after{file_.name, file_.parts.lines() + 1, 1};
    frame.require_closed(after);
    if (file_.rows.sections() == 0) {
      throw InputError(after, "expected 'Switch 0x...' and its groups and tables");
    }
    return all;
  }

 private:
  std::optional<InputPart> take(std::vector<char> memory) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !alone_; });
    if (error_ || ended_) return std::nullopt;
    InputPart part;
    try {
      part = file_.parts.next(std::move(memory));
    } catch (...) {
      note_error(taken_, std::current_exception());
      return std::nullopt;
    }
    ended_ = part.size == 0;
    if (ended_) return std::nullopt;
    ++taken_;
    ++busy_;
    if (comes_again(part)) {
      alone_ = true;
      changed_.wait(lock, [&] { return busy_ == 1; });
    }
    return part;
  }

  // Whether a switch of the part was in one before.
  bool comes_again(const InputPart& part) {
    bool again = false;
    for (const std::size_t section : part.sections) {
      const std::string_view text(part.bytes.data() + section, part.size - section);
      const std::size_t digits = text.find(kFarHeader) + kFarHeader.size();
      std::uint64_t guid = 0;
      std::from_chars(text.data() + digits, text.data() + text.size(), guid, 16);
      again = !seen_.insert(guid).second || again;
    }
    return again;
  }

  // Gives the part's memory back.
  std::vector<char> read(InputPart part) {
    const std::size_t number = part.number;
    Input input(std::move(part), file_.name);
    std::optional<FarPartEnd> end;
    std::exception_ptr error;
    try {
      end = read_far_part(input, file_);
    } catch (...) {
      error = std::current_exception();
    }
    {
      const std::scoped_lock lock(mutex_);
      if (error) note_error(number, error);
      if (end) ends_.emplace(number, *std::move(end));
      --busy_;
      if (busy_ == 0) alone_ = false;
    }
    changed_.notify_all();
    return std::move(input).release();
  }

  // Parts are taken in order: those before a wrong one are all read.
  void note_error(std::size_t number, std::exception_ptr error) {
    if (error_ && failed_ < number) return;
    failed_ = number;
    error_ = std::move(error);
  }

  FarFile& file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_set<std::uint64_t> seen_;  // GUIDs
  std::size_t taken_ = 0, busy_ = 0;
  bool alone_ = false, ended_ = false;
  std::map<std::size_t, FarPartEnd> ends_;  // by part
  std::exception_ptr error_;
  std::size_t failed_ = 0;  // part of the error
};

}  // namespace

bool looks_like_far(std::string_view head) {
  return head.find("Groups Definition:") != std::string_view::npos ||
         head.find("LFT Definition:") != std::string_view::npos;
}

LidTables read_far(Input& input, const Fabric& fabric, Warnings& warnings, int threads,
                   std::size_t part_bytes) {
  FarFile file(input, fabric, part_bytes);
  Reading reading(file);
  const bool small = input.peek().size() < std::min(kSmall, part_bytes);
  const int team = small ? 1 : thread_count(threads);
  parallel_for(static_cast<std::size_t>(team), team, [&](std::size_t, int) { reading.work(); });
  warnings.append(reading.finish());
  LidTables tables = std::move(file.rows).finish(file.name);
  tables.format = "far";
  return tables;
}

}  // namespace fatwood
