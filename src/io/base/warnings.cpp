// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/warnings.hpp"

#include <algorithm>

namespace fatwood {

namespace {
constexpr std::size_t kMaxWarnings = 1000;
}

void Warnings::add(std::size_t line, const std::string& message) {
  if (texts_.size() >= kMaxWarnings) {
    ++left_out_;
    return;
  }
  texts_.push_back(file_ + ':' + std::to_string(line) + ": " + message);
}

void Warnings::count(std::string_view kind, std::size_t line) {
  for (Count& count : counts_) {
    if (count.kind != kind) continue;
    ++count.times;
    return;
  }
  counts_.push_back({kind, file_, line, 1});
}

void Warnings::append(const Warnings& later) {
  for (const Count& more : later.counts_) {
    const auto same = [&](const Count& count) { return count.kind == more.kind; };
    const auto at = std::ranges::find_if(counts_, same);
    if (at == counts_.end()) {
      counts_.push_back(more);
    } else {
      at->times += more.times;
    }
  }
  for (const std::string& text : later.texts_) {
    if (texts_.size() < kMaxWarnings) {
      texts_.push_back(text);
    } else {
      ++left_out_;
    }
  }
  left_out_ += later.left_out_;
}

void Warnings::add(const std::string& message) { texts_.push_back(file_ + ": " + message); }

std::vector<std::string> Warnings::texts() const {
  std::vector<std::string> all;
  for (const Count& count : counts_) {
    all.push_back(
        count.file + ':' + std::to_string(count.first) + ": " + std::string(count.kind) +
        (count.times > 1 ? " (here and " + std::to_string(count.times - 1) + " times more)" : ""));
  }
  all.insert(all.end(), texts_.begin(), texts_.end());
  if (left_out_ > 0) all.push_back(file_ + ": " + std::to_string(left_out_) + " more warnings");
  return all;
}

}  // namespace fatwood
