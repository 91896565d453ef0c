// Small nonlinear least squares: a few parameters, many residuals.
#pragma once

#include <functional>
#include <vector>

#include "core/solve.hpp"

namespace backlit {

/// Residuals at parameters. Their number and order must not depend on the parameters. A residual that cannot be
/// computed is NaN; it is left out.
using Residuals = std::function<std::vector<float>(const std::vector<double>& parameters)>;

/// Residuals at a point and their derivatives by each parameter; NaN where a residual cannot be computed.
struct Linearized {
  std::vector<float> residual;
  std::vector<std::vector<float>> slope;  ///< by parameter; empty for those whose step is 0

  bool has(std::size_t i) const;
  /// J' J, n x n.
  std::vector<double> curvature() const;
  /// J' r.
  std::vector<double> gradient() const;
};

struct LeastSquares {
  std::vector<double> parameters;
  double mean_square = 0;  ///< of the residuals at `parameters`
};

/// Levenberg (1944) and Marquardt (1963): starts at `start` and differentiates by central differences of `steps`. Stops
/// when no parameter changes by more than 0.005 of its step, or the sum of squares falls by less than 1e-5 of itself.
/// Parameters whose step is 0 stay.
LeastSquares minimize(const Residuals&, std::vector<double> start, const std::vector<double>& steps,
                      int iterations = 40);

/// Linearizes by central differences of `steps`.
Linearized linearize(const Residuals&, const std::vector<double>& at, const std::vector<double>& steps);

/// Mean square of the residuals that are not NaN; infinite when there are none.
double mean_square(const std::vector<float>& residuals);

}  // namespace backlit
