#include "cuda/sart_in_place/view_sart.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "cuda/device/cuda_array.hpp"
#include "cuda/device/cuda_backend.hpp"
#include "cuda/projectors.hpp"
#include "cuda/sart_in_place/storage.hpp"
#include "geometry/make_view_map.hpp"
#include "projectors/shared/make_ray_frame.hpp"

namespace backlit::cuda {
namespace {

constexpr std::pair<const char*, Representation> representations[] = {{"pitch2d", Representation::pitch2d},
                                                                      {"surface3d", Representation::surface3d},
                                                                      {"texture3d", Representation::texture3d},
                                                                      {"array2d", Representation::array2d}};

bool has_copy(Representation r) { return r == Representation::texture3d || r == Representation::array2d; }

Representation representation_of(const std::string& variant) {
  for (const auto& [name, representation] : representations)
    if (variant.starts_with(name)) return representation;
  throw Unsupported("variant", fmt::format("'{}' is no representation of the volume", variant), "use pitch2d");
}

int aligned(int floats, int alignment_bytes) {
  const int step = alignment_bytes / static_cast<int>(sizeof(float));
  return (floats + step - 1) / step * step;
}

class CudaViewSart final : public ViewSart {
 public:
  CudaViewSart(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan, const std::string& variant)
      : backend_(backend),
        variant_(variant),
        representation_(representation_of(variant)),
        matched_(variant.ends_with(",matched")),
        fused_(has_copy(representation_) && variant.find(",copy") == std::string::npos),
        storage_(backend.stream(), representation_, grid),
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
    backend_.finish();  // the caller's memory is its own again
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
    find_corrections(backend_.stream(), representation_, storage_.volume(), view, ours(*squares_).data());
    correct_volume(backend_.stream(), representation_, storage_.volume(), view, update, fused_);
    if (has_copy(representation_) && !fused_) storage_.copy_to_textures(backend_.stream());
  }

  double take_residual() override {
    const double sum = backend_.sum(*squares_);
    backend_.fill(*squares_, 0);
    return sum;
  }

  void finish() override { backend_.finish(); }

  void download(std::span<float> host) override { backend_.download(linear(), host); }

  const DeviceArray& linear() override {
    const SartVolume& v = storage_.volume();
    if (!linear_) linear_ = backend_.make_array({v.nx, v.ny, v.nz});
    storage_.copy_to(backend_.stream(), ours(*linear_).data());
    return *linear_;
  }

  std::string variant() const override {
    return fmt::format("sart {} {}{}", representations_name(), matched_ ? "matched" : "unmatched",
                       has_copy(representation_) ? (fused_ ? ", written twice" : ", copied") : "");
  }
  std::int64_t volume_bytes() const override { return storage_.bytes(); }
  std::int64_t view_bytes() const override {
    return static_cast<std::int64_t>(measured_.bytes() + corrections_.bytes());
  }

 private:
  const char* representations_name() const {
    for (const auto& [name, representation] : representations)
      if (representation == representation_) return name;
    return "";
  }

  CudaBackend& backend_;
  std::string variant_;
  Representation representation_;
  bool matched_, fused_, backwards_ = false;
  SartStorage storage_;
  int columns_, rows_, stride_;
  std::vector<RayFrame<float>> frames_;
  std::vector<ViewMap<float>> maps_;
  DeviceBuffer<float> measured_, corrections_;
  cudaTextureObject_t correction_texture_;
  ArrayPtr squares_, linear_;
};

}  // namespace

const std::vector<std::string>& view_sart_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, representation] : representations)
      for (const char* copy : {"", ",copy"})
        for (const char* pair : {"", ",matched"})
          if (*copy == 0 || has_copy(representation)) all.push_back(std::string(name) + copy + pair);
    return all;
  }();
  return names;
}

std::unique_ptr<ViewSart> make_cuda_view_sart(CudaBackend& backend, const VolumeGrid& grid, const Scan& scan,
                                              const std::string& variant) {
  return std::make_unique<CudaViewSart>(backend, grid, scan, variant);
}

ProjectorInfo sart_in_place_cuda() {
  ProjectorInfo info;
  info.model = Model::sart_in_place;
  info.device = "cuda";
  info.in_place_variants = view_sart_names();
  info.make_in_place = [](Backend& backend, const VolumeGrid& grid, const Scan& scan, const std::string& variant) {
    return make_cuda_view_sart(dynamic_cast<CudaBackend&>(backend), grid, scan, variant);
  };
  return info;
}

}  // namespace backlit::cuda
