#include <csignal>

#include "command.hpp"

namespace backlit::cli {
namespace {

CancelToken token;

extern "C" void on_signal(int signal) {
  token.request();               // a relaxed store to a lock-free atomic: safe in a handler
  std::signal(signal, SIG_DFL);  // the next one ends the program
}

}  // namespace

CancelToken& interrupt() { return token; }

void install_signal_handlers() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe shows as a failed write
}

}  // namespace backlit::cli
