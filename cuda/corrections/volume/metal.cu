#include "preprocess/corrections/metal.hpp"

#include <algorithm>

#include <backlit/recon/volume_tools.hpp>
#include "cuda/corrections/list.hpp"
#include "cuda/corrections/volume/material.hpp"
#include "cuda/corrections/volume/slices.hpp"
#include "cuda/device/cuda_backend.hpp"
#include "cuda/shared/pool_buffer.hpp"
#include "cuda/shared/warp.cuh"

namespace backlit::cuda {
namespace {

constexpr std::int64_t model_bytes = std::int64_t{512} << 20;  ///< of the model's views at a time
constexpr std::int64_t most_views = 32768;                     ///< limit of a kernel grid's second side

__global__ void fill_prior(const float* volume, std::int64_t n, double metal, double threshold, double median,
                           float* prior) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) prior[i] = without_metal(volume[i], metal, threshold, median);
}

struct Box {
  int low[3], size[3];
};

/// 1 in metal. A block has a part of a line of the box.
__global__ void fill_mask(const float* volume, int columns, int rows, Box box, double metal, float* mask) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), j = static_cast<int>(blockIdx.y),
            k = static_cast<int>(blockIdx.z);
  if (i >= box.size[0]) return;
  const std::int64_t from = (std::int64_t{k + box.low[2]} * rows + j + box.low[1]) * columns + i + box.low[0];
  mask[(std::int64_t{k} * box.size[1] + j) * box.size[0] + i] = static_cast<double>(volume[from]) > metal ? 1.0f : 0.0f;
}

/// largest[view], of values from 0 on: these have the order of their bits.
__global__ void largest_of_views(Images views, unsigned* largest) {
  float most = 0;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < views.pixels();
       i += std::int64_t{gridDim.x} * blockDim.x)
    most = fmaxf(most, views.image(blockIdx.y)[i]);
  const unsigned bits = warp_maximum(__float_as_uint(most));
  if (threadIdx.x % 32 == 0) atomicMax(&largest[blockIdx.y], bits);
}

/// Projections of the model without metal, and of the metal, with the largest value of each view.
struct ModelViews {
  Images prior, metal;
  const unsigned *most_prior, *most_metal;
  int first_row, step_u, step_v;

  __device__ CoarseView view(const Images& of, std::int64_t i) const {
    return {of.image(i), of.columns, of.rows, first_row, step_u, step_v};
  }
};

/// As the host's replace_traces(). A block has a row of a view.
__global__ void replace_traces(Images views, ModelViews model, float value) {
  extern __shared__ float ratio[];
  char* const trace = reinterpret_cast<char*>(ratio + views.columns);
  const int r = static_cast<int>(blockIdx.x), columns = views.columns;
  const CoarseView prior = model.view(model.prior, blockIdx.y), metal = model.view(model.metal, blockIdx.y);
  const float shortest = least_trace * __uint_as_float(model.most_metal[blockIdx.y]),
              floor = fmaxf(least_prior * __uint_as_float(model.most_prior[blockIdx.y]), 1e-6f);
  if (!(shortest > 0) || !prior.has_row(r)) return;
  float* const row = views.image(blockIdx.y) + std::int64_t{r} * columns;
  bool any = false;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += block_threads) {
    const float expected = prior.at(r, c);
    trace[c] = metal.largest_near(r, c) > shortest;
    ratio[c] = expected > floor ? row[c] / expected : 1;
    any = any || trace[c];
  }
  if (!__syncthreads_or(any)) return;
  for (int c = static_cast<int>(threadIdx.x); c < columns; c += block_threads) {
    if (!trace[c]) continue;
    int begin = c, end = c + 1;
    while (begin > 0 && trace[begin - 1]) --begin;
    while (end < columns && trace[end]) ++end;
    row[c] = bridged(ratio, columns, begin, end, c) * prior.at(r, c) + value * metal.at(r, c);
  }
}

void find_largest(Stream& stream, const Images& views, PoolBuffer<unsigned>& largest) {
  BACKLIT_CUDA(cudaMemsetAsync(largest.data(), 0, largest.bytes(), stream));
  const dim3 grid(std::min(16u, blocks(views.pixels(), block_threads)), static_cast<unsigned>(views.count));
  stream.launch("metal", grid, dim3(block_threads), 0, largest_of_views, views, largest.data());
}

/// The model on coarser pixels: what the volume is without metal, and the metal alone.
struct Operators {
  CoarsePixels pixels;
  std::unique_ptr<LinearOperator> prior, metal;
  ArrayPtr without, alone;  ///< volumes

