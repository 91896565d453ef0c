// Arrays of the CPU backend. They store double, so that this backend is the reference for all others.
#pragma once

#include <vector>

#include "backend/device_array.hpp"

namespace backlit {

class CpuArray final : public DeviceArray {
 public:
  explicit CpuArray(const ArrayShape& shape);

  double* data() { return values_.data(); }
  const double* data() const { return values_.data(); }

 private:
  std::vector<double> values_;
};

/// The values of an array of this backend; throws Failure for arrays of another.
double* cpu_values(DeviceArray&);
const double* cpu_values(const DeviceArray&);

}  // namespace backlit
