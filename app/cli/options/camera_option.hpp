// --azimuth and the like: where pictures of volumes are seen from, and how many of them there are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <backlit/render/camera.hpp>

namespace CLI {
class App;
}

namespace backlit::cli {

struct CameraOption {
  Turntable turntable;
  std::optional<std::int64_t> from_view;
  std::string look_at;  ///< "X,Y,Z" mm; empty: the volume's middle
  std::string scan;     ///< whose views --from-view means; empty: the input itself
  std::int64_t frames = 1;
  double fps = 20;

  void add_flags(CLI::App&);
  /// Whether any of these flags was given.
  bool asked() const;

  /// The rays of one frame of `frames`: round the turntable, or through the scan's views beginning with from_view.
  /// `size`: longest side of the picture in pixels; 0: 512, of a view its own pixels. Throws InputError.
  CameraRays rays(std::int64_t frame, const VolumeGrid&, std::int64_t size) const;
  /// Checks the flags and reads the scan's geometry once; `input` is the scan where --scan was not given. Before
  /// rays().
  void open(const std::string& input);

 private:
  bool asked_ = false;
  std::optional<Vec3> target_;
  Scan views_;
};

}  // namespace backlit::cli
