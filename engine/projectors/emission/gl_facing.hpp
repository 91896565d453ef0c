// Emission on the graphics pipeline through planes that face the detector, of volumes that come to the device in boxes.
#pragma once

#include <backlit/projectors/emission/facing_emission.hpp>
#include "projectors/emission/gl_passes.hpp"
#include "projectors/emission/make_plane_stack.hpp"

namespace backlit::gl {

class GlFacingEmission final : public FacingEmission {
 public:
  GlFacingEmission(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                   float densest, const EmissionOptions& options, const EmissionRoom& room)
      : passes_(context, timings, grid, scan, normalised_attenuation(densest, attenuation_way(grid)), options,
                EmissionPasses::Volumes::planes, room) {}

  std::int64_t planes_at_once(std::int64_t views) override;
  bool gives_by_matter() const override { return passes_.gives_by_matter(); }
  void begin(std::span<const std::int64_t> views, const PlaneBlock&) override;
  void sample_matter(const Box& box, const DeviceArray& matter) override;
  void sample_activity(const Box& box, const DeviceArray& activity) override;
  void composite(DeviceArray& images) override;
  void give(DeviceArray& images) override;
  void gather(const Box&, DeviceArray& activity) override;
  bool matched() const override { return passes_.matched(); }
  std::string variant() const override { return passes_.variant(); }

 private:
  /// With our context current, under one name of the passes.
  template <class F>
  void timed(const char* name, F&& f);

  EmissionPasses passes_;
  EmissionPasses::Batch batch_{};  ///< at hand
};

}  // namespace backlit::gl
