#include "large/split_by_speed.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace backlit {

std::vector<std::int64_t> split_by_speed(std::int64_t total, const std::vector<double>& speeds, std::int64_t step) {
  const double all = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  std::vector<std::int64_t> shares;
  double sum = 0;
  std::int64_t done = 0;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    sum += speeds[i];
    const double at = static_cast<double>(total) * sum / all / static_cast<double>(step);
    const std::int64_t end =
        i + 1 == speeds.size() ? total : std::min(total, static_cast<std::int64_t>(std::round(at)) * step);
    shares.push_back(std::max<std::int64_t>(0, end - done));
    done = std::max(done, end);
  }
  return shares;
}

}  // namespace backlit
