// Times volume rendering.
#pragma once

#include <memory>

#include <backlit/render/volume_rendering.hpp>
#include "study/bench/bench.hpp"
#include "study/bench/trial.hpp"

namespace backlit {

/// What a picture of a volume is made with.
struct RenderVariant {
  VolumeMode mode = VolumeMode::dvr;
  bool compute = true;  ///< or fragment shaders
  bool half = false;    ///< texels of the volume
  bool skip = true;     ///< leap over bricks that cannot be seen
  double opaque = 0.995;
};

/// The FORBILD head on a case's grid, on the device, its box filling 70 % of pictures of side x side pixels; samples a
/// voxel apart.
class RenderBench {
 public:
  /// Throws Unsupported for backends other than gl.
  RenderBench(Backend&, const BenchCase&, std::int64_t side);
  ~RenderBench();

  /// A frame, to the picture in colours; the result is what rays found (PictureKind). This must outlive it.
  Trial trial(const RenderVariant&);
  /// In double precision.
  std::vector<float> truth(VolumeMode) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Pictures of `side` x `side` pixels of the FORBILD head on the case's grid, already on the device, the grid's box
/// filling 70 % of the picture; samples a voxel apart. One row for each mode (all when `mode` is empty), shader path,
/// texel format, and with and without leaping over bricks that cannot be seen; "all samples" also goes on where nothing
/// more can be seen. Rate: frames a second, to the picture in colours. The backend must be gl: throws Unsupported.
/// `report` gets each row when it is there.
void bench_rendering(Backend&, const BenchCase&, const std::string& mode, std::int64_t side, std::int64_t repeats,
                     const std::function<void(const BenchRow&)>& report);

}  // namespace backlit
