// CT on the graphics pipeline as a LinearOperator.
#pragma once

#include <backlit/projectors/projector.hpp>
#include "projectors/shared/gl/ray_projection.hpp"
#include "projectors/voxel_driven/gl.hpp"
#include "projectors/voxel_driven/gl_orbit.hpp"

namespace backlit::gl {

/// What the models share: arrays, checks, and how to see a subset as layers.
class GlCt : public LinearOperator {
 public:
  ArrayShape domain() const override { return shape_of(grid_); }
  ArrayShape range() const override { return shape_of(detector_, views_); }
  ArrayPtr make_domain() override;
  ArrayPtr make_range(std::int64_t rows) override;
  void back(const DeviceArray& y, DeviceArray& x, const Subset&, Write) override;
  void sensitivity(DeviceArray& x, const Subset&) override;
  std::string variant() const override;

 protected:
  /// `range_format` is the texel's of projections.
  GlCt(std::shared_ptr<Context> context, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
       GLenum range_format);

  virtual void add_back(const GlArray& y, Layers, const Subset&, GlArray& x, Write) = 0;
  virtual std::string way() const = 0;  ///< the variant's own words
  virtual Packing packing() const { return Packing::none; }

  /// Where the rows of a subset lie in an array; throws when they do not.
  Layers layers(const DeviceArray& projections, const Subset&) const;
  void check_volume(const DeviceArray&) const;
  const GlArray& view_of_ones() const { return ones_; }

 private:
  std::shared_ptr<Context> context_;
  VolumeGrid grid_;
  Detector detector_;
  std::int64_t views_;
  CtOptions options_;
  GLenum range_format_;
  GlArray ones_;
};

/// back() for Model::voxel_driven, packed by quarter turns for calls with all views, or with whole groups of a scan
/// that has them in order, where scan and options allow it. It has no forward(), which throws Unsupported.
class GlVoxelDriven final : public GlCt {
 public:
  GlVoxelDriven(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                const CtOptions& options);
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  bool relax(const DeviceArray& y, DeviceArray& x, float factor, float least, const Subset&) override;
  bool matched() const override { return false; }
  bool prefers_whole() const override { return orbit_ && !orbit_->takes_groups(); }

 private:
  void add_back(const GlArray& y, Layers, const Subset&, GlArray& x, Write) override;
  std::string way() const override;
  Packing packing() const override;
  void pack(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
            const CtOptions& options);

  std::int64_t views_;
  bool weighted_;
  std::optional<OrbitBackprojection> orbit_;
  std::optional<Backprojection> backprojection_;  ///< of parts of the views, where all of them are packed
};

/// Models of line integrals. Hardware filtering rounds the shares of neighbours to 8 bits and halves round the volume,
/// where the transpose has exact shares: only what interpolates in software is matched, the others to about 1e-3.
class GlRayDriven final : public GlCt {
 public:
  GlRayDriven(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
              const CtOptions& options);
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  bool matched() const override { return matched_; }
  bool prefers_whole() const override { return projection_->prefers_whole(); }

 private:
  void add_back(const GlArray& y, Layers, const Subset&, GlArray& x, Write) override;
  std::string way() const override { return projection_->name(); }
  Packing packing() const override { return projection_->packing(); }

  bool matched_;
  std::unique_ptr<RayProjection> projection_;
};

/// What the descriptors of line integrals have in common: they make GlRayDriven.
ProjectorInfo ray_driven_info(Model);

}  // namespace backlit::gl
