// Emission with attenuation and scatter on the graphics pipeline, as a LinearOperator.
#pragma once

#include <span>

#include "projectors/emission/gl_passes.hpp"
#include "projectors/shared/gl/gl_ct.hpp"
#include "projectors/shared/gl/view_run.hpp"

namespace backlit::gl {

/// For volumes that the device holds as a whole.
class GlEmission final : public GlCt {
 public:
  /// `attenuation`: one value per voxel, 1/mm. Throws Unsupported, naming the size that fits, for more slices or views
  /// than a texture array holds.
  GlEmission(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
             std::span<const float> attenuation, const EmissionOptions& options, const EmissionVariant& variant);

  void forward(const DeviceArray& x, DeviceArray& y, const Subset&, Write) override;
  bool matched() const override { return passes_.matched(); }
  std::string variant() const override { return passes_.variant(); }

 private:
  void add_back(const GlArray& y, Layers, const Subset&, GlArray& x, Write) override;
  std::string variant_name() const override { return passes_.variant_name(); }

  GlArray attenuation_;  ///< attenuation, normalised
  EmissionPasses passes_;
};

}  // namespace backlit::gl
