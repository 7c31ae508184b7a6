// SPDX-License-Identifier: BSD-3-Clause
#include "io/lists/job_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/text/hostlist.hpp"
#include "core/text/parse_bytes.hpp"
#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"
#include "core/text/words.hpp"
#include "io/base/json_bytes.hpp"
#include "traffic/collectives/collective_list.hpp"

namespace fatwood {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t kMostWeight = 255;  // as in tables of arbitration

std::vector<std::string_view> split(std::string_view text, std::string_view gaps) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(gaps, at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(gaps, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    at = end;
  }
  return parts;
}

ListedJob slurm_job(std::string name, std::string_view nodes, const Location& where) {
  return {std::move(name), expand_hostlist(nodes, where), "", "", where, true, 1};
}

// The value of KEY=value; nothing when the key is not there. Names of jobs may hold blanks, the
// values in use here do not.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
    if (at != 0 && line[at - 1] != ' ') continue;  // ReqNodeList= is another key
    const std::string_view rest = line.substr(at + key.size());
    return rest.substr(0, rest.find(' '));
  }
  return std::nullopt;
}

class JobListReader {
 public:
  explicit JobListReader(Input& input) : input_(input) {}

  std::vector<ListedJob> run() {
    const std::string_view head = input_.peek();
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && head[first] == '{') {
      read_json();
    } else {
      Warnings noise(input_.name());
      while (const auto line = input_.next_line(noise)) {
        if (!noise.texts().empty()) break;
        read(*line);
      }
      // A prompt could be taken for a job: "$ cat jobs".
      if (!noise.texts().empty()) throw InputError(noise.texts().front());
    }
    if (jobs_.empty() && !skipped_) {
      throw InputError({input_.name(), 0, 0},
                       "no job: expected lines NAME HOSTLIST, or what squeue or scontrol print");
    }
    return std::move(jobs_);
  }

 private:
  void read(std::string_view line) {
    if (const auto id = value_of(line, "JobId=")) {
      job_id_ = *id;
      job_state_.clear();
    }
    if (!job_id_.empty()) {
      scontrol_line(line);
    } else if (line.find("JOBID") != std::string_view::npos &&
               line.find("NODELIST") != std::string_view::npos) {
      header_.clear();
      for (const std::string_view word : columns(line)) header_.emplace_back(word);
    } else if (!header_.empty()) {
      table_line(line);
    } else if (line.find('|') != std::string_view::npos) {
      bar_line(line);
    } else {
      own_line(line);
    }
  }

  // All of a job, or one of the lines it has without -o: the state comes before the nodes.
  void scontrol_line(std::string_view line) {
    skipped_ = true;
    if (const auto state = value_of(line, "JobState=")) job_state_ = *state;
    const auto nodes = value_of(line, "NodeList=");
    const bool runs = job_state_.empty() || job_state_ == "RUNNING" || job_state_ == "COMPLETING";
    if (!runs || !nodes || *nodes == "(null)") return;
    const auto column = static_cast<std::size_t>(nodes->data() - line.data()) + 1;
    add(slurm_job(job_id_, *nodes, input_.at(column)));
  }

  // squeue -o '%i|%D|%N|%j' has bars in its header too.
  std::vector<std::string_view> columns(std::string_view line) {
    if (header_.empty()) bars_ = line.find('|') != std::string_view::npos;
    return bars_ ? split_at(line, '|') : split(line, " \t");
  }

  void table_line(std::string_view line) {
    const std::vector<std::string_view> words = columns(line);
    if (line.find_first_not_of(" \t") == std::string_view::npos) return;
    if (words.size() < header_.size()) {
      throw InputError(input_.at(1),
                       fmt::format("expected {} columns, as in the header", header_.size()));
    }
    // A name may hold blanks: what comes after it is counted from the end. The last column holds
    // blanks only when it is a reason, and then the job does not run.
    const auto column = [&](std::initializer_list<std::string_view> names) {
      bool after_name = false;
      for (std::size_t i = 0; i < header_.size(); ++i) {
        if (std::ranges::find(names, header_[i]) != names.end()) {
          return words[after_name ? words.size() - (header_.size() - i) : i];
        }
        after_name = after_name || header_[i] == "NAME";
      }
      return std::string_view{};
    };
    const std::string_view state = column({"ST", "STATE"});
    const bool last = header_.back().starts_with("NODELIST");
    const std::string_view nodes = last ? words.back() : column({"NODELIST", "NODELIST(REASON)"});
    if (nodes.empty() || nodes.ends_with(')') ||
        (!state.empty() && state != "R" && state != "CG" && state != "RUNNING" &&
         state != "COMPLETING")) {
      skipped_ = true;
      return;
    }
    ListedJob job = slurm_job(std::string(column({"JOBID"})), nodes, at(line, nodes));
    if (const std::string_view count = column({"NODES"}); !count.empty()) {
      require_count(job, count, at(line, count));
    }
    add(std::move(job));
  }

  void bar_line(std::string_view line) {
    const std::vector<std::string_view> parts = split_at(line, '|');
    if (parts.size() != 4) {
      throw InputError(input_.at(1), "expected ID|NODES|HOSTLIST|NAME (squeue -o '%i|%D|%N|%j')");
    }
    if (parts[2].empty() || parts[2].starts_with('(')) {
      skipped_ = true;
      return;
    }
    ListedJob job = slurm_job(std::string(parts[0]), parts[2], at(line, parts[2]));
    require_count(job, parts[1], at(line, parts[1]));
    add(std::move(job));
  }

  Location at(std::string_view line, std::string_view part) const {
    return input_.at(static_cast<std::size_t>(part.data() - line.data()) + 1);
  }

  // The number of nodes that Slurm prints next to their list.
  static void require_count(const ListedJob& job, std::string_view nodes, const Location& where) {
    const auto count = parse_number<std::uint64_t>(nodes);
    if (!count) throw InputError(where, "expected a number of nodes");
    if (*count == job.hosts.size()) return;
    throw InputError(where, fmt::format("job {} has {} nodes, but its list has {}", job.name,
                                        *count, job.hosts.size()));
  }

  // InputError when there is a job of this name.
  void add(ListedJob job) {
    const auto same = std::ranges::find(jobs_, job.name, &ListedJob::name);
    if (same == jobs_.end()) return jobs_.push_back(std::move(job));
    const std::string other =
        same->where.line > 0 ? fmt::format(" on line {}", same->where.line) : "";
    throw InputError(job.where, fmt::format("another job{} has the name {}; expected each job once",
                                            other, job.name));
  }

  void own_line(std::string_view line) {
    const std::vector<Word> words = split_words(line, input_.at());
    if (words.empty()) return;
    if (words.size() < 2 || words.size() > 5) {
      throw InputError(input_.at(words.front().column),
                       "expected NAME HOSTLIST [COLLECTIVE [SIZE [WEIGHT]]]");
    }
    ListedJob job;
    job.name = words[0].text;
    job.hosts = expand_hostlist(words[1].text, input_.at(words[1].column));
    if (words.size() > 2) {
      job.collective = words[2].text;
      (void)read_word(input_.at(), words[2],
                      [](const std::string& text) { return &find_collective(text); });
    }
    if (words.size() > 3) {
      job.size = words[3].text;
      (void)read_word(input_.at(), words[3], parse_bytes);
    }
    if (words.size() > 4) {
      const auto weight = parse_number<std::uint32_t>(words[4].text);
      if (!weight || *weight == 0 || *weight > kMostWeight) {
        throw InputError(input_.at(words[4].column),
                         fmt::format("expected a weight from 1 to {}", kMostWeight));
      }
      job.weight = *weight;
    }
    job.where = input_.at(words[1].column);
    add(std::move(job));
  }

  static std::string text_of(const Json& json) {
    if (json.is_string()) return json.get<std::string>();
    if (json.is_number_integer()) return std::to_string(json.get<std::int64_t>());
    return "";
  }

  void read_json() {
    JsonBytes bytes(input_);
    Json json;
    try {
      json = Json::parse(JsonIterator(&bytes), JsonIterator(nullptr));
    } catch (const Json::exception&) {
      throw InputError(bytes.where(), "expected JSON");
    }
    const Location where{input_.name(), 0, 0};
    const auto jobs = json.find("jobs");
    if (!json.is_object() || jobs == json.end() || !jobs->is_array()) {
      throw InputError(where, "expected {\"jobs\": [...]} (squeue --json)");
    }
    for (const Json& job : *jobs) json_job(job, where);
  }

  void json_job(const Json& job, const Location& where) {
    if (!job.is_object()) throw InputError(where, "expected an object for each job");
    bool runs = true;
    if (const auto state = job.find("job_state"); state != job.end()) {
      const Json first = state->is_array() && !state->empty() ? (*state)[0] : *state;
      const std::string text = text_of(first);
      runs = text.empty() || text == "RUNNING" || text == "COMPLETING";
    }
    std::string nodes;
    if (const auto at = job.find("nodes"); at != job.end()) nodes = text_of(*at);
    const auto resources = job.find("job_resources");
    if (nodes.empty() && resources != job.end() && resources->is_object()) {
      const auto list = resources->find("nodes");
      if (list != resources->end() && list->is_object() && list->contains("list")) {
        nodes = text_of((*list)["list"]);
      } else if (list != resources->end()) {
        nodes = text_of(*list);
      }
    }
    if (!runs || nodes.empty()) {
      skipped_ = true;
      return;
    }
    const auto id = job.find("job_id");
    add(slurm_job(id == job.end() ? "job" : text_of(*id), nodes, where));
  }

  Input& input_;
  std::vector<ListedJob> jobs_;
  std::vector<std::string> header_;  // of squeue's table
  bool bars_ = false;                // between its columns
  std::string job_id_;               // of scontrol's job
  std::string job_state_;
  bool skipped_ = false;  // jobs that don't run
};

}  // namespace

std::vector<ListedJob> read_job_list(Input& input) { return JobListReader(input).run(); }

}  // namespace fatwood
