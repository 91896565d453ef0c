#include "calibration/fixed_point.hpp"

#include <numeric>

#include "core/solve.hpp"

namespace backlit {
namespace {

using Numbers = std::vector<double>;

double dot(const Numbers& a, const Numbers& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

Numbers minus(Numbers a, const Numbers& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

}  // namespace

Numbers FixedPoint::next(const Numbers& x, const Numbers& step) {
  if (!x_.empty()) {
    x_changes_.push_back(minus(x, x_));
    step_changes_.push_back(minus(step, step_));
  }
  x_ = x;
  step_ = step;
  if (x_changes_.size() > memory_) {
    x_changes_.pop_front();
    step_changes_.pop_front();
  }
  Numbers to(x);
  for (std::size_t i = 0; i < x.size(); ++i) to[i] += step[i];
  const std::size_t n = x_changes_.size();
  Numbers matrix(n * n), right(n), share;
  for (std::size_t i = 0; i < n; ++i) {
    right[i] = dot(step_changes_[i], step);
    for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] = dot(step_changes_[i], step_changes_[j]);
    matrix[i * n + i] *= 1 + 1e-6;
  }
  if (n == 0 || !solve(std::move(matrix), std::move(right), share)) return to;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < to.size(); ++i) to[i] -= share[k] * (x_changes_[k][i] + step_changes_[k][i]);
  return to;
}

}  // namespace backlit
