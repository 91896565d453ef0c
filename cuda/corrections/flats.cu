#include "preprocess/corrections/flats.hpp"

#include "cuda/corrections/list.hpp"
#include "cuda/corrections/size_median.hpp"
#include "cuda/device/upload.hpp"
#include "cuda/shared/warp.cuh"

namespace backlit::cuda {
namespace {

/// Components and their slopes, [component][pixel].
struct Components {
  const float *images, *slopes;
  int count;
};

/// Difference from the next column, 0 at the end of each row.
__device__ float slope(const float* view, std::int64_t pixel, const Images& size) {
  return pixel % size.columns + 1 < size.columns ? view[pixel + 1] - view[pixel] : 0.0f;
}

/// Slopes of views with the components added.
__global__ void rest_of(Images views, Components c, const double* weights, float* rest) {
  const std::int64_t pixel = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, pixels = views.pixels();
  if (pixel >= pixels) return;
  float value = slope(views.image(blockIdx.y), pixel, views);
  for (int i = 0; i < c.count; ++i)
    value += static_cast<float>(weights[blockIdx.y * c.count + i]) * c.slopes[i * pixels + pixel];
  rest[blockIdx.y * pixels + pixel] = value;
}

/// Equations of view blockIdx.y: blockIdx.z is an entry of the lower triangle of the matrix, or of the right side after
/// it. A pixel counts the less the larger its rest.
__global__ void add_equations(Images views, Components c, const float* rest, const float* medians, double* equations) {
  const std::int64_t pixels = views.pixels();
  const int entry = static_cast<int>(blockIdx.z), entries = static_cast<int>(gridDim.z), triangle = entries - c.count;
  int i = 0, j = entry;
  for (; entry < triangle && j > i; ++i) j -= i + 1;
  if (entry >= triangle) i = entry - triangle;
  const double floor = 0.5 * static_cast<double>(medians[blockIdx.y]) + 1e-9;
  const float *const view = views.image(blockIdx.y), *const own = rest + blockIdx.y * pixels,
                     *const left = c.slopes + i * pixels, *const right = c.slopes + j * pixels;
  double sum = 0;
  for (std::int64_t p = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; p < pixels;
       p += std::int64_t{gridDim.x} * blockDim.x) {
    const double trust = 1 / fmax(floor, fabs(static_cast<double>(own[p]))) * static_cast<double>(left[p]);
    sum += trust * static_cast<double>(entry < triangle ? right[p] : -slope(view, p, views));
  }
  sum = block_sum<block_threads>(sum);
  if (threadIdx.x == 0) atomicAdd(&equations[blockIdx.y * entries + entry], sum);
}

/// Cholesky, as the host's solve(): a thread has a view. Weights stay where the matrix is singular, and always after
/// that.
__global__ void solve(double* equations, int n, std::int64_t views, double* weights, unsigned char* stopped) {
  const std::int64_t view = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (view >= views || stopped[view]) return;
  double* const a = equations + view * (n * (n + 1) / 2 + n);
  double* const b = a + n * (n + 1) / 2;
  const auto at = [&](int i, int j) -> double& { return a[i * (i + 1) / 2 + j]; };
  for (int j = 0; j < n; ++j) {
    const double before = at(j, j);
    if (!(before > 0)) continue;  // such rows and columns are left out
    double diagonal = before;
    for (int k = 0; k < j; ++k) diagonal -= at(j, k) * at(j, k);
    if (!(diagonal > 1e-12 * before)) {
      stopped[view] = 1;
      return;
    }
    at(j, j) = sqrt(diagonal);
    for (int i = j + 1; i < n; ++i) {
      double sum = at(i, j);
      for (int k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
      at(i, j) = sum / at(j, j);
    }
  }
  double* const x = weights + view * n;
  for (int i = 0; i < n; ++i) {
    double sum = b[i];
    for (int k = 0; k < i; ++k) sum -= at(i, k) * x[k];
    x[i] = at(i, i) > 0 ? sum / at(i, i) : 0;
  }
  for (int i = n; i-- > 0;) {
    double sum = x[i];
    for (int k = i + 1; k < n; ++k) sum -= at(k, i) * x[k];
    x[i] = at(i, i) > 0 ? sum / at(i, i) : 0;
  }
}

__global__ void add_components(Images views, Components c, const double* weights) {
  const std::int64_t pixel = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, pixels = views.pixels();
  if (pixel >= pixels) return;
  float value = views.image(blockIdx.y)[pixel];
  for (int i = 0; i < c.count; ++i)
    value += static_cast<float>(weights[blockIdx.y * c.count + i]) * c.images[i * pixels + pixel];
  views.image(blockIdx.y)[pixel] = value;
}

PoolBuffer<float> sent(Stream& stream, const std::vector<Image>& images, std::int64_t pixels) {
  PoolBuffer<float> there(stream, static_cast<std::int64_t>(images.size()) * pixels);
  stream.wait();
  for (std::size_t i = 0; i < images.size(); ++i)
    upload(there.data() + static_cast<std::int64_t>(i) * pixels, images[i].data(), images[i].size() * sizeof(float));
  return there;
}

}  // namespace

Done fit_flats(CudaViews& views, const CorrectionOptions& o, const CorrectionInput& input, const Watch& watch) {
  Stream& stream = views.stream();
  const Images all = views.images();
  const FlatComponents found = flat_components_of(o, input, views.scan().detector, watch);
  const int n = static_cast<int>(found.images.size()), entries = n * (n + 1) / 2 + n;
  if (n == 0) return found.text;
  const std::int64_t pixels = all.pixels(), at_once = cached(4 * pixels, all.count);
  const PoolBuffer<float> images = sent(stream, found.images, pixels), slopes = sent(stream, found.slopes, pixels);
  const Components components{images.data(), slopes.data(), n};
  PoolBuffer<float> rest(stream, at_once * pixels), medians(stream, at_once);
  PoolBuffer<double> weights(stream, at_once * n), equations(stream, at_once * entries);
  PoolBuffer<unsigned char> stopped(stream, at_once);
  SizeMedian median(stream, at_once);
  watch.begin("flat components", all.count, "views");
  for_cached(4 * pixels, all.count, [&](std::int64_t first, std::int64_t count) {
    const Images some = all.some(first, count);
    const auto k = static_cast<unsigned>(count);
    const dim3 grid(blocks(pixels, block_threads), k),
        sums(std::min(64u, blocks(pixels, block_threads)), k, static_cast<unsigned>(entries));
    BACKLIT_CUDA(cudaMemsetAsync(weights.data(), 0, weights.bytes(), stream));
    BACKLIT_CUDA(cudaMemsetAsync(stopped.data(), 0, stopped.bytes(), stream));
    for (int pass = 0; pass < flat_passes; ++pass) {
      stream.launch("flats", grid, dim3(block_threads), 0, rest_of, some, components, weights.data(), rest.data());
      median.run(rest.data(), pixels, count, medians.data());
      BACKLIT_CUDA(cudaMemsetAsync(equations.data(), 0, equations.bytes(), stream));
      stream.launch("flats", sums, dim3(block_threads), 0, add_equations, some, components, rest.data(), medians.data(),
                    equations.data());
      stream.launch("flats", dim3(blocks(count, 32)), dim3(32), 0, solve, equations.data(), n, count, weights.data(),
                    stopped.data());
    }
    stream.launch("flats", grid, dim3(block_threads), 0, add_components, some, components, weights.data());
    watch.advance(count);
  });
  stream.wait();
  watch.end();
  return found.text;
}

}  // namespace backlit::cuda
