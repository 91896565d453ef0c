// Times volume rendering.
#pragma once

#include <memory>

#include <backlit/render/volume_rendering.hpp>
#include "study/bench/bench.hpp"
#include "study/bench/trial.hpp"

namespace backlit {

/// Options of a picture of a volume.
struct RenderVariant {
  VolumeMode mode = VolumeMode::dvr;
  bool compute = true;  ///< or fragment shaders
  bool half = false;    ///< fp16 texels of the volume
  bool skip = true;     ///< leap over bricks that are invisible
  double opaque = 0.995;
  double shadows = 0, occlusion = 0;
  bool turning = false;  ///< the camera turns from frame to frame, and thus the light
};

/// The FORBILD head on a case's grid, on the device. Its box fills 70 % of pictures of side x side pixels; samples are
/// a voxel apart.
class RenderBench {
 public:
  /// Throws Unsupported for backends other than gl.
  RenderBench(Backend&, const BenchCase&, std::int64_t side);
  ~RenderBench();

  /// Renders one frame up to the coloured picture; the result is that of the rays (PictureKind). This object must
  /// outlive the trial.
  Trial trial(const RenderVariant&);
  /// The same in double precision.
  std::vector<float> truth(VolumeMode) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Pictures of `side` x `side` pixels of the FORBILD head on the case's grid, already on the device. The grid's box
/// fills 70 % of the picture; samples are a voxel apart. One row for each mode (all if `mode` is empty), shader path,
/// texel format, and with and without leaping over invisible bricks. "all samples" also continues where nothing more
/// can be visible. Modes with light also have rows with shadows and occlusion (compute, r32f), from a camera at rest
/// and from one that turns. Rate: frames a second, up to the coloured picture. Throws Unsupported for backends other
/// than gl. `report` receives each row.
void bench_rendering(Backend&, const BenchCase&, const std::string& mode, std::int64_t side, std::int64_t repeats,
                     const std::function<void(const BenchRow&)>& report);

}  // namespace backlit
