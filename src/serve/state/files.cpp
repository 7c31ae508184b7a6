// SPDX-License-Identifier: BSD-3-Clause
#include "serve/state/files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace fatwood::serve {

namespace {

constexpr std::uint64_t kMemory = 1ULL << 30;

}  // namespace

Files::Files(std::vector<std::string> paths, std::string history_folder, std::chrono::seconds time)
    : paths_(std::move(paths)),
      history_folder_(std::move(history_folder)),
      worker_({.time = time, .memory_bytes = kMemory}, "--files-worker") {}

FilesReply Files::call(const FilesRequest& request, const std::string& what) {
  FilesReply reply;
  try {
    reply = from_bytes<FilesReply>(worker_.call(to_bytes(request)));
  } catch (const ChildError& error) {
    throw ChildError(fmt::format("can't read {}: {}", what, error.what()));
  }
  if (reply.failure.empty()) return reply;
  // Whoever asks for the history can't do anything about it.
  if (request.task == FilesOp::kHistory) throw ChildError(reply.failure);
  throw InputError(reply.failure);
}

std::vector<std::string> Files::stamps() {
  return call({.task = FilesOp::kStamps, .paths = paths_}, paths_.front()).stamps;
}

void Files::read() { (void)call({.task = FilesOp::kRead, .paths = paths_}, paths_.front()); }

void Files::keep(std::uint64_t now, const std::string& facts, const std::string& fabric) {
  (void)call({.task = FilesOp::kKeep,
              .history_folder = history_folder_,
              .now = now,
              .facts = facts,
              .fabric = fabric},
             history_folder_);
}

std::vector<StoredState> Files::history() {
  return call({.task = FilesOp::kHistory, .history_folder = history_folder_}, history_folder_)
      .states;
}

std::optional<std::string> Files::history_file(std::uint64_t id) {
  const std::vector<StoredState> states = history();
  if (std::ranges::find(states, id, &StoredState::id) == states.end()) return std::nullopt;
  return History({.folder = history_folder_}).fabric_file(id);
}

}  // namespace fatwood::serve
