#include "terminal_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <backlit/core/printable.hpp>
#include "command.hpp"

namespace backlit::cli {

TerminalProgress::TerminalProgress(bool quiet) : visible_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

TerminalProgress::~TerminalProgress() { end(); }

void TerminalProgress::begin(std::string_view stage, std::int64_t total, std::string_view unit) {
  end();
  stage_ = stage;
  unit_ = unit;
  total_ = total;
  done_ = 0;
  start_ = last_ = Clock::now();
}

void TerminalProgress::advance(std::int64_t items) {
  interrupt().check();
  done_ += items;
  const auto now = Clock::now();
  if (!visible_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  draw(now);
}

void TerminalProgress::end() {
  if (drawn_) write_to_standard_error("\r\033[K");
  drawn_ = false;
}

void TerminalProgress::draw(Clock::time_point now) {
  constexpr int width = 28;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done_) / std::max(seconds, 1e-9);
  const double share = total_ > 0 ? std::clamp(static_cast<double>(done_) / static_cast<double>(total_), 0.0, 1.0) : 0;
  const auto filled = static_cast<std::size_t>(std::lround(share * width));
  const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
  const std::string left = rate > 0 ? duration_text(static_cast<double>(total_ - done_) / rate) : "?";
  write_to_standard_error(
      fmt::format("\r\033[K{:<12} [{}] {:3.0f} %  {:.3g} {}/s  {} left", stage_, bar, 100 * share, rate, unit_, left));
  drawn_ = true;
}

std::string duration_text(double seconds) {
  const std::int64_t s = std::llround(std::max(0.0, seconds));
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

}  // namespace backlit::cli
