// Arrays of the CPU backend. They store double, so that this backend is the reference for all others.
#pragma once

#include <vector>

#include <backlit/device/device_array.hpp>

namespace backlit {

class CpuArray final : public DeviceArray {
 public:
  explicit CpuArray(const ArrayShape& shape);
  /// Part of another array, which must outlive this one.
  CpuArray(const ArrayShape& shape, double* data) : DeviceArray(shape, Layout::linear), data_(data) {}

  double* data() { return data_; }
  const double* data() const { return data_; }

 private:
  std::vector<double> values_;
  double* data_;
};

/// The values of an array of this backend; throws Failure for arrays of another.
double* cpu_values(DeviceArray&);
const double* cpu_values(const DeviceArray&);

}  // namespace backlit
