// Derivatives of Joseph's line integrals by the numbers of a view (projectors/joseph/ray_gradient.hpp), in double
// precision. A thread has some pixels of a view. Sums go from threads to warps, blocks and views in a fixed order, so
// that every run gives the same bits.
#include <algorithm>
#include <vector>

#include <backlit/core/error.hpp>
#include <backlit/cuda.hpp>
#include "cuda/device/cuda_backend.hpp"
#include "cuda/device/kept_table.hpp"
#include "cuda/device/memory.hpp"
#include "projectors/joseph/ray_gradient.hpp"
#include "projectors/shared/make_ray_frame.hpp"

namespace backlit {
namespace cuda {
namespace {

constexpr int numbers = 12, warps = 4;
/// Blocks that keep a device busy, over all views.
constexpr std::int64_t many_blocks = 2048;

struct GradientTask {
  const RayFrame<double>* frame;  ///< on the device, [view]
  VoxelBox box;
  int columns, rows;
  double* parts;  ///< on the device, [view][block][number]
};

__device__ inline double sum_of_warp(double value) {
  for (int other = 16; other > 0; other /= 2) value += __shfl_down_sync(0xffffffffu, value, other);
  return value;
}

/// Block (view, part): the sums of every gridDim.y-th group of pixels.
template <class Value>
__global__ void __launch_bounds__(32 * warps)
    sum_pixels(__grid_constant__ const GradientTask t, const Value* __restrict__ volume,
               const Value* __restrict__ weights) {
  const std::int64_t pixels = std::int64_t{t.columns} * t.rows;
  weights += blockIdx.x * pixels;
  double sums[numbers] = {};
  for (std::int64_t i = blockIdx.y * std::int64_t{blockDim.x} + threadIdx.x; i < pixels;
       i += std::int64_t{gridDim.y} * blockDim.x)
    if (const double weight = weights[i]; weight != 0)
      add_view_gradient(t.frame[blockIdx.x], t.box, volume, static_cast<double>(i % t.columns),
                        static_cast<double>(i / t.columns), weight, sums);
  __shared__ double of_warp[warps][numbers];
  for (int n = 0; n < numbers; ++n)
    if (const double sum = sum_of_warp(sums[n]); threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32][n] = sum;
  __syncthreads();
  if (threadIdx.x >= numbers) return;
  double sum = 0;
  for (int w = 0; w < warps; ++w) sum += of_warp[w][threadIdx.x];
  t.parts[(std::int64_t{blockIdx.x} * gridDim.y + blockIdx.y) * numbers + threadIdx.x] = sum;
}

/// A block has a view, a warp one of its numbers.
__global__ void __launch_bounds__(32 * numbers) sum_parts(const double* parts, int count, double* gradients) {
  parts += std::int64_t{blockIdx.x} * count * numbers;
  const int lane = threadIdx.x % 32, number = threadIdx.x / 32;
  double sum = 0;
  for (int part = lane; part < count; part += 32) sum += parts[part * numbers + number];
  sum = sum_of_warp(sum);
  if (lane == 0) gradients[blockIdx.x * numbers + number] += sum;
}

std::vector<RayFrame<double>> frames_of(const VolumeGrid& grid, const Scan& scan) {
  if (scan.detector.shape != Detector::Shape::flat)
    throw Unsupported("geometry", "derivatives are not there for curved detectors", "use a flat detector");
  std::vector<RayFrame<double>> frames;
  for (const View& view : scan.views) frames.push_back(make_ray_frame(scan.detector, view, grid));
  return frames;
}

}  // namespace
}  // namespace cuda

struct CudaGeometryGradient::State {
  cuda::CudaBackend& backend;
  VolumeGrid grid;
  cuda::KeptTable<RayFrame<double>> table;
  Detector detector{};
  std::int64_t views = 0, parts = 0;  ///< parts of a view
  const RayFrame<double>* frames = nullptr;
  cuda::DeviceBuffer<double> sums{};

  template <class Value>
  void add(const void* volume, const void* weights, double* gradients) {
    const auto [x, y, z] = grid.size;
    const cuda::GradientTask task{frames,
                                  {{0, 0, 0}, {x, y, z}, {x, y, z}},
                                  static_cast<int>(detector.columns),
                                  static_cast<int>(detector.rows),
                                  sums.data()};
    backend.stream().launch("geometry gradient", dim3(static_cast<unsigned>(views), static_cast<unsigned>(parts)),
                            dim3(32 * cuda::warps), 0, cuda::sum_pixels<Value>, task, static_cast<const Value*>(volume),
                            static_cast<const Value*>(weights));
    backend.stream().launch("geometry gradient sum", dim3(static_cast<unsigned>(views)), dim3(32 * cuda::numbers), 0,
                            cuda::sum_parts, task.parts, static_cast<int>(parts), gradients);
  }
};

CudaGeometryGradient::CudaGeometryGradient(Backend& backend, const VolumeGrid& grid, std::int64_t views) {
  auto* const mine = dynamic_cast<cuda::CudaBackend*>(&backend.innermost());
  if (!mine) throw Failure("cuda", "a gradient on CUDA was asked of the backend " + backend.name());
  state_ = std::make_unique<State>(State{*mine, grid, cuda::KeptTable<RayFrame<double>>(views)});
}

void CudaGeometryGradient::place(const Scan& scan) {
  State& s = *state_;
  const auto frames = cuda::frames_of(s.grid, scan);
  s.detector = scan.detector;
  s.views = scan.view_count();
  s.parts = std::clamp<std::int64_t>(cuda::many_blocks / std::max<std::int64_t>(1, s.views), 1,
                                     cuda::blocks(scan.detector.pixels(), 32 * cuda::warps));
  const std::int64_t sums = s.views * s.parts * cuda::numbers;
  if (s.sums.count() != sums) s.sums = cuda::DeviceBuffer<double>(sums);
  if (s.views > 0) s.frames = s.table.put(s.backend.stream(), frames);
}

CudaGeometryGradient::~CudaGeometryGradient() = default;

void CudaGeometryGradient::add(const CudaMemory& volume, const CudaMemory& weights, double* gradients) {
  using Type = CudaMemory::Type;
  if (volume.type != weights.type || (volume.type != Type::f32 && volume.type != Type::f64))
    throw Failure("cuda", "a gradient by the geometry takes a volume and weights that are both f32 or both f64");
  if (state_->views == 0) return;
  if (volume.type == CudaMemory::Type::f64)
    state_->add<double>(volume.data, weights.data, gradients);
  else
    state_->add<float>(volume.data, weights.data, gradients);
}

}  // namespace backlit
