// Emission on the graphics pipeline of volumes that come to the device a slab of slices at a time.
#pragma once

#include <backlit/projectors/emission/emission_slabs.hpp>
#include "projectors/emission/gl_passes.hpp"

namespace backlit::gl {

class GlEmissionSlabs final : public EmissionSlabs {
 public:
  /// Of slices along the grid's axes.
  GlEmissionSlabs(std::shared_ptr<Context> context, TimingTable& timings, const VolumeGrid& grid, const Scan& scan,
                  float densest, const EmissionOptions& options, const EmissionRoom& room);

  void composite(const SliceSlab&, const DeviceArray& matter, const DeviceArray& activity,
                 std::span<const std::int64_t> views, DeviceArray& images) override;
  void give(const SliceSlab&, const DeviceArray& matter, std::span<const std::int64_t> views, DeviceArray& images,
            DeviceArray& activity) override;
  bool matched() const override { return passes_.matched(); }
  std::string variant() const override { return passes_.variant(); }

 private:
  /// The views' images through f(batch of them at the slab).
  template <class F>
  void take_on(const char* name, const SliceSlab&, std::span<const std::int64_t> views, DeviceArray& images, F&& f);

  EmissionPasses passes_;
};

}  // namespace backlit::gl
