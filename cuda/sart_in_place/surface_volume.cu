#include <algorithm>
#include <memory>

#include "cuda/sart_in_place/steps.cuh"

namespace backlit::cuda {
namespace {

struct Surface {
  int nx, ny, nz;
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;

  __device__ float sample(float u, float v, float w) const {
    return tex3D<float>(texture, u + 0.5f, v + 0.5f, w + 0.5f);
  }
  __device__ float load(int i, int j, int k) const { return surf3Dread<float>(surface, i * int{sizeof(float)}, j, k); }
  __device__ void store(int i, int j, int k, float value) const {
    surf3Dwrite(value, surface, i * int{sizeof(float)}, j, k);
  }
};

__global__ void clear(Surface volume) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < volume.nx && j < volume.ny) volume.store(i, j, blockIdx.z, 0.0f);
}

class SurfaceVolume final : public SartDeviceVolume {
 public:
  SurfaceVolume(Stream& stream, const VolumeGrid& grid)
      : volume_{static_cast<int>(grid.size[0]), static_cast<int>(grid.size[1]), static_cast<int>(grid.size[2]), 0, 0} {
    const int most = device_attribute(cudaDevAttrMaxTexture3DWidth);
    require_side(std::max({grid.size[0], grid.size[1], grid.size[2]}) <= most, "3-D textures", most);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    BACKLIT_CUDA(cudaMalloc3DArray(&array_, &format, extent(), cudaArraySurfaceLoadStore));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    const cudaTextureDesc sampling = filtered_border();
    BACKLIT_CUDA(cudaCreateSurfaceObject(&volume_.surface, &resource));
    BACKLIT_CUDA(cudaCreateTextureObject(&volume_.texture, &resource, &sampling, nullptr));
    const dim3 block(32, 8);
    stream.launch("clear surface",
                  dim3(blocks(volume_.nx, block.x), blocks(volume_.ny, block.y), static_cast<unsigned>(volume_.nz)),
                  block, 0, clear, volume_);
  }
  ~SurfaceVolume() override {
    cudaDestroyTextureObject(volume_.texture);
    cudaDestroySurfaceObject(volume_.surface);
    cudaFreeArray(array_);
  }
  SurfaceVolume(const SurfaceVolume&) = delete;
  SurfaceVolume& operator=(const SurfaceVolume&) = delete;

  void find_corrections(Stream& stream, const SartView& view, float* squares) override {
    start_forward(stream, volume_, view, squares);
  }
  void correct(Stream& stream, const SartView& view, const SartUpdate& update) override {
    start_back(stream, volume_, view, update);
  }
  void copy_to(Stream& stream, float* target) const override {
    cudaMemcpy3DParms copy{};
    copy.srcArray = array_;
    copy.extent = extent();
    copy.dstPtr = make_cudaPitchedPtr(target, copy.extent.width * sizeof(float), copy.extent.width, copy.extent.height);
    copy.kind = cudaMemcpyDeviceToDevice;
    BACKLIT_CUDA(cudaMemcpy3DAsync(&copy, stream));
  }
  std::int64_t bytes() const override {
    return std::int64_t{volume_.nx} * volume_.ny * volume_.nz * static_cast<std::int64_t>(sizeof(float));
  }
  std::string name() const override { return "surface3d"; }

 private:
  cudaExtent extent() const {
    return make_cudaExtent(static_cast<std::size_t>(volume_.nx), static_cast<std::size_t>(volume_.ny),
                           static_cast<std::size_t>(volume_.nz));
  }

  Surface volume_;
  cudaArray_t array_ = nullptr;
};

}  // namespace

int correction_blocks(int columns, int rows) {
  const dim3 grid = forward_grid(columns, rows);
  return static_cast<int>(grid.x * grid.y);
}

std::unique_ptr<SartDeviceVolume> make_surface_volume(Stream& stream, const VolumeGrid& grid) {
  return std::make_unique<SurfaceVolume>(stream, grid);
}

}  // namespace backlit::cuda
