// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/run_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "core/text/parse_number.hpp"
#include "core/text/split.hpp"

extern char** environ;  // NOLINT: as POSIX names it

namespace fatwood {
namespace {

constexpr int kProgressDescriptor = 3;

// Descriptors that close by themselves.
struct Pipe {
  std::array<int, 2> end{-1, -1};

  Pipe() {
    if (pipe2(end.data(), O_CLOEXEC) != 0) throw ProgramError("no pipe for a program");
  }
  ~Pipe() {
    for (const int fd : end) {
      if (fd >= 0) close(fd);
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_end(std::size_t which) {
    close(end[which]);
    end[which] = -1;
  }
};

struct SpawnFiles {
  posix_spawn_file_actions_t actions{};

  explicit SpawnFiles(const ProgramCall& program) {
    posix_spawn_file_actions_init(&actions);
    for (const auto& [fd, mode] : {std::pair{STDIN_FILENO, O_RDONLY}, {STDOUT_FILENO, O_WRONLY}}) {
      posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", mode, 0);
    }
    for (const auto& [ours, its] : program.descriptors) {
      posix_spawn_file_actions_adddup2(&actions, ours, its);
    }
  }
  ~SpawnFiles() { posix_spawn_file_actions_destroy(&actions); }
  SpawnFiles(const SpawnFiles&) = delete;
  SpawnFiles& operator=(const SpawnFiles&) = delete;
};

struct SpawnSettings {
  posix_spawnattr_t attributes{};

  explicit SpawnSettings(const ProgramCall& program) {
    posix_spawnattr_init(&attributes);
    if (program.own_group) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() { posix_spawnattr_destroy(&attributes); }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

// Reads what there is; false at the end of the file.
bool read_some(int fd, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t n = read(fd, buffer.data(), buffer.size());
  if (n > 0) text.append(buffer.data(), static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && errno == EINTR);
}

// The last whole line "0.42 text" of a program's progress.
void note_progress(std::string& text, std::atomic<int>& progress) {
  const std::size_t end = text.rfind('\n');
  if (end == std::string::npos) return;
  const std::size_t before = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
  const std::size_t start = before == std::string::npos ? 0 : before + 1;
  const std::string_view line = std::string_view(text).substr(start, end - start);
  if (const auto share = parse_number<double>(line.substr(0, line.find(' ')))) {
    progress = static_cast<int>(*share * 1000);
  }
  text.erase(0, end + 1);
}

}  // namespace

pid_t start_program(const ProgramCall& program) {
  ProgramCall copy = program;  // spawn wants words that it could change
  std::vector<char*> argv{copy.path.data()};
  for (std::string& word : copy.words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<char*> env;
  for (char** one = environ; *one != nullptr; ++one) env.push_back(*one);
  for (std::string& one : copy.settings) env.push_back(one.data());
  env.push_back(nullptr);
  pid_t pid = 0;
  const SpawnFiles files(program);
  const SpawnSettings settings(program);
  const int error = posix_spawnp(&pid, program.path.c_str(), &files.actions, &settings.attributes,
                                 argv.data(), env.data());
  if (error != 0) {
    throw ProgramError(fmt::format("can't start {}: {}", program.name, strerror(error)));
  }
#ifndef __SANITIZE_ADDRESS__  // which reserves terabytes of address space
  if (program.memory_bytes > 0) {
    const rlimit memory{program.memory_bytes, program.memory_bytes};
    (void)prlimit(pid, RLIMIT_AS, &memory, nullptr);
  }
#endif
  return pid;
}

int reap(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string end_text(int status) {
  if (WIFEXITED(status)) return fmt::format("ended with exit code {}", WEXITSTATUS(status));
  return fmt::format("ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

ProgramOutput run_program(ProgramCall program, const ProgramLimits& limits,
                          const std::atomic<bool>* cancel, std::atomic<int>* progress) {
  using Clock = std::chrono::steady_clock;
  Pipe out, err, share;
  program.descriptors = {{out.end[1], STDOUT_FILENO}, {err.end[1], STDERR_FILENO}};
  if (progress != nullptr) {
    program.descriptors.emplace_back(share.end[1], kProgressDescriptor);
    program.settings.push_back(fmt::format("FATWOOD_PROGRESS_FD={}", kProgressDescriptor));
  }
  const pid_t pid = start_program(program);
  for (Pipe* pipe : {&out, &err, &share}) pipe->close_end(1);
  const auto deadline = Clock::now() + limits.time;
  ProgramOutput result;
  std::string steps, why;
  const auto check_limits = [&] {
    if (cancel != nullptr && *cancel) why = "cancelled";
    if (Clock::now() > deadline) why = fmt::format("took more than {} s", limits.time.count());
  };
  bool open_out = true, open_err = true, open_share = progress != nullptr;
  while (open_out || open_err) {
    check_limits();
    if (result.out.size() > limits.output_bytes) why = "printed too much";
    if (!why.empty()) break;
    // Both at once: a program that waits for one of them to be read would never end.
    std::array<pollfd, 3> wait{{{open_out ? out.end[0] : -1, POLLIN, 0},
                                {open_err ? err.end[0] : -1, POLLIN, 0},
                                {open_share ? share.end[0] : -1, POLLIN, 0}}};
    if (poll(wait.data(), wait.size(), 50) <= 0) continue;
    if (wait[0].revents != 0) open_out = read_some(out.end[0], result.out);
    if (wait[1].revents != 0) open_err = read_some(err.end[0], result.err);
    if (wait[2].revents != 0) open_share = read_some(share.end[0], steps);
    if (progress != nullptr) note_progress(steps, *progress);
    if (result.err.size() > 65536) result.err.erase(0, result.err.size() - 65536);
  }
  // A program may close its output and go on.
  int status = 0;
  while (why.empty() && waitpid(pid, &status, WNOHANG) == 0) {
    check_limits();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (!why.empty()) {
    kill(program.own_group ? -pid : pid, SIGKILL);
    status = reap(pid);
  }
  if (why.empty() && !WIFEXITED(status)) why = end_text(status);
  if (!why.empty()) throw ProgramError(fmt::format("{} {}", program.name, why));
  result.status = WEXITSTATUS(status);
  return result;
}

ProgramCall diagnostic(const std::vector<std::string>& words) {
  // The diagnostics are in folders that users often do not have in PATH: these come last.
  const char* const path = std::getenv("PATH");
  const std::string folders = (path == nullptr ? "" : std::string(path) + ":") + "/usr/sbin:/sbin";
  for (const std::string_view folder : split_at(folders, ':')) {
    std::string program = fmt::format("{}/{}", folder, words[0]);
    if (access(program.c_str(), X_OK) == 0) {
      return {
          .name = words[0], .path = std::move(program), .words = {words.begin() + 1, words.end()}};
    }
  }
  throw ProgramError(words[0] + " is not installed (Debian: apt install infiniband-diags)");
}

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

}  // namespace fatwood
