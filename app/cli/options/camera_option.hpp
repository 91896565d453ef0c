// --azimuth and other flags of the camera: from where it sees the volume, and the number of pictures.
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
  std::string scan;     ///< scan of --from-view; empty: the input itself
  std::int64_t frames = 1;
  double fps = 20;

  void add_flags(CLI::App&);
  /// Whether the command line has any of these flags.
  bool asked() const;

  /// Rays of frame `frame`. The camera turns around the volume, or passes through the scan's views from `from_view` on.
  /// `size`: longest side of the picture in pixels; 0: 512, or the size of the view. Throws InputError.
  CameraRays rays(std::int64_t frame, const VolumeGrid&, std::int64_t size) const;
  /// Checks the flags and reads the scan's geometry once. `input` is the scan if --scan is absent. Call it before
  /// rays().
  void open(const std::string& input);

 private:
  bool asked_ = false;
  std::optional<Vec3> target_;
  Scan views_;
};

}  // namespace backlit::cli
