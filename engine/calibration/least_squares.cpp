#include "calibration/least_squares.hpp"

#include <cmath>

namespace backlit {
double mean_square(const std::vector<float>& residuals) {
  double sum = 0;
  std::size_t count = 0;
  for (const float r : residuals)
    if (std::isfinite(r)) {
      sum += static_cast<double>(r) * r;
      ++count;
    }
  return count > 0 ? sum / static_cast<double>(count) : INFINITY;
}

bool Linearized::has(std::size_t i) const {
  for (const auto& s : slope)
    if (!s.empty() && !std::isfinite(s[i])) return false;
  return std::isfinite(residual[i]);
}

std::vector<double> Linearized::curvature() const {
  const std::size_t n = slope.size();
  std::vector<double> sums(n * n);
  for (std::size_t i = 0; i < residual.size(); ++i) {
    if (!has(i)) continue;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = 0; q <= p; ++q)
        if (!slope[p].empty() && !slope[q].empty()) sums[p * n + q] += static_cast<double>(slope[p][i]) * slope[q][i];
  }
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t q = p + 1; q < n; ++q) sums[p * n + q] = sums[q * n + p];
  return sums;
}

std::vector<double> Linearized::gradient() const {
  std::vector<double> sums(slope.size());
  for (std::size_t i = 0; i < residual.size(); ++i)
    if (has(i))
      for (std::size_t p = 0; p < sums.size(); ++p)
        if (!slope[p].empty()) sums[p] += static_cast<double>(slope[p][i]) * residual[i];
  return sums;
}

Linearized linearize(const Residuals& residuals, const std::vector<double>& at, const std::vector<double>& steps) {
  Linearized out{residuals(at), std::vector<std::vector<float>>(at.size())};
  for (std::size_t p = 0; p < at.size(); ++p) {
    if (steps[p] == 0) continue;
    std::vector<double> moved = at;
    moved[p] = at[p] + steps[p];
    auto& slope = out.slope[p] = residuals(moved);
    moved[p] = at[p] - steps[p];
    const std::vector<float> before = residuals(moved);
    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] = (slope[i] - before[i]) / static_cast<float>(2 * steps[p]);
  }
  return out;
}

/// The decrease of the sum of squares from `a` to `b`, over the residuals that both have. Mean squares would depend on
/// the residuals that one of them lacks.
static double improvement(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::isfinite(a[i]) && std::isfinite(b[i]))
      sum += static_cast<double>(a[i]) * a[i] - static_cast<double>(b[i]) * b[i];
  return sum;
}

LeastSquares minimize(const Residuals& residuals, std::vector<double> start, const std::vector<double>& steps,
                      int iterations) {
  constexpr double close_enough = 0.005;  // share of a step
  const std::size_t n = start.size();
  LeastSquares best{std::move(start), 0};
  double damping = 1e-3;
  bool moves = true;
  std::vector<float> here = residuals(best.parameters);
  for (int i = 0; i < iterations && moves; ++i) {
    const Linearized at = linearize(residuals, best.parameters, steps);
    const std::vector<double> curvature = at.curvature();
    std::vector<double> down = at.gradient(), step;
    for (double& g : down) g = -g;
    moves = false;
    for (int attempt = 0; attempt < 10 && !moves; ++attempt, damping *= 10) {
      std::vector<double> damped = curvature, next = best.parameters;
      for (std::size_t p = 0; p < n; ++p) damped[p * n + p] *= 1 + damping;
      if (!solve(damped, down, step)) continue;
      bool still = true;
      for (std::size_t p = 0; p < n; ++p) {
        next[p] += step[p];
        still = still && std::abs(step[p]) <= close_enough * steps[p];
      }
      if (still) break;
      std::vector<float> there = residuals(next);
      if (const double gain = improvement(here, there); gain > 0) {
        const double sum = improvement(here, std::vector<float>(here.size()));
        best.parameters = next;
        here = std::move(there);
        moves = gain > 1e-5 * sum;
        if (!moves) break;
        damping = std::max(damping / 100, 1e-10);
      }
    }
  }
  best.mean_square = mean_square(here);
  return best;
}

}  // namespace backlit
