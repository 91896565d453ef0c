#include "io/child_process.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

#include <backlit/core/error.hpp>

namespace backlit {
namespace {

struct Request {
  std::int64_t first, count;
};

/// Precedes the bytes of an answer or of an error's text.
struct Heading {
  enum Kind : std::int64_t { answer, input_error, failure } kind;
  std::int64_t bytes;
};

bool send_all(int channel, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(channel, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receive_all(int channel, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::recv(channel, bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

void limit(int resource, rlim_t most) {
  rlimit now{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) return;
  now.rlim_cur = std::min(now.rlim_max, most);
  ::setrlimit(static_cast<__rlimit_resource>(resource), &now);
}

/// The present size of the process's address space.
rlim_t address_space() {
  rlim_t pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
    unsigned long long number = 0;
    if (std::fscanf(file, "%llu", &number) == 1) pages = number;
    std::fclose(file);
  }
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGE_SIZE));
}

void limit_child() {
  for (const int signal : {SIGINT, SIGHUP, SIGXFSZ}) std::signal(signal, SIG_IGN);  // the parent decides
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) std::signal(signal, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
#if !defined(__SANITIZE_ADDRESS__)
  const auto machine = static_cast<rlim_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<rlim_t>(::sysconf(_SC_PAGE_SIZE));
  limit(RLIMIT_AS, address_space() + machine);
#endif
}

void limit_request() {
  constexpr rlim_t seconds = 300;
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  limit(RLIMIT_CPU, static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds);
}

bool reply(int channel, Heading::Kind kind, std::span<const std::byte> bytes) {
  const Heading heading{kind, static_cast<std::int64_t>(bytes.size())};
  return send_all(channel, std::as_bytes(std::span(&heading, 1))) && send_all(channel, bytes);
}

bool reply(int channel, Heading::Kind kind, std::string_view text) {
  return reply(channel, kind, std::as_bytes(std::span(text)));
}

/// The loop of the child, until the parent closes the channel.
[[noreturn]] void serve(int channel, const ChildProcess::Answer& answer) {
  if (channel > 3) ::close_range(3, static_cast<unsigned>(channel) - 1, 0);
  ::close_range(static_cast<unsigned>(channel) + 1, ~0u, 0);
  limit_child();
  Request request{};
  for (bool heard = true; heard && receive_all(channel, std::as_writable_bytes(std::span(&request, 1)));) {
    limit_request();
    try {
      heard = reply(channel, Heading::answer, answer(request.first, request.count));
    } catch (const InputError& error) {
      heard = reply(channel, Heading::input_error, error.what());
    } catch (const std::bad_alloc&) {
      heard = reply(channel, Heading::failure, "out of memory");
    } catch (const std::exception& error) {
      heard = reply(channel, Heading::failure, error.what());
    }
  }
  ::_exit(0);
}

}  // namespace

ChildProcess::ChildProcess(std::string where, Answer answer) : where_(std::move(where)) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Failure(where_, fmt::format("no process could be made that reads it: {}", std::strerror(errno)));
  child_ = ::fork();
  if (child_ == 0) serve(ends[1], answer);
  const int reason = errno;
  ::close(ends[1]);
  channel_ = ends[0];
  if (child_ > 0) return;
  ::close(channel_);
  throw Failure(where_, fmt::format("no process could be made that reads it: {}", std::strerror(reason)));
}

ChildProcess::~ChildProcess() {
  ::close(channel_);
  if (child_ < 0) return;
  ::kill(child_, SIGKILL);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// Sends a request and returns the size of the answer, which follows on the channel.
std::int64_t ChildProcess::begin(std::int64_t first, std::int64_t count) {
  const Request request{first, count};
  if (!send_all(channel_, std::as_bytes(std::span(&request, 1)))) fail_at_end();
  Heading heading{};
  receive(std::as_writable_bytes(std::span(&heading, 1)));
  if (heading.kind == Heading::answer) return heading.bytes;
  std::string text(static_cast<std::size_t>(heading.bytes), '\0');
  receive(std::as_writable_bytes(std::span(text)));
  if (heading.kind == Heading::input_error) throw InputError("", text);
  throw Failure("", text);
}

void ChildProcess::receive(std::span<std::byte> out) {
  if (!receive_all(channel_, out)) fail_at_end();
}

void ChildProcess::fail_at_end() {
  int status = 0;
  const bool known = child_ > 0 && ::waitpid(child_, &status, 0) == child_;
  child_ = -1;
  if (known && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    throw InputError(where_, "its data take the library that reads them more than five minutes", "the file is damaged");
  throw InputError(where_,
                   fmt::format("the library that reads it crashed{}",
                               known && WIFSIGNALED(status) ? fmt::format(" (signal {})", WTERMSIG(status)) : ""),
                   "the file is damaged: write it anew");
}

std::vector<std::byte> ChildProcess::ask(std::int64_t first, std::int64_t count) {
  std::vector<std::byte> answer(static_cast<std::size_t>(begin(first, count)));
  receive(answer);
  return answer;
}

void ChildProcess::ask(std::int64_t first, std::int64_t count, std::span<std::byte> out) {
  if (begin(first, count) != static_cast<std::int64_t>(out.size()))
    throw Failure(where_, "an answer of another size than asked for");
  receive(out);
}

}  // namespace backlit
