// SPDX-License-Identifier: BSD-3-Clause
#include "serve/children/files_worker.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "core/error.hpp"
#include "serve/children/child.hpp"

namespace fatwood::serve {

namespace {

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status{};
  if (path.empty() || stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

// The files of the folder of a run, in an order that lasts.
std::vector<std::string> files_in(const std::string& folder) {
  std::error_code ignored;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  return files;
}

std::string stamp_of(const std::string& path) {
  std::string stamp;
  const auto add = [&](const struct stat& status) {
    stamp += fmt::format("{} {} {} {} {};", status.st_ino, status.st_mode, status.st_size,
                         status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  };
  const auto status = status_of(path);
  if (!status) return stamp;
  add(*status);
  if (!S_ISDIR(status->st_mode)) return stamp;
  for (const std::string& file : files_in(path)) {
    if (const auto one = status_of(file)) add(*one);
  }
  return stamp;
}

void read_all(const std::string& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return;
  if (!S_ISREG(status.st_mode)) {
    throw InputError({.file = path}, fmt::format("expected a file or a folder, found {}",
                                                 S_ISFIFO(status.st_mode) ? "a pipe" : "a device"));
  }
  std::ifstream in(path, std::ios::binary);
  std::vector<char> block(1 << 16);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size()))) {
  }
}

void read_files(const std::string& path) {
  const auto status = status_of(path);
  if (!status) return;  // a formula, an engine, or an error that the reader explains
  read_all(path, *status);
  if (!S_ISDIR(status->st_mode)) return;
  for (const std::string& file : files_in(path)) {
    if (const auto one = status_of(file)) read_all(file, *one);
  }
}

FilesReply answer(const FilesRequest& request) {
  FilesReply reply;
  switch (request.task) {
    case FilesOp::kStamps:
      for (const std::string& path : request.paths) reply.stamps.push_back(stamp_of(path));
      break;
    case FilesOp::kRead:
      for (const std::string& path : request.paths) read_files(path);
      break;
    case FilesOp::kKeep:
      History({.folder = request.history_folder}).keep(request.now, request.facts, request.fabric);
      break;
    case FilesOp::kHistory:
      reply.states = History({.folder = request.history_folder}).list();
      break;
  }
  return reply;
}

FilesReply safe_answer(const std::string& bytes) {
  try {
    return answer(from_bytes<FilesRequest>(bytes));
  } catch (const std::exception& error) {
    return {.failure = error.what()};
  }
}

}  // namespace

void run_files_worker(int socket) {
  for (std::string bytes = receive(socket); !bytes.empty(); bytes = receive(socket)) {
    reply(socket, to_bytes(safe_answer(bytes)));
  }
}

}  // namespace fatwood::serve
