// CT on the graphics pipeline as a LinearOperator.
#pragma once

#include <memory>

#include <backlit/projectors/linear_operator.hpp>
#include "device/gl/gl_backend_class.hpp"
#include "projectors/shared/gl/ray_projection.hpp"
#include "projectors/shared/gl/view_run.hpp"

namespace backlit::gl {

/// Common parts of the models: arrays, checks, and the layers of a subset.
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
  /// `range_format`: texel format of projections.
  GlCt(std::shared_ptr<Context> context, const VolumeGrid& grid, const Scan& scan, const CtOptions& options,
       GLenum range_format);

  virtual void add_back(const GlArray& y, Layers, const Subset&, GlArray& x, Write) = 0;
  virtual std::string variant_name() const = 0;  ///< the variant's name
  virtual Packing packing() const { return Packing::none; }

  /// The layers that hold a subset's rows in an array; throws when the array does not fit.
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

/// Models of line integrals, with a plan that projects them; projections are kept in fp32 in every precision. Hardware
/// filtering rounds the shares of neighbours to 8 bits, and halves round the volume, but the transpose has exact
/// shares: such a pair matches to about 1e-3 only.
class GlRayDriven final : public GlCt {
 public:
  GlRayDriven(GlBackend&, const VolumeGrid&, const Scan&, const CtOptions&, std::unique_ptr<RayProjection>,
              bool matched);
  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  bool matched() const override { return matched_; }
  bool prefers_whole() const override { return projection_->prefers_whole(); }

 private:
  void add_back(const GlArray& y, Layers, const Subset&, GlArray& x, Write) override;
  std::string variant_name() const override { return projection_->name(); }
  Packing packing() const override { return projection_->packing(); }

  bool matched_;
  std::unique_ptr<RayProjection> projection_;
};

}  // namespace backlit::gl
