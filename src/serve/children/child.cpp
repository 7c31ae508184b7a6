// SPDX-License-Identifier: BSD-3-Clause
#include "serve/children/child.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>

#include "app/parameter.hpp"

namespace fatwood::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kWorkerSocket = 3;
constexpr std::uint64_t kMostFrame = 1ULL << 30;
constexpr std::uint64_t kMoreFollows = 1ULL << 63;  // in the size of a frame

// Whether the socket is ready for `event` before `deadline`.
bool ready(int socket, short event, Clock::time_point deadline) {
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd wait{socket, event, 0};
    const int n = poll(&wait, 1, static_cast<int>(std::min<long>(left, 1000)));
    if (n > 0) return true;
    if (n < 0 && errno != EINTR) return false;
  }
}

bool send_all(int socket, const char* data, std::size_t size, Clock::time_point deadline) {
  while (size > 0) {
    if (!ready(socket, POLLOUT, deadline)) return false;
    const ssize_t n = send(socket, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool receive_all(int socket, char* data, std::size_t size, Clock::time_point deadline) {
  while (size > 0) {
    if (!ready(socket, POLLIN, deadline)) return false;
    const ssize_t n = recv(socket, data, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool send_frame(int socket, const std::string& bytes, Clock::time_point deadline,
                std::uint64_t mark = 0) {
  const std::uint64_t size = bytes.size() | mark;
  return send_all(socket, reinterpret_cast<const char*>(&size), sizeof(size), deadline) &&
         send_all(socket, bytes.data(), bytes.size(), deadline);
}

// The worker's side waits for the server as long as it lives.
Clock::time_point never() { return Clock::now() + std::chrono::hours(24 * 365 * 100); }

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

ProgramOutput run_child(const std::vector<std::string>& words, const ChildLimits& limits,
                        const std::atomic<bool>& cancel, std::atomic<int>& progress) {
  // Next to this program.
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return run_program({.name = "fatwood " + words.front(),
                      .path = (folder / "fatwood").string(),
                      .words = words,
                      .settings = {std::string(kAsQueryVariable) + "=1"},
                      .memory_bytes = limits.memory_bytes,
                      .own_group = true},
                     {limits.time, limits.output_bytes}, &cancel, &progress);
}

void Worker::start() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw ChildError("no socket for the worker");
  }
  try {
    pid_ = start_program({.name = "the worker",
                          .path = "/proc/self/exe",
                          .words = {word_, fmt::format("{}", kWorkerSocket)},
                          .descriptors = {{ends[1], kWorkerSocket}},
                          .memory_bytes = limits_.memory_bytes,
                          .own_group = true});
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

std::optional<int> Worker::find_death() {
  int status = 0;
  if (pid_ == 0 || waitpid(pid_, &status, WNOHANG) != pid_) return {};
  close(socket_);
  pid_ = 0;
  socket_ = -1;
  ++deaths_;
  return status;
}

std::uint64_t Worker::deaths() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock) (void)find_death();  // otherwise a call is under way, and will see it
  return deaths_;
}

void Worker::stop() {
  const int pid = pid_;
  if (pid != 0) kill(pid, SIGKILL);  // a call that waits ends
  const std::lock_guard lock(mutex_);
  end();
}

std::string Worker::call(const std::string& request, const PartHandler& part,
                         std::optional<std::chrono::seconds> first) {
  const std::lock_guard lock(mutex_);
  (void)find_death();
  if (pid_ == 0) start();
  std::string bytes;
  bool more = true;
  const auto begin = Clock::now();
  auto limit = first.value_or(limits_.time);
  bool good = send_frame(socket_, request, begin + limit);
  while (good && more) {
    good = receive_frame(socket_, bytes, begin + limit, more);
    if (!good) break;
    limit = limits_.time;
    if (more && part) part(bytes);
  }
  if (good) return bytes;
  if (const std::optional<int> status = find_death()) {
    throw ChildError("the worker " + end_text(*status));
  }
  end();
  throw ChildError(fmt::format("the worker took more than {} s", limit.count()));
}

std::string receive(int socket) {
  std::string bytes;
  bool more = false;
  if (!receive_frame(socket, bytes, never(), more)) bytes.clear();
  return bytes;
}

void reply(int socket, const std::string& bytes) { (void)send_frame(socket, bytes, never()); }
void reply_part(int socket, const std::string& bytes) {
  (void)send_frame(socket, bytes, never(), kMoreFollows);
}

}  // namespace fatwood::serve
