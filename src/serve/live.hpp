// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The state that all clients share: the fabric as it was read last, and a list of changes to it,
// the what-if, with undo and redo.
//
// The fabric is read again when its file changes, or every so often; a reading that fails leaves
// the last good one in place, and its age shows. Changes are lines of a --faults file, so the list
// can be saved and given to any verb. Each change is computed from the base, so undo needs no
// inverse. The first figures of a what-if are announced before the last ones are known.
//
// "live" is asked through infiniband-diags into files of the server, which the worker and all tasks
// read: a program that hangs is ended, and nobody waits for it. Counters come from ibqueryerrors.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "report/json.hpp"
#include "serve/child.hpp"
#include "serve/events.hpp"
#include "serve/history.hpp"
#include "serve/worker.hpp"

namespace fatwood::serve {

struct LiveSource {
  std::string fabric, routing;  // as on the command line
  std::string folder = {};      // the server's own, for what the switches of "live" say
  std::chrono::seconds every{60};
};

class Live {
 public:
  Live(LiveSource source, ChildLimits limits, Events& events, History* history);

  // Reads the fabric; the first time InputError or PromiseError where that can't be.
  void read();
  // Whether the files of fabric and routing differ from when they were read.
  bool files_changed() const;

  std::string state_json() const;
  std::string changes_text() const;  // a --faults file
  // Replaces the list behind the current position by these lines; JSON of the what-if.
  std::string change(const std::string& lines);
  std::string set_changes(const std::string& lines);  // the whole list
  std::string undo();
  std::string redo();
  // Routes by this engine from now on; "": as on the command line. JSON of the what-if. InputError
  // for what is no engine, PromiseError where it can't route the fabric: all stays as it was then.
  std::string set_routing(const std::string& engine);

  // Writes what `op` says of the what-if to a file of the server.
  void write(WorkerOp op, const std::string& path, const std::string& text = "");

  Facts facts() const;
  bool has_facts() const;
  double age_seconds() const;
  std::uint64_t reads() const;
  std::uint64_t failed_reads() const;
  std::uint64_t changes_made() const;
  std::uint64_t worker_starts() const { return worker_.starts(); }
  const LiveSource& source() const { return source_; }
  // What verbs read: the same, or the files that stand for "live".
  const std::string& fabric_word() const { return files_.fabric; }
  std::string routing_word() const;   // the engine that was chosen, or what was given; "": neither
  std::string given_routing() const;  // at the start, without its folder
  std::string counters_json() const;  // "": there are none
  std::uint64_t version() const;      // grows with every reading and change
  void stop() {
    stopping_ = true;
    worker_.stop();
  }

 private:
  using Clock = std::chrono::steady_clock;
  void ask_switches();  // "live": what they say now, into files
  void ask_counters();
  WorkerReply call(const WorkerRequest& request,
                   const PartHandler& part = {});  // opens first where the worker is new
  WorkerReply call_open();
  void use_routing(const std::string& chosen);
  std::string compute(std::vector<std::string> changes, std::size_t position);
  std::string applied() const;  // the lines up to the position
  void announce();
  std::string stamp() const;  // of the files

  LiveSource source_, files_;
  ChildLimits limits_;
  std::atomic<bool> stopping_ = false;
  bool counters_work_ = true;  // of the thread that reads
  Worker worker_;
  Events& events_;
  History* history_;

  std::mutex changing_;       // one reading or change at a time
  mutable std::mutex mutex_;  // of what follows
  std::uint64_t opened_ = 0;  // deaths of the worker when it got the fabric, and 1
  std::string chosen_;        // engine; "": as given
  std::optional<Facts> facts_;
  std::string error_;  // of the last reading; "": it was good
  Clock::time_point read_at_{};
  std::string stamp_;
  std::vector<std::string> changes_;
  std::size_t position_ = 0;  // changes before it count
  std::string whatif_ = "null";
  // A what-if of which only a part is known yet.
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
  mutable std::shared_ptr<const StateText> text_;       // nothing: the state has changed since
  std::uint64_t version_ = 0, reads_ = 0, failed_ = 0, made_ = 0;
};

}  // namespace fatwood::serve
