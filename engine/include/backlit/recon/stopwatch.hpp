// Seconds by stage.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace backlit {

using StageSeconds = std::map<std::string, double>;

/// Adds the time between its construction and its destruction to a stage.
class Stopwatch {
 public:
  Stopwatch(StageSeconds& seconds, const char* stage) : total_(seconds[stage]) {}
  ~Stopwatch() { total_ += elapsed(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  double& total_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace backlit