  Operators(Backend& device, const Scan& scan, const VolumeGrid& grid, const VolumeGrid& box)
      : pixels(scan, grid, box),
        prior(make_projector(device, grid, pixels.scan)),
        metal(make_projector(device, box, pixels.scan)),
        without(prior->make_domain()),
        alone(metal->make_domain()) {}
};

void fill_volumes(Stream& stream, const float* volume, const VolumeGrid& grid, const Materials& found, double threshold,
                  Operators& to) {
  const std::int64_t n = grid.voxels();
  stream.launch("metal", dim3(blocks(n, block_threads)), dim3(block_threads), 0, fill_prior, volume, n, threshold,
                found.material.threshold, found.material.median, ours(*to.without).data());
  Box box{};
  for (std::size_t a = 0; a < 3; ++a) {
    box.low[a] = static_cast<int>(found.metal.low[a]);
    box.size[a] = static_cast<int>(found.metal.high[a] - found.metal.low[a] + 1);
  }
  const dim3 lines(blocks(box.size[0], 64), static_cast<unsigned>(box.size[1]), static_cast<unsigned>(box.size[2]));
  stream.launch("metal", lines, dim3(64), 0, fill_mask, volume, static_cast<int>(grid.size[0]),
                static_cast<int>(grid.size[1]), box, threshold, ours(*to.alone).data());
  stream.wait();
}

void replace_all(CudaViews& views, Backend& device, Operators& model, float value, const Watch& watch) {
  Stream& stream = views.stream();
  const Images all = views.images();
  const Detector& d = model.pixels.scan.detector;
  const std::int64_t at_once =
      std::min(most_views, cached(d.pixels() * std::int64_t{sizeof(float)}, all.count, model_bytes));
  PoolBuffer<unsigned> most_prior(stream, at_once), most_metal(stream, at_once);
  const std::size_t room = static_cast<std::size_t>(all.columns) * (sizeof(float) + 1);
  if (room > 40 * 1024)  // of 48 KiB
    BACKLIT_CUDA(
        cudaFuncSetAttribute(replace_traces, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(room)));
  watch.begin("metal", all.count, "views");
  for (std::int64_t first = 0; first < all.count; first += at_once) {
    const std::int64_t count = std::min(at_once, all.count - first);
    const ArrayPtr expected = model.prior->make_range(count), lengths = model.metal->make_range(count);
    model.prior->forward(*model.without, *expected, {first, count, 1}, Write::overwrite);
    model.metal->forward(*model.alone, *lengths, {first, count, 1}, Write::overwrite);
    device.finish();
    const auto images_of = [&](DeviceArray& a) {
      return Images{ours(a).data(), static_cast<int>(d.columns), static_cast<int>(d.rows), count};
    };
    const ModelViews views_of{images_of(*expected),
                              images_of(*lengths),
                              most_prior.data(),
                              most_metal.data(),
                              static_cast<int>(model.pixels.first_row),
                              static_cast<int>(model.pixels.step_u),
                              static_cast<int>(model.pixels.step_v)};
    find_largest(stream, views_of.prior, most_prior);
    find_largest(stream, views_of.metal, most_metal);
    stream.launch("metal", dim3(static_cast<unsigned>(all.rows), static_cast<unsigned>(count)), dim3(block_threads),
                  room, replace_traces, all.some(first, count), views_of, value);
    stream.wait();
    watch.advance(count);
  }
  watch.end();
}

}  // namespace

Done reduce_metal(CudaViews& views, const CorrectionOptions& o, const CorrectionInput& input, const Watch& watch) {
  const VolumeGrid grid = input.volume.grid(views.scan(), 0);
  const auto run = reconstruct(views, input, grid, watch);
  const auto* const volume = dynamic_cast<const CudaArray*>(run->device_volume());
  if (!volume || !(volume->shape() == shape_of(grid))) return std::nullopt;  // it never was there as a whole
  const Materials found = find_materials(views.stream(), volume->data(), grid.size, o.metal);
  refuse_too_much_metal(found.metal, grid.voxels(), o.metal);
  if (found.metal.count > 0) {
    Backend& device = input.volume.backend->innermost();
    Operators model(device, views.scan(), grid, found.metal.box(grid));
    fill_volumes(views.stream(), volume->data(), grid, found, o.metal, model);
    const double value = found.metal.sum / static_cast<double>(found.metal.count) - found.material.median;
    replace_all(views, device, model, static_cast<float>(value), watch);
  }
  return metal_text(found.metal, grid.voxels());
}

}  // namespace backlit::cuda
