// Delay between a user's input and the picture that shows it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace backlit::viewer {

/// Times at which a frame reads inputs and is shown, ms of one clock.
struct FrameTimes {
  double read = 0, seen = 0;
};

/// Delays of inputs one millisecond apart, ascending, in ms. An input that arrives after a frame has read its inputs is
/// shown by the next frame.
inline std::vector<double> input_delays(std::span<const FrameTimes> frames) {
  std::vector<double> delays;
  for (std::size_t i = 0; i + 1 < frames.size(); ++i)
    for (double at = frames[i].read + 0.5; at < frames[i + 1].read; ++at) delays.push_back(frames[i + 1].seen - at);
  std::ranges::sort(delays);
  return delays;
}

}  // namespace backlit::viewer
