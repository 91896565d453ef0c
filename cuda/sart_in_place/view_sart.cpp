#include "cuda/sart_in_place/view_sart.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"
#include "cuda/projectors.hpp"
#include "geometry/make_view_map.hpp"
#include "projectors/shared/make_ray_frame.hpp"

namespace backlit::cuda {
namespace {

int aligned(int floats, int alignment_bytes) {
  const int step = alignment_bytes / static_cast<int>(sizeof(float));
  return (floats + step - 1) / step * step;
}

class CudaViewSart final : public ViewSart {
 public:
  CudaViewSart(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, bool matched,
               std::unique_ptr<SartDeviceVolume> volume)
      : backend_(backend),
        matched_(matched),
        shape_(shape_of(grid)),
        volume_(std::move(volume)),
        columns_(static_cast<int>(scan.detector.columns)),
        rows_(static_cast<int>(scan.detector.rows)),
        stride_(aligned(columns_, 128)),
        measured_(scan.view_count() * scan.detector.pixels()),
        corrections_(std::int64_t{stride_} * rows_),
        correction_texture_(make_pitch_texture(corrections_.data(), columns_, rows_, stride_)),
        squares_(backend.make_array({correction_blocks(columns_, rows_), 1, 1})) {
    for (const View& view : scan.views) {
      frames_.push_back(to_float(make_ray_frame(scan.detector, view, grid)));
      maps_.push_back(to_float(in_voxels(make_view_map(scan.detector, view), grid.first_voxel(), grid.spacing)));
    }
  }
  ~CudaViewSart() override { cudaDestroyTextureObject(correction_texture_); }

  void set_view(std::int64_t view, std::span<const float> integrals) override {
    BACKLIT_CUDA(cudaMemcpyAsync(measured_.data() + view * columns_ * rows_, integrals.data(), integrals.size_bytes(),
                                 cudaMemcpyHostToDevice, backend_.stream()));
    backend_.finish();  // from here on the caller may reuse the memory
  }

  void correct(std::int64_t n, float relaxation, bool nonnegative) override {
    const auto index = static_cast<std::size_t>(n);
    const SartView view{frames_[index],
                        maps_[index],
                        measured_.data() + n * columns_ * rows_,
                        corrections_.data(),
                        correction_texture_,
                        columns_,
                        rows_,
                        stride_};
    backwards_ = !backwards_;
    const SartUpdate update{relaxation, nonnegative ? 0.0f : -std::numeric_limits<float>::infinity(), matched_,
                            backwards_};
    volume_->find_corrections(backend_.stream(), view, ours(*squares_).data());
    volume_->correct(backend_.stream(), view, update);
  }

  double take_residual() override {
    const double sum = backend_.sum(*squares_);
    backend_.fill(*squares_, 0);
    return sum;
  }

  void finish() override { backend_.finish(); }

  void download(std::span<float> host) override { backend_.download(linear(), host); }

  const DeviceArray& linear() override {
    if (!linear_) linear_ = backend_.make_array(shape_);
    volume_->copy_to(backend_.stream(), ours(*linear_).data());
    return *linear_;
  }

  std::string variant() const override {
    return fmt::format("sart {} {}{}", volume_->name(), matched_ ? "matched" : "unmatched", volume_->notes());
  }
  std::int64_t volume_bytes() const override { return volume_->bytes(); }
  std::int64_t view_bytes() const override {
    return static_cast<std::int64_t>(measured_.bytes() + corrections_.bytes());
  }

 private:
  CudaBackend& backend_;
  bool matched_, backwards_ = false;
  ArrayShape shape_;
  std::unique_ptr<SartDeviceVolume> volume_;
  int columns_, rows_, stride_;
  std::vector<RayFrame<float>> frames_;
  std::vector<ViewMap<float>> maps_;
  DeviceBuffer<float> measured_, corrections_;
  cudaTextureObject_t correction_texture_;
  ArrayPtr squares_, linear_;
};

}  // namespace

std::unique_ptr<ViewSart> make_view_sart(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, bool matched,
                                         std::unique_ptr<SartDeviceVolume> volume) {
  return std::make_unique<CudaViewSart>(backend, grid, scan, matched, std::move(volume));
}

ProjectorInfo sart_in_place_cuda() {
  ProjectorInfo info;
  info.model = Model::sart_in_place;
  info.device = "cuda";
  info.errors = {5e-3};
  info.precisions = {Precision::fast};
  info.make_in_place = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const ViewSartOptions& options) {
    auto& cuda = dynamic_cast<CudaBackend&>(backend);
    return make_view_sart(cuda, grid, scan, options.matched, make_surface_volume(cuda.stream(), grid));
  };
  return info;
}

}  // namespace backlit::cuda
