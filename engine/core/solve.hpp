// Small systems of linear equations.
#pragma once

#include <vector>

namespace backlit {

/// Solves A x = b for a symmetric positive definite A (n x n), by Cholesky; rows and columns whose diagonal is 0 are
/// left out and give 0. False when A is singular.
bool solve(std::vector<double> matrix, std::vector<double> right, std::vector<double>& x);

}  // namespace backlit
