// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The state that all clients share: the fabric as last read, and a list of changes to it (the
// what-if), with undo and redo.
//
// The fabric is read again when its file changes, or periodically. If that fails, the last good one
// stays, and its age is shown. Changes are lines of a --faults file, so the list can be saved and
// given to any verb. Each change is computed from the base, so undo needs no inverse. The first
// figures of a what-if are sent before the last ones are known.
//
// For "live", infiniband-diags writes to files of the server, which the worker and all tasks read.
// A program that hangs is killed, and nobody waits for it. Counters come from ibqueryerrors. Files
// of the user are first read by a process of its own (files.hpp), so a pipe or a file system that
// does not answer stops neither the server nor the what-if.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "report/json.hpp"
#include "serve/children/child.hpp"
#include "serve/children/worker.hpp"
#include "serve/http/events.hpp"
#include "serve/state/files.hpp"

namespace fatwood::serve {

struct LiveSource {
  std::string fabric, routing;  // as on the command line
  std::string folder = {};      // of the server, for the output of "live"
  std::chrono::seconds every{60};
};

// The state at one moment.
struct LiveView {
  std::optional<Facts> facts = {};  // of the last successful reading
  double age_seconds = 0;           // since then
  std::uint64_t reads = 0, failed_reads = 0;
  std::uint64_t changes_made = 0;  // of the what-if
  std::uint64_t worker_starts = 0;
  std::uint64_t version = 0;       // grows with every reading and change
  std::string changes = {};        // a --faults file
  std::string routing = {};        // the chosen engine, or the word given at the start, or ""
  std::string counters = {};       // JSON; "": there are none
  std::string unreadable = {};     // why the files can't be read at the moment; "": they can
  std::string history_error = {};  // why the last state was not kept; "": it was
};

// The time that programs and files of the user have to answer.
std::chrono::seconds time_to_read(std::chrono::seconds every);

class Live {
 public:
  Live(LiveSource source, ChildLimits limits, Events& events, Files& files);

  // Reads the fabric. The first time: InputError or PromiseError if that fails.
  void read();
  // Whether the files of fabric and routing have changed since they were read.
  bool files_changed();
  bool is_file() const;  // the fabric, when it was read
  // Stores the last state in the history, if that is still to be done. From the thread that reads.
  void keep_history();

  std::string state_json() const;
  LiveView view() const;
  // Replaces the list after the current position by these lines. Returns the what-if as JSON.
  std::string change(const std::string& lines);
  std::string set_changes(const std::string& lines);  // the whole list
  std::string undo();
  std::string redo();
  // Routes with this engine from then on; "": as on the command line. Returns the what-if as JSON.
  // InputError if it is no engine, PromiseError if it cannot route the fabric; then nothing
  // changes.
  std::string set_routing(const std::string& engine);

  // The what-if of other changes, as JSON: nobody else sees it. `stage`: "first" (without the
  // fabric routed again) or "".
  std::string preview(const std::string& lines, const std::string& stage);
  // Writes its page, or the data of its map, to a path of the server; `view`: "repaired" or
  // "rerouted".
  void write_preview(WorkerOp op, const std::string& lines, const std::string& view,
                     const std::string& path);

  // Writes the file that `op` names, of the what-if, to a path of the server.
  void write(WorkerOp op, const std::string& path, const std::string& text = "");

  const LiveSource& source() const { return source_; }
  // The FABRIC word for verbs: the same as given, or the files of "live".
  const std::string& fabric_word() const { return inputs_.fabric; }
  std::string given_routing() const;  // the word given at the start, without its folder
  void stop() {
    stopping_ = true;
    files_.stop();
    worker_.stop();
  }

 private:
  using Clock = std::chrono::steady_clock;
  void ask_switches();  // "live": writes the present state of the switches to files
  void ask_counters();
  WorkerReply call(const WorkerRequest& request,
                   const PartHandler& part = {});  // opens the fabric first if the worker is new
  WorkerReply call_open();
  std::string look_at_files(std::vector<std::string>& stamps);  // returns what is wrong
  void fail(const std::string& why, const std::vector<std::string>& stamps);
  bool open_again(const std::vector<std::string>& stamps);  // false: nothing changed
  void use_routing(const std::string& chosen);
  std::string compute(std::vector<std::string> changes, std::size_t position);
  std::string applied() const;  // the lines up to the position
  void announce();

  LiveSource source_, inputs_;  // as given, and what the worker reads
  ChildLimits limits_;
  std::atomic<bool> stopping_ = false;
  bool counters_work_ = true;  // of the thread that reads
  Worker worker_;
  Events& events_;
  Files& files_;
  struct Unsaved {
    std::uint64_t time;
    std::string facts, fabric;
  };
  std::optional<Unsaved> unsaved_;  // a state for the history; of the thread that reads

  std::mutex changing_;       // one reading or change at a time
  mutable std::mutex mutex_;  // protects all members below
  std::uint64_t opened_ = 0;  // deaths of the worker when it got the fabric, plus 1
  std::string chosen_;        // engine; "": as given
  std::optional<Facts> facts_;
  std::string first_routing_;  // what was chosen at the start, if no word was given
  std::string error_;          // of the last reading; "": none
  Clock::time_point read_at_{};
  std::vector<std::string> stamps_;  // of the files when they were read
  std::string unreadable_, history_error_;
  std::vector<std::string> changes_;
  std::size_t position_ = 0;  // only changes before it count
  std::string whatif_ = "null";
  // A what-if with partial results.
  struct Pending {
    std::vector<std::string> changes;
    std::size_t position;
    std::string whatif;
  };
  std::optional<Pending> pending_;
  std::string counters_;
  // The state as JSON, around its age.
  struct StateText {
    std::string head, tail;
    Clock::time_point read_at;
  };
  std::shared_ptr<const StateText> state_text() const;  // REQUIRES mutex_
  mutable std::shared_ptr<const StateText> text_;       // nullptr: the state has changed since
  std::uint64_t version_ = 0, reads_ = 0, failed_ = 0, made_ = 0;
};

}  // namespace fatwood::serve
