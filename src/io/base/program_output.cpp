// SPDX-License-Identifier: BSD-3-Clause
#include "io/base/program_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "core/error.hpp"

namespace fatwood {

namespace {

constexpr int kNotFound = 127;  // as shells have it

struct Pipe {
  int read = -1, write = -1;

  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw InputError("no pipe could be made");
    read = ends[0];
    write = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(read);
    close_write();
  }
  void close_write() {
    if (write >= 0) close(write);
    write = -1;
  }
};

[[noreturn]] void become(const std::vector<std::string>& words, const Pipe& out, const Pipe& err) {
  dup2(out.write, STDOUT_FILENO);
  dup2(err.write, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  // The diagnostics are in folders that users often do not have in PATH.
  for (const char* const folder : {"/usr/sbin/", "/sbin/"}) {
    execv((folder + words[0]).c_str(), arguments.data());
  }
  _exit(kNotFound);
}

// Both at once: a program that waits for one of them to be read would never end.
void read_both(const Pipe& out, std::string& text, const Pipe& err, std::string& errors) {
  std::array<pollfd, 2> ends = {{{out.read, POLLIN, 0}, {err.read, POLLIN, 0}}};
  std::array<char, 65536> buffer{};
  for (int open = 2; open > 0;) {
    if (poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) return;
    for (pollfd& end : ends) {
      if (end.fd < 0 || end.revents == 0) continue;
      const ssize_t got = read(end.fd, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got > 0) {
        (end.fd == out.read ? text : errors).append(buffer.data(), static_cast<std::size_t>(got));
        continue;
      }
      end.fd = -1;
      --open;
    }
  }
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t at = text.rfind('\n');
  return at == std::string::npos ? text : text.substr(at + 1);
}

}  // namespace

std::string program_output(const std::vector<std::string>& words, std::string_view advice) {
  Pipe out, err;
  const pid_t child = fork();
  if (child < 0) throw InputError(fmt::format("{} could not be started", words[0]));
  if (child == 0) become(words, out, err);
  out.close_write();
  err.close_write();
  std::string text, errors;
  read_both(out, text, err, errors);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound) {
    throw InputError(
        fmt::format("{} is not installed (Debian: apt install infiniband-diags)", words[0]));
  }
  throw InputError(fmt::format("{} failed: {}{}{}", words[0],
                               errors.empty() ? "it said nothing" : last_line(std::move(errors)),
                               advice.empty() ? "" : "; ", advice));
}

}  // namespace fatwood
