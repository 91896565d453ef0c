#include <algorithm>
#include <memory>
#include <vector>

#include "cuda/sart_in_place/steps.cuh"
#include "study/cuda/sart_in_place/representations.hpp"
#include "study/cuda/sart_in_place/sample.cuh"

namespace backlit::cuda {
namespace {

template <Representation R>
__global__ void clear(cudaSurfaceObject_t surface, int nx, int ny) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i >= nx || j >= ny) return;
  if constexpr (R == Representation::array2d)
    surf2DLayeredwrite(0.0f, surface, i * int{sizeof(float)}, j, k);
  else
    surf3Dwrite(0.0f, surface, i * int{sizeof(float)}, j, k);
}

template <Representation R, bool fused>
class Represented final : public SartDeviceVolume {
 public:
  Represented(Stream& stream, const VolumeGrid& grid) : storage_(stream, R, grid) {}

  void find_corrections(Stream& stream, const SartView& view, float* squares) override {
    start_forward(stream, volume(), view, squares);
  }
  void correct(Stream& stream, const SartView& view, const SartUpdate& update) override {
    start_back(stream, volume(), view, update);
    if (has_copy && !fused) storage_.copy_to_textures(stream);
  }
  void copy_to(Stream& stream, float* target) const override { storage_.copy_to(stream, target); }
  std::int64_t bytes() const override { return storage_.bytes(); }
  std::string name() const override {
    return R == Representation::texture3d ? "texture3d" : R == Representation::array2d ? "array2d" : "pitch2d";
  }
  std::string notes() const override { return !has_copy ? "" : fused ? ", written twice" : ", copied"; }

 private:
  static constexpr bool has_copy = R != Representation::pitch2d;
  SampledVolume<R, fused> volume() const { return {storage_.volume()}; }

  SartStorage storage_;
};

}  // namespace

void clear_surface(Stream& stream, Representation r, cudaSurfaceObject_t surface, int nx, int ny, int slices) {
  const dim3 block(32, 8);
  const dim3 grid(blocks(nx, block.x), blocks(ny, block.y), static_cast<unsigned>(slices));
  if (r == Representation::array2d)
    stream.launch("clear surface", grid, block, 0, clear<Representation::array2d>, surface, nx, ny);
  else
    stream.launch("clear surface", grid, block, 0, clear<Representation::texture3d>, surface, nx, ny);
}

std::unique_ptr<SartDeviceVolume> make_represented_volume(Stream& stream, const VolumeGrid& grid,
                                                          const std::string& name) {
  if (name == "surface3d") return make_surface_volume(stream, grid);
  if (name == "texture3d") return std::make_unique<Represented<Representation::texture3d, true>>(stream, grid);
  if (name == "texture3d,copy") return std::make_unique<Represented<Representation::texture3d, false>>(stream, grid);
  if (name == "array2d") return std::make_unique<Represented<Representation::array2d, true>>(stream, grid);
  if (name == "array2d,copy") return std::make_unique<Represented<Representation::array2d, false>>(stream, grid);
  return std::make_unique<Represented<Representation::pitch2d, false>>(stream, grid);
}

}  // namespace backlit::cuda
