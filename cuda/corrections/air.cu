#include "preprocess/corrections/air.hpp"

#include <algorithm>
#include <vector>

#include "cuda/corrections/list.hpp"
#include "cuda/device/device_speed.hpp"
#include "cuda/shared/pool_buffer.hpp"
#include "cuda/shared/warp.cuh"

namespace backlit::cuda {
namespace {

/// Means of the outermost `air` columns at either side. A block has a view.
__global__ void measure_air(Images views, int air, AirLevels* levels) {
  const float* const view = views.image(blockIdx.x);
  const std::int64_t values = std::int64_t{views.rows} * air;
  double left = 0, right = 0;
  for (std::int64_t i = threadIdx.x; i < values; i += block_threads) {
    const std::int64_t row = i / air, column = i % air;
    left += static_cast<double>(view[row * views.columns + column]);
    right += static_cast<double>(view[(row + 1) * views.columns - 1 - column]);
  }
  left = block_sum<block_threads>(left);
  right = block_sum<block_threads>(right);
  if (threadIdx.x == 0) {
    levels[blockIdx.x].left = left / static_cast<double>(values);
    levels[blockIdx.x].right = right / static_cast<double>(values);
  }
}

__global__ void subtract_air(Images views, int air, const AirLevels* levels) {
  const std::int64_t pixels = views.pixels(), all = views.count * pixels, stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < all; i += stride)
    views.values[i] -= air_at(levels[i / pixels], i % views.columns, views.columns, air);
}

}  // namespace

Done level_air(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  check_air(o.air_columns, views.scan().detector);
  Stream& stream = views.stream();
  const Images all = views.images();
  const auto air = static_cast<int>(o.air_columns);
  const auto grid = static_cast<unsigned>(
      std::min<std::int64_t>(blocks(all.count * all.pixels(), block_threads), 32 * multiprocessors()));
  PoolBuffer<AirLevels> levels(stream, all.count);
  watch.begin("air", all.count, "views");
  stream.launch("air", dim3(static_cast<unsigned>(all.count)), dim3(block_threads), 0, measure_air, all, air,
                levels.data());
  stream.launch("air", dim3(grid), dim3(block_threads), 0, subtract_air, all, air, levels.data());
  std::vector<AirLevels> found(static_cast<std::size_t>(all.count));
  BACKLIT_CUDA(cudaMemcpyAsync(found.data(), levels.data(), levels.bytes(), cudaMemcpyDeviceToHost, stream));
  stream.wait();
  watch.advance(all.count);
  watch.end();
  return air_text(found);
}

}  // namespace backlit::cuda
