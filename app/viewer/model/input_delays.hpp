// How long inputs wait for the picture that shows them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace backlit::viewer {

/// When a frame reads what has come in, and when it is seen; milliseconds of one clock.
struct FrameTimes {
  double read = 0, seen = 0;
};

/// What comes in after a frame has read its inputs is seen with the next. For inputs a millisecond apart: how long each
/// waits, ascending. Milliseconds.
inline std::vector<double> input_delays(std::span<const FrameTimes> frames) {
  std::vector<double> delays;
  for (std::size_t i = 0; i + 1 < frames.size(); ++i)
    for (double at = frames[i].read + 0.5; at < frames[i + 1].read; ++at) delays.push_back(frames[i + 1].seen - at);
  std::ranges::sort(delays);
  return delays;
}

}  // namespace backlit::viewer
