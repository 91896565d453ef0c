// LinearOperator::relax() as a sequence of basic operations of operators.
#pragma once

#include <backlit/device/backend.hpp>
#include <backlit/projectors/linear_operator.hpp>

namespace backlit::test {

/// x = max(x + factor A'y / A'1, least).
inline void relax_in_steps(Backend& backend, LinearOperator& a, const DeviceArray& y, DeviceArray& x, float factor,
                           float least, const Subset& s) {
  const auto change = a.make_domain(), sums = a.make_domain();
  a.back(y, *change, s, Write::overwrite);
  a.sensitivity(*sums, s);
  backend.divide(*sums, *change, 1e-6f * backend.maximum(*sums));
  backend.axpy(factor, *change, x);
  backend.clamp(x, least, 1e9f);
}

}  // namespace backlit::test
