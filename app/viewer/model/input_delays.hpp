// How long an input waits for its picture where frames follow each other without a pause.
#pragma once

#include <algorithm>
#include <vector>

namespace backlit::viewer {

/// What comes in while a frame is drawn is read by the next one, at whose end it is seen. For inputs a millisecond
/// apart: how long each waits, ascending. Milliseconds.
inline std::vector<double> input_delays(const std::vector<double>& frames) {
  std::vector<double> delays;
  for (std::size_t i = 0; i + 1 < frames.size(); ++i)
    for (double at = 0.5; at < frames[i]; ++at) delays.push_back(frames[i] - at + frames[i + 1]);
  std::ranges::sort(delays);
  return delays;
}

}  // namespace backlit::viewer
