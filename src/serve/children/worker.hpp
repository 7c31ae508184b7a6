// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The process that computes for the server. It keeps the fabric, its routes and their what-if in
// memory, and answers calls (child.hpp) one after another.

#include <cstdint>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "serve/children/facts.hpp"

namespace fatwood::serve {

enum class WorkerOp : std::uint8_t {
  kOpen,    // read the fabric and its routes (again); reply: facts, events, and the fabric as JSON
  kRoute,   // other routes for the same fabric; reply: facts
  kChange,  // what-if of the changes in `text`, lines of a --faults file; reply: JSON in parts
  kTables,  // write the tables of the what-if (of the fabric if there are no changes) to `path`
  kFabric,  // write its fabric as JSON to `path`
  kProof,   // write the certificate of these tables to `path`
  kPage,    // write the page of these tables to `path`; `text`: the command in its foot
  kPageData,  // write the data of this page
  kPreview,   // what-if of the changes in `text`, for one client: kChange's is left; reply: JSON;
              // `routing`: "first" (all but the fabric routed again) or ""
  kPreviewData,  // write the page's data of this what-if to `path`; `routing`: "repaired" or
                 // "rerouted"
  kPreviewMap,   // the same, but only what the map needs
};

struct WorkerRequest {
  WorkerOp op = WorkerOp::kOpen;
  std::string fabric, routing;  // kOpen, kRoute: as on the command line; "": the default routing
  std::string text;             // kChange, kPage, kPreview*
  std::string path;             // to write to: in the server's folder, never from a request
};

struct ServeEvent {
  std::string kind;
  std::string data;  // JSON in one line
};

struct WorkerReply {
  int status = 200;  // of HTTP
  std::string error = {};
  Facts facts = {};
  std::string text = {};
  std::vector<ServeEvent> events = {};
  bool same = false;          // kOpen: nothing changed
  std::string counters = {};  // kOpen: JSON of what links sent since the last reading, or ""
};

void fields(auto& bytes, Some<WorkerRequest> auto& request) {
  bytes(request.op, request.fabric, request.routing, request.text, request.path);
}
void fields(auto& bytes, Some<ServeEvent> auto& event) { bytes(event.kind, event.data); }
void fields(auto& bytes, Some<WorkerReply> auto& reply) {
  bytes(reply.status, reply.error, reply.facts, reply.text, reply.events, reply.same,
        reply.counters);
}

// Answers until the server closes the socket.
void run_worker(int socket);

}  // namespace fatwood::serve
