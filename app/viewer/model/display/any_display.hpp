// Displays for arrays of any backend, and a way to reach the array that a reconstruction shows.
#pragma once

#include <functional>
#include <memory>

#include <backlit/recon/reconstruction.hpp>
#include "device/gl/gl_display_volume.hpp"

namespace backlit::viewer {

/// Hands on what OpenGL can take on the device (its own arrays, CUDA's); everything else goes through the host.
class AnyDisplay final : public DisplayVolume {
 public:
  AnyDisplay(gl::GlDisplayVolume& display, std::shared_ptr<gl::Context> context)
      : display_(display), context_(std::move(context)) {}

  /// Whose arrays come next; it must outlive that.
  void set_backend(Backend& backend) { backend_ = &backend; }
  void publish(const DeviceArray& volume, const VolumeGrid& grid) override;
  /// From host memory, x fastest.
  void publish(std::span<const float> values, const VolumeGrid& grid);
  VolumeGrid grid() const override { return display_.grid(); }
  std::int64_t generation() const override { return display_.generation(); }

 private:
  gl::GlDisplayVolume& display_;
  std::shared_ptr<gl::Context> context_;
  Backend* backend_ = nullptr;
  std::unique_ptr<gl::GlArray> copy_;
};

/// Calls work(array, grid) with the volume as it stands, on its device.
void with_volume(Reconstruction&, const std::function<void(const DeviceArray&, const VolumeGrid&)>& work);

}  // namespace backlit::viewer
