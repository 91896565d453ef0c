// CT on the graphics pipeline as a LinearOperator.
#pragma once

#include "backend/gl/backprojection.hpp"

namespace backlit::gl {

/// back() for Model::voxel_driven. forward() is not offered yet and throws Unsupported.
class GlCt final : public LinearOperator {
 public:
  GlCt(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
       const CtOptions& options);

  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_); }
  ArrayPtr make_domain() override;
  ArrayPtr make_range(std::int64_t rows) override;
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override;
  void sensitivity(DeviceArray& x, const Subset&) override;
  bool matched() const override { return false; }
  std::string variant() const override;

 private:
  void check(const Subset&, const DeviceArray& volume) const;

  std::shared_ptr<Context> context_;
  VolumeGrid grid_;
  Detector detector_;
  std::int64_t views_;
  CtOptions options_;
  Backprojection backprojection_;
  GlArray ones_;  ///< one view of ones, for sensitivity()
};

}  // namespace backlit::gl
