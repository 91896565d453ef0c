#include "model/actions/sweep.hpp"

#include <fmt/format.h>

#include <cstdio>

#include <backlit/core/error.hpp>

namespace backlit::viewer {

Sweep Sweep::parse(const std::string& text) {
  Sweep s;
  char end = 0;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos ||
      std::sscanf(text.c_str() + equals + 1, "%lf:%lf%c", &s.low_, &s.high_, &end) != 2 || !(s.low_ < s.high_))
    throw InputError("--sweep", fmt::format("'{}'", text), "write NAME=LOW:HIGH, as in center_shift=-2:2");
  s.name_ = text.substr(0, equals);
  return s;
}

Sweep::Time Sweep::next_refresh(Time now) {
  if (start_ == Time{}) return start_ = now;
  return start_ + ((now - start_) / period + 1) * period;
}

double Sweep::next_value() {
  constexpr std::int64_t lap = 120;  // frames
  const double phase = static_cast<double>(frames_++ % lap) / static_cast<double>(lap);
  return low_ + (phase < 0.5 ? 2 * phase : 2 - 2 * phase) * (high_ - low_);
}

}  // namespace backlit::viewer
