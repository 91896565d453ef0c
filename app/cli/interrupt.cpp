#include <csignal>
#include <ctime>

#include "command.hpp"

namespace backlit::cli {
namespace {

CancelToken token;
timespec asked{};  ///< time of the first signal

/// Signals within this time count as one: `timeout` signals the program and then the program's process group.
constexpr double one_wish_seconds = 1;

extern "C" void on_signal(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);  // safe in a handler, like a relaxed store to a lock-free atomic
  if (!token.requested()) asked = now;
  token.request();
  const double later =
      static_cast<double>(now.tv_sec - asked.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec - asked.tv_nsec);
  if (later < one_wish_seconds) return;
  std::signal(signal, SIG_DFL);  // a second request: the program ends at once
  std::raise(signal);
}

}  // namespace

CancelToken& interrupt() { return token; }

void install_signal_handlers() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup: keep ignoring SIGHUP
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe appears as a failed write
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the size limit appears as a failed write
}

}  // namespace backlit::cli
