// Voxel-driven backprojection on the graphics pipeline as a LinearOperator.
#pragma once

#include <optional>

#include "projectors/shared/gl/gl_ct.hpp"
#include "projectors/voxel_driven/gl.hpp"
#include "projectors/voxel_driven/gl_orbit.hpp"

namespace backlit::gl {

/// back() for Model::voxel_driven. Views are packed by quarter turns where scan and options allow it. That is in calls
/// with all views, or with whole groups of a scan that has them in order. There is no forward(): it throws Unsupported.
class GlVoxelDriven final : public GlCt {
 public:
  GlVoxelDriven(GlBackend&, const VolumeGrid&, const Scan&, const CtOptions&, const BackprojectionVariant&);
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  bool relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset&) override;
  bool matched() const override { return false; }
  bool prefers_whole() const override { return orbit_ && !orbit_->takes_groups(); }

 private:
  void add_back(const GlArray& y, Layers, const Subset&, GlArray& x, Write) override;
  std::string variant_name() const override;
  Packing packing() const override;

  std::int64_t views_;
  bool weighted_;
  std::optional<OrbitBackprojection> orbit_;
  std::optional<Backprojection> backprojection_;  ///< for parts of the views, where all of them are packed
};

}  // namespace backlit::gl
