// Displays arrays of any backend, and gives access to the array that a reconstruction shows.
#pragma once

#include <functional>
#include <memory>

#include <backlit/recon/reconstruction.hpp>
#include "device/gl/gl_display_volume.hpp"

namespace backlit::viewer {

/// Passes arrays that OpenGL can read on the device (its own, CUDA's) directly; copies all others through the host.
class AnyDisplay final : public DisplayVolume {
 public:
  AnyDisplay(gl::GlDisplayVolume& display, std::shared_ptr<gl::Context> context)
      : display_(display), context_(std::move(context)) {}

  /// The backend of the arrays to publish; it must outlive them.
  void set_backend(Backend& backend) { backend_ = &backend; }
  void publish(const DeviceArray& volume, const VolumeGrid& grid) override;
  /// Publishes values in host memory, x fastest.
  void publish(std::span<const float> values, const VolumeGrid& grid);
  VolumeGrid grid() const override { return display_.grid(); }
  std::int64_t generation() const override { return display_.generation(); }

 private:
  gl::GlDisplayVolume& display_;
  std::shared_ptr<gl::Context> context_;
  Backend* backend_ = nullptr;
  std::unique_ptr<gl::GlArray> copy_;
};

/// Calls work(array, grid) with the current volume on its device.
void with_volume(Reconstruction&, const std::function<void(const DeviceArray&, const VolumeGrid&)>& work);

}  // namespace backlit::viewer
