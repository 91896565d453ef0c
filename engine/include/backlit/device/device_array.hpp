// Arrays that live on a device. Their owner is the Backend that made them.
#pragma once

#include <cstdint>
#include <memory>

#include <backlit/geometry/view.hpp>
#include <backlit/geometry/volume_grid.hpp>

namespace backlit {

/// The layout of values on the device; operators choose it. Only `linear` has a meaning outside the backend.
enum class Layout {
  linear,       ///< one value after another, n0 fastest
  texture3d,    ///< one 3-D texture
  array2d,      ///< 2-D array texture, one layer a slice or view
  stacks_xyz,   ///< three copies, slices along x, y and z
  slices_rgba,  ///< four adjacent slices in a texel
  orbit_rgba    ///< the four voxels (or views) of a quarter-turn orbit in a texel
};

/// Extents, fastest first: volume x, y, z; projections column, row, view; anything else n, 1, 1.
struct ArrayShape {
  std::int64_t n0 = 0, n1 = 1, n2 = 1;
  std::int64_t count() const { return n0 * n1 * n2; }
  bool operator==(const ArrayShape&) const = default;
};

inline ArrayShape shape_of(const VolumeGrid& g) { return {g.size[0], g.size[1], g.size[2]}; }
inline ArrayShape shape_of(const Detector& d, std::int64_t views) { return {d.columns, d.rows, views}; }

/// fp32 (or fp16 storage of it) on the device.
class DeviceArray {
 public:
  virtual ~DeviceArray() = default;
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  const ArrayShape& shape() const { return shape_; }
  std::int64_t count() const { return shape_.count(); }
  Layout layout() const { return layout_; }
  /// Whether values that do not fit the device are kept in host memory.
  virtual bool pages() const { return false; }

 protected:
  DeviceArray(const ArrayShape& shape, Layout layout) : shape_(shape), layout_(layout) {}

 private:
  ArrayShape shape_;
  Layout layout_;
};

using ArrayPtr = std::unique_ptr<DeviceArray>;

}  // namespace backlit
