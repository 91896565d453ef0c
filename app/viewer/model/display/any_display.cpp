#include "model/display/any_display.hpp"

#include <vector>

namespace backlit::viewer {
namespace {

class Tap final : public DisplayVolume {
 public:
  using Work = std::function<void(const DeviceArray&, const VolumeGrid&)>;
  explicit Tap(const Work& work) : work_(work) {}
  void publish(const DeviceArray& volume, const VolumeGrid& grid) override { work_(volume, grid); }
  VolumeGrid grid() const override { return {}; }
  std::int64_t generation() const override { return 0; }

 private:
  const Work& work_;
};

}  // namespace

void AnyDisplay::publish(const DeviceArray& volume, const VolumeGrid& grid) {
  const bool on_device = dynamic_cast<const gl::GlArray*>(&volume) || (backend_->name() == "cuda" && !volume.pages());
  if (on_device) return display_.publish(volume, grid);
  std::vector<float> host(static_cast<std::size_t>(volume.count()));
  backend_->download(volume, host);
  publish(host, grid);
}

void AnyDisplay::publish(std::span<const float> values, const VolumeGrid& grid) {
  context_->make_current();
  if (!copy_ || !(copy_->shape() == shape_of(grid)))
    copy_ = std::make_unique<gl::GlArray>(context_, "volume from the host", shape_of(grid));
  copy_->upload(values);
  display_.publish(*copy_, grid);
}

void with_volume(Reconstruction& reconstruction,
                 const std::function<void(const DeviceArray&, const VolumeGrid&)>& work) {
  Tap tap(work);
  reconstruction.publish(tap);
}

}  // namespace backlit::viewer
