// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The process that touches the user's files for the server: whether they have changed, whether they
// can be read, and the history.
//
// A pipe in the place of a file, or a file system that does not answer, stops this process only. It
// is killed when its time is over, and the next call starts another (child.hpp).

#include <cstdint>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "serve/state/history.hpp"

namespace fatwood::serve {

enum class FilesOp : std::uint8_t {
  kStamps,   // of each path: what changes with its content; "" if there is no such file
  kRead,     // reads all files of these paths to their ends
  kKeep,     // stores a state in the history
  kHistory,  // reply: the states that are stored
};

struct FilesRequest {
  FilesOp task = FilesOp::kStamps;
  std::vector<std::string> paths = {};
  std::string history_folder = {};
  std::uint64_t now = 0;  // kKeep
  std::string facts = {}, fabric = {};
};

struct FilesReply {
  std::string failure = {};  // "": none
  std::vector<std::string> stamps = {};
  std::vector<StoredState> states = {};
};

void fields(auto& bytes, Some<FilesRequest> auto& request) {
  bytes(request.task, request.paths, request.history_folder, request.now, request.facts,
        request.fabric);
}
void fields(auto& bytes, Some<StoredState> auto& state) { bytes(state.id, state.facts); }
void fields(auto& bytes, Some<FilesReply> auto& reply) {
  bytes(reply.failure, reply.stamps, reply.states);
}

// Answers until the server closes the socket.
void run_files_worker(int socket);

}  // namespace fatwood::serve
