// Faster convergence to a fixed point.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace backlit {

/// Anderson, J. ACM 12 (1965) 547: finds x with step(x) = 0 from the steps of the last rounds, where plain iteration
/// x + step(x) is slow.
class FixedPoint {
 public:
  explicit FixedPoint(std::size_t memory = 6) : memory_(memory) {}

  /// The next x after `x`, where the plain iteration would go to x + step.
  std::vector<double> next(const std::vector<double>& x, const std::vector<double>& step);

 private:
  std::size_t memory_;
  std::vector<double> x_, step_;
  std::deque<std::vector<double>> x_changes_, step_changes_;
};

}  // namespace backlit
