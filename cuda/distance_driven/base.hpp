// Common base of the distance-driven operators.
#pragma once

#include <algorithm>

#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"
#include "cuda/distance_driven/views.hpp"

namespace backlit::cuda {

class DistanceDriven : public LinearOperator {
 public:
  DistanceDriven(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan)
      : backend_(backend), grid_(grid), detector_(scan.detector), views_(grid, scan) {}

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_.count()); }
  ArrayPtr make_domain() override { return backend_.make_array(domain()); }
  ArrayPtr make_range(std::int64_t rows) override { return backend_.make_array(shape_of(detector_, rows)); }
  bool matched() const override { return true; }

  void forward(const DeviceArray& x, DeviceArray& y, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    add_forward(ours(x), call(rows), ours(y).data(), write == Write::accumulate);
  }
  void back(const DeviceArray& y, DeviceArray& x, const Subset& subset, Write write) override {
    const SubsetRows rows(range(), subset, y.shape());
    add_back(ours(y), call(rows), ours(x).data(), write == Write::accumulate);
  }
  void sensitivity(DeviceArray& x, const Subset& subset) override {
    const ArrayPtr ones = make_range(subset.count);
    backend_.fill(*ones, 1);
    back(*ones, x, subset, Write::overwrite);
  }

 protected:
  /// Views on the device; views with main axis x come first.
  struct Call {
    const SeenView* views;
    int along_x, along_y;

    int count() const { return along_x + along_y; }
    int count(int axis) const { return axis == 0 ? along_x : along_y; }
    const SeenView* of(int axis) const { return views + (axis == 0 ? 0 : along_x); }
  };
  virtual void add_forward(const CudaArray& volume, const Call&, float* projections, bool accumulate) = 0;
  virtual void add_back(const CudaArray& projections, const Call&, float* volume, bool accumulate) = 0;

  /// Calls work(views, count) for parts of at most `most` views of one main axis.
  template <class Work>
  static void in_parts(const Call& call, int axis, std::int64_t most, Work work) {
    for (std::int64_t done = 0; done < call.count(axis); done += most)
      work(call.of(axis) + done, static_cast<int>(std::min(most, call.count(axis) - done)));
  }
  static constexpr std::int64_t most_blocks = 65535;  ///< limit of a kernel's grid along y and z

  Stream& stream() { return backend_.stream(); }
  const DistanceDrivenPlan& plan() const { return views_.plan(); }

  CudaBackend& backend_;
  VolumeGrid grid_;
  Detector detector_;
  DistanceDrivenViews views_;

 private:
  Call call(const SubsetRows& rows) {
    Call c{};
    c.views = views_.put(backend_.stream(), rows, c.along_x);
    c.along_y = static_cast<int>(rows.count()) - c.along_x;
    return c;
  }
};

}  // namespace backlit::cuda
