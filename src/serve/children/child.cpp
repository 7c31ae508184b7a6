// SPDX-License-Identifier: BSD-3-Clause
#include "serve/children/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "core/text/parse_number.hpp"

extern char** environ;  // NOLINT: as POSIX names it

namespace fatwood::serve {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kWorkerSocket = 3;
constexpr std::uint64_t kMostFrame = 1ULL << 30;
constexpr std::uint64_t kMoreFollows = 1ULL << 63;  // in the size of a frame

// Descriptors that close by themselves.
struct Pipe {
  std::array<int, 2> end{-1, -1};
  Pipe() {
    if (pipe2(end.data(), O_CLOEXEC) != 0) throw ChildError("no pipe for a child process");
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
  SpawnFiles() { posix_spawn_file_actions_init(&actions); }
  ~SpawnFiles() { posix_spawn_file_actions_destroy(&actions); }
  SpawnFiles(const SpawnFiles&) = delete;
  SpawnFiles& operator=(const SpawnFiles&) = delete;
  void move(int from, int to) { posix_spawn_file_actions_adddup2(&actions, from, to); }
  void open_null(int to, int mode) {
    posix_spawn_file_actions_addopen(&actions, to, "/dev/null", mode, 0);
  }
};

// A group of its own: whatever it starts ends with it.
struct SpawnSettings {
  posix_spawnattr_t attributes{};
  SpawnSettings() {
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() { posix_spawnattr_destroy(&attributes); }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

pid_t spawn(const std::string& program, const std::vector<std::string>& words,
            const SpawnFiles& files, const std::vector<std::string>& settings,
            std::uint64_t memory_bytes) {
  std::vector<std::string> all{program};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<std::string> environment(settings);
  std::vector<char*> env;
  for (char** one = environ; *one != nullptr; ++one) env.push_back(*one);
  for (std::string& one : environment) env.push_back(one.data());
  env.push_back(nullptr);
  pid_t pid = 0;
  const SpawnSettings own_group;
  const int error = posix_spawnp(&pid, program.c_str(), &files.actions, &own_group.attributes,
                                 argv.data(), env.data());
  if (error != 0) throw ChildError(fmt::format("can't start a process: {}", strerror(error)));
#ifdef __SANITIZE_ADDRESS__  // reserves terabytes of address space
  (void)memory_bytes;
#else
  const rlimit memory{memory_bytes, memory_bytes};
  (void)prlimit(pid, RLIMIT_AS, &memory, nullptr);
#endif
  return pid;
}

// Next to this program.
std::string fatwood_program() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "fatwood").string();
}

// "ended by signal 11 (Segmentation fault)".
std::string end_of(int status) {
  if (WIFEXITED(status)) return fmt::format("ended with exit code {}", WEXITSTATUS(status));
  return fmt::format("ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
}

int reap(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// Reads what there is; false at the end of the file.
bool read_some(int fd, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t n = read(fd, buffer.data(), buffer.size());
  if (n > 0) text.append(buffer.data(), static_cast<std::size_t>(n));
  return n > 0 || (n < 0 && errno == EINTR);
}

// The last whole line "0.42 text" of a child's progress.
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

bool send_all(int socket, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = send(socket, data, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

// Waits until `deadline` at most.
bool receive_all(int socket, char* data, std::size_t size, Clock::time_point deadline) {
  while (size > 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wait{socket, POLLIN, 0};
    if (left <= 0 || poll(&wait, 1, static_cast<int>(std::min<long>(left, 1000))) < 0) {
      if (left <= 0 || errno != EINTR) return false;
      continue;
    }
    if (wait.revents == 0) continue;
    const ssize_t n = recv(socket, data, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool send_frame(int socket, const std::string& bytes, std::uint64_t mark = 0) {
  const std::uint64_t size = bytes.size() | mark;
  return send_all(socket, reinterpret_cast<const char*>(&size), sizeof(size)) &&
         send_all(socket, bytes.data(), bytes.size());
}

// Nothing where the other side is gone or too slow.
bool receive_frame(int socket, std::string& bytes, Clock::time_point deadline, bool& more) {
  std::uint64_t size = 0;
  if (!receive_all(socket, reinterpret_cast<char*>(&size), sizeof(size), deadline)) return false;
  more = (size & kMoreFollows) != 0;
  size &= ~kMoreFollows;
  if (size > kMostFrame) return false;
  bytes.resize(size);
  return receive_all(socket, bytes.data(), bytes.size(), deadline);
}

}  // namespace

namespace {

// The diagnostics are in a folder that users often do not have in PATH: it comes last.
std::string found_in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  const std::string folders = (path == nullptr ? "" : std::string(path) + ":") + "/usr/sbin";
  for (std::size_t start = 0; start <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', start), folders.size());
    const std::string program = folders.substr(start, end - start) + "/" + name;
    if (access(program.c_str(), X_OK) == 0) return program;
    start = end + 1;
  }
  throw ChildError(name + " is not installed (Debian: apt install infiniband-diags)");
}

ChildOutput run_to_end(const std::string& program, const std::vector<std::string>& words,
                       const std::string& name, const ChildLimits& limits,
                       const std::atomic<bool>& cancel, std::atomic<int>& progress) {
  Pipe out, err, share;
  SpawnFiles files;
  files.open_null(STDIN_FILENO, O_RDONLY);
  files.move(out.end[1], STDOUT_FILENO);
  files.move(err.end[1], STDERR_FILENO);
  files.move(share.end[1], kWorkerSocket);
  const pid_t pid =
      spawn(program, words, files, {fmt::format("FATWOOD_PROGRESS_FD={}", kWorkerSocket)},
            limits.memory_bytes);
  for (Pipe* pipe : {&out, &err, &share}) pipe->close_end(1);
  const auto deadline = Clock::now() + limits.time;
  ChildOutput result;
  std::string steps, why;
  bool open_out = true, open_err = true, open_share = true;
  while (open_out || open_err) {
    if (cancel) why = "cancelled";
    if (Clock::now() > deadline) why = fmt::format("took more than {} s", limits.time.count());
    if (result.out.size() > limits.output_bytes) why = "printed too much";
    if (!why.empty()) break;
    std::array<pollfd, 3> wait{{{open_out ? out.end[0] : -1, POLLIN, 0},
                                {open_err ? err.end[0] : -1, POLLIN, 0},
                                {open_share ? share.end[0] : -1, POLLIN, 0}}};
    if (poll(wait.data(), wait.size(), 50) <= 0) continue;
    if (wait[0].revents != 0) open_out = read_some(out.end[0], result.out);
    if (wait[1].revents != 0) open_err = read_some(err.end[0], result.err);
    if (wait[2].revents != 0) open_share = read_some(share.end[0], steps);
    note_progress(steps, progress);
    if (result.err.size() > 65536) result.err.erase(0, result.err.size() - 65536);
  }
  if (!why.empty()) kill(-pid, SIGKILL);
  const int status = reap(pid);
  if (!why.empty()) throw ChildError(fmt::format("{} {}", name, why));
  if (!WIFEXITED(status)) {
    throw ChildError(fmt::format("{} {}", name, end_of(status)));
  }
  result.status = WEXITSTATUS(status);
  return result;
}

}  // namespace

ChildOutput run_child(const std::vector<std::string>& words, const ChildLimits& limits,
                      const std::atomic<bool>& cancel, std::atomic<int>& progress) {
  return run_to_end(fatwood_program(), words, "fatwood " + words.front(), limits, cancel, progress);
}

ChildOutput run_program(const std::vector<std::string>& words, const ChildLimits& limits,
                        const std::atomic<bool>& cancel) {
  const std::string program = found_in_path(words.front());
  std::atomic<int> progress = 0;
  return run_to_end(program, {words.begin() + 1, words.end()}, words.front(), limits, cancel,
                    progress);
}

void Worker::start() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw ChildError("no socket for the worker");
  }
  SpawnFiles files;
  files.open_null(STDIN_FILENO, O_RDONLY);
  files.open_null(STDOUT_FILENO, O_WRONLY);
  files.move(ends[1], kWorkerSocket);
  try {
    pid_ = spawn("/proc/self/exe", {"--worker", fmt::format("{}", kWorkerSocket)}, files, {},
                 limits_.memory_bytes);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  socket_ = ends[0];
  ++starts_;
}

void Worker::end() {
  if (pid_ == 0) return;
  kill(pid_, SIGKILL);
  close(socket_);
  (void)reap(pid_);
  pid_ = 0;
  socket_ = -1;
  ++deaths_;
}

void Worker::stop() {
  const int pid = pid_;
  if (pid != 0) kill(pid, SIGKILL);  // a call that waits ends
  const std::lock_guard lock(mutex_);
  end();
}

std::string Worker::call(const std::string& request, const PartHandler& part) {
  const std::lock_guard lock(mutex_);
  if (pid_ == 0) start();
  std::string bytes;
  bool more = true;
  const auto deadline = Clock::now() + limits_.time;
  bool good = send_frame(socket_, request);
  while (good && more) {
    good = receive_frame(socket_, bytes, deadline, more);
    if (good && more && part) part(bytes);
  }
  if (good) return bytes;
  int status = 0;
  const bool died = waitpid(pid_, &status, WNOHANG) == pid_;
  if (died) {
    close(socket_);
    pid_ = 0;
    socket_ = -1;
    ++deaths_;
    throw ChildError("the worker " + end_of(status));
  }
  end();
  throw ChildError(fmt::format("the worker took more than {} s", limits_.time.count()));
}

std::string receive(int socket) {
  std::string bytes;
  const auto never = Clock::now() + std::chrono::hours(24 * 365 * 100);
  bool more = false;
  if (!receive_frame(socket, bytes, never, more)) bytes.clear();
  return bytes;
}

void reply(int socket, const std::string& bytes) { (void)send_frame(socket, bytes); }
void reply_part(int socket, const std::string& bytes) {
  (void)send_frame(socket, bytes, kMoreFollows);
}

}  // namespace fatwood::serve
