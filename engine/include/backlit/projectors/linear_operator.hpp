// The interface between reconstruction methods and projectors: y = A x and x = A' y, by subsets of the rows of A.
#pragma once

#include <string>

#include <backlit/device/device_array.hpp>

namespace backlit {

/// Some rows of an operator (views of a scan, events of a list): first, first + stride, ..., `count` of them.
struct Subset {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t stride = 1;
};

enum class Write { overwrite, accumulate };

/// A plan: its construction allocates everything that it needs on the device, its calls allocate nothing. Range arrays
/// hold either all rows, of which only the subset's are read or written, or exactly subset.count rows in the subset's
/// order. Arrays must come from make_domain() and make_range(). A plan belongs to the thread of its Backend.
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;

  virtual ArrayShape domain() const = 0;
  virtual ArrayShape range() const = 0;  ///< n2 = number of rows in the sense of Subset
  Subset all() const { return {0, range().n2, 1}; }

  virtual ArrayPtr make_domain() = 0;
  virtual ArrayPtr make_range(std::int64_t rows) = 0;

  /// y = A x or y += A x, for the rows of the subset.
  virtual void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) = 0;
  /// x = A' y or x += A' y, from the rows of the subset. The exact adjoint of forward() when matched().
  virtual void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) = 0;
  /// x = A' 1 over the rows of the subset.
  virtual void sensitivity(DeviceArray& x, const Subset&) = 0;

  /// SART's correction in one pass: x = max(x + factor A'y / A'1, least) voxel by voxel, or max(x, least) where A'1 is
  /// 0. Returns false and leaves x unchanged where the operator would need more than one pass.
  virtual bool relax(const DeviceArray& /*y*/, DeviceArray& /*x*/, float /*factor*/, float /*least*/, const Subset&) {
    return false;
  }

  virtual bool matched() const = 0;
  /// Whether calls over more rows are faster: each call copies the volume, or packs views that lie far apart in the
  /// scan. The caller looks after time and memory.
  virtual bool prefers_whole() const { return false; }
  /// Model, precision, packing and all other choices of this plan, for reports.
  virtual std::string variant() const = 0;
};

}  // namespace backlit
