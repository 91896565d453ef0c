// Linear fp32 arrays on a CUDA device.
#pragma once

#include <backlit/device/device_array.hpp>
#include "cuda/device/memory.hpp"

namespace backlit::cuda {

class CudaArray final : public DeviceArray {
 public:
  explicit CudaArray(const ArrayShape& shape)
      : DeviceArray(shape, Layout::linear), owned_(shape.count()), data_(owned_.data()) {}
  /// A part of another array, which must outlive this one.
  CudaArray(const ArrayShape& shape, float* data) : DeviceArray(shape, Layout::linear), data_(data) {}

  float* data() { return data_; }
  const float* data() const { return data_; }
  std::size_t bytes() const { return static_cast<std::size_t>(count()) * sizeof(float); }

 private:
  DeviceBuffer<float> owned_;
  float* data_;
};

/// `array` as an array of this backend. Throws Failure when it belongs to another one.
inline CudaArray& ours(DeviceArray& array) {
  if (auto* a = dynamic_cast<CudaArray*>(&array)) return *a;
  throw Failure("cuda", "an array of another backend was passed in");
}
inline const CudaArray& ours(const DeviceArray& array) { return ours(const_cast<DeviceArray&>(array)); }

/// A shape as kernels take it.
struct Extents {
  int size[3];
};
inline Extents extents_of(const ArrayShape& s) {
  return {{static_cast<int>(s.n0), static_cast<int>(s.n1), static_cast<int>(s.n2)}};
}

}  // namespace backlit::cuda
