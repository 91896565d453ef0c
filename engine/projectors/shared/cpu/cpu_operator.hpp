// Common parts of the CPU's CT operators: shapes, arrays, subsets. Models add the loops.
#pragma once

#include <backlit/geometry/view.hpp>
#include <backlit/projectors/subset_rows.hpp>

namespace backlit {

class CpuCtOperator : public LinearOperator {
 public:
  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_); }
  ArrayPtr make_domain() override;
  ArrayPtr make_range(std::int64_t rows) override;
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override;
  void sensitivity(DeviceArray& x, const Subset&) override;
  bool matched() const override { return true; }

 protected:
  CpuCtOperator(const VolumeGrid& grid, const Scan& scan)
      : grid_(grid), detector_(scan.detector), views_(scan.view_count()) {}

  /// Both accumulate. Arrays are checked and have the shapes of domain() and range() (or compact).
  virtual void add_forward(const double* volume, double* projections, const SubsetRows&) = 0;
  virtual void add_back(const double* projections, double* volume, const SubsetRows&) = 0;

  /// Views that are handled together: some 16 MiB of values.
  std::int64_t views_at_once() const;

  const VolumeGrid grid_;
  const Detector detector_;
  const std::int64_t views_;

 private:
  void require_domain(const DeviceArray&) const;

  ArrayPtr ones_;  ///< views_at_once() views of ones, for sensitivity()
};

}  // namespace backlit
