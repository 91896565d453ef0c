// A progress bar on a terminal.
#pragma once

#include <chrono>
#include <string>

#include <backlit/core/progress.hpp>

namespace backlit::cli {

/// One line on standard error, redrawn at most ten times a second: stage, bar, share, rate, remaining time. Silent if
/// standard error is not a terminal. advance() throws Cancelled after the user pressed Ctrl-C.
class TerminalProgress final : public Progress {
 public:
  explicit TerminalProgress(bool quiet);
  ~TerminalProgress() override;
  void begin(std::string_view stage, std::int64_t total, std::string_view unit) override;
  void advance(std::int64_t items) override;
  void end() override;

 private:
  using Clock = std::chrono::steady_clock;
  void draw(Clock::time_point now);

  bool visible_;
  bool drawn_ = false;
  std::string stage_, unit_;
  std::int64_t total_ = 0, done_ = 0;
  Clock::time_point start_, last_;
};

/// "0:07", "2:45", "1:02:30".
std::string duration_text(double seconds);

}  // namespace backlit::cli
