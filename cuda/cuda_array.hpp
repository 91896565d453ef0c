// Linear fp32 arrays on a CUDA device.
#pragma once

#include "backend/device_array.hpp"
#include "memory.hpp"

namespace backlit::cuda {

class CudaArray final : public DeviceArray {
 public:
  explicit CudaArray(const ArrayShape& shape) : DeviceArray(shape, Layout::linear), values_(shape.count()) {}

  float* data() { return values_.data(); }
  const float* data() const { return values_.data(); }
  std::size_t bytes() const { return values_.bytes(); }

 private:
  DeviceBuffer<float> values_;
};

/// The array as ours. Throws Failure when it belongs to another backend.
inline CudaArray& ours(DeviceArray& array) {
  if (auto* a = dynamic_cast<CudaArray*>(&array)) return *a;
  throw Failure("cuda", "an array of another backend was passed in");
}
inline const CudaArray& ours(const DeviceArray& array) { return ours(const_cast<DeviceArray&>(array)); }

}  // namespace backlit::cuda
