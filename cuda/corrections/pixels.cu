#include "preprocess/corrections/pixels.hpp"

#include "cuda/corrections/fill_missing.hpp"
#include "cuda/corrections/list.hpp"
#include "cuda/corrections/neighbours.cuh"
#include "cuda/corrections/size_median.hpp"
#include "cuda/shared/warp.cuh"

namespace backlit::cuda {
namespace {

const dim3 pixel_tile(32, 8);

dim3 tiles(const Images& images) {
  return {blocks(images.columns, pixel_tile.x), blocks(images.rows, pixel_tile.y), static_cast<unsigned>(images.count)};
}

/// What every step-th pixel of images, in both directions, differs from the median of its neighbours by, and the
/// largest magnitude in each image.
__global__ void roughness(Images images, int step, Images rough, float* largest) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
            j = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  float size = 0;
  if (i < rough.columns && j < rough.rows) {
    const float* const image = images.image(blockIdx.z);
    const int row = step * j, column = step * i;
    rough.image(blockIdx.z)[j * rough.columns + i] =
        image[row * images.columns + column] - median_around(image, images, row, column);
    for (int r = row; r < min(row + step, images.rows); ++r)
      for (int c = column; c < min(column + step, images.columns); ++c)
        size = fmaxf(size, fabsf(image[r * images.columns + c]));
  }
  // Magnitudes have the order of their bits.
  const unsigned most = warp_maximum(__float_as_uint(size));
  if (threadIdx.x == 0) atomicMax(reinterpret_cast<unsigned*>(largest) + blockIdx.z, most);
}

__device__ double usual_size(float median) { return static_cast<double>(median) / normal_median; }

/// Marks pixels by bits; a warp has 32 pixels, the bits of one word.
__device__ void write_marks(unsigned* word, bool marked, unsigned* count) {
  const unsigned bits = __ballot_sync(0xffffffffu, marked);
  if (threadIdx.x % 32 != 0) return;
  *word = bits;
  if (bits) atomicAdd(count, static_cast<unsigned>(__popc(bits)));
}

__global__ void zinger_limits(double times, const float* medians, const float* largest, std::int64_t n, float* limits) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) limits[i] = zinger_limit(times, usual_size(medians[i]), largest[i]);
}

__global__ void mark_zingers(Images all, std::int64_t first, double times, const float* limits, unsigned* marks,
                             unsigned* count) {
  const std::int64_t v = first + blockIdx.y, pixels = all.pixels(), words = (pixels + 31) / 32;
  const float *const now = all.image(v), *const before = all.image(v > 0 ? v - 1 : 1),
                     *const after = all.image(v + 1 < all.count ? v + 1 : v - 1);
  const auto flash = [&](int p) { return now[p] - fminf(before[p], after[p]); };
  const float limit = limits[blockIdx.y];
  for (int pixel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); pixel / 32 < words;
       pixel += static_cast<int>(gridDim.x * blockDim.x)) {  // a warp stays together
    bool hit = false;
    if (const float change = pixel < pixels ? flash(pixel) : INFINITY; !(change > limit)) {
      const int row = pixel / all.columns, column = pixel % all.columns;
      const float outstanding = fmaxf(change, now[pixel] - median_around(now, all, row, column));
      if (!(outstanding > limit)) {
        const float quartile =
            quantile_around(all, row, column, 0.75, [&](int r, int c) { return fabsf(flash(r * all.columns + c)); });
        hit = !(outstanding > local_zinger_limit(times) * quartile);
      }
    }
    write_marks(marks + v * words + pixel / 32, hit, count);
  }
}

/// Sums over the views, in their order.
__global__ void means(Images all, float* mean, float* unrest) {
  const std::int64_t pixel = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (pixel >= all.pixels()) return;
  double sum = 0, change = 0;
  float before = all.values[pixel];
#pragma unroll 8
  for (std::int64_t v = 0; v < all.count; ++v) {
    const float now = all.image(v)[pixel];
    sum += static_cast<double>(now);
    change += fabs(static_cast<double>(now) - static_cast<double>(before));
    before = now;
  }
  const auto views = static_cast<double>(all.count);
  mean[pixel] = static_cast<float>(sum / views);
  unrest[pixel] = static_cast<float>(change / views);
}

/// Pixels that stand out of one of two images.
__global__ void mark_defects(Images rough, double times, const float* medians, const float* largest, unsigned* marks,
                             unsigned* count) {
  const int pixel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const std::int64_t pixels = rough.pixels();
  if (pixel / 32 >= (pixels + 31) / 32) return;
  bool bad = false;
  for (int i = 0; i < 2 && pixel < pixels; ++i) {
    const float* const image = rough.image(i);
    const float quartile = quantile_around(rough, pixel / rough.columns, pixel % rough.columns, 0.75,
                                           [&](int r, int c) { return fabsf(image[r * rough.columns + c]); });
    const double usual = usual_around(usual_size(medians[i]), quartile, static_cast<double>(largest[i]));
    bad = bad || static_cast<double>(fabsf(image[pixel])) > times * usual;
  }
  write_marks(marks + pixel / 32, bad, count);
}

/// Roughness of images, and what is usual in each.
struct Roughness {
  int step, columns, rows;
  PoolBuffer<float> rough, medians, largest;
  SizeMedian median;

  Roughness(Stream& stream, const Images& images, int every, std::int64_t most)
      : step(every),
        columns((images.columns + step - 1) / step),
        rows((images.rows + step - 1) / step),
        rough(stream, most * columns * rows),
        medians(stream, most),
        largest(stream, most),
        median(stream, most) {}
  void of(Stream& stream, const Images& images) {
    const Images out{rough.data(), columns, rows, images.count};
    BACKLIT_CUDA(cudaMemsetAsync(largest.data(), 0, largest.bytes(), stream));
    stream.launch("neighbours", tiles(out), pixel_tile, 0, roughness, images, step, out, largest.data());
    median.run(out.values, out.pixels(), images.count, medians.data());
  }
};

unsigned fetch(Stream& stream, const PoolBuffer<unsigned>& count) {
  unsigned value = 0;
  BACKLIT_CUDA(cudaMemcpyAsync(&value, count.data(), sizeof value, cudaMemcpyDeviceToHost, stream));
  stream.wait();
  return value;
}

}  // namespace

Done interpolate_defects(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  Stream& stream = views.stream();
  const Images all = views.images();
  const std::int64_t pixels = all.pixels();
  watch.begin("defects", 1, "scan");
  PoolBuffer<float> both(stream, 2 * pixels);
  PoolBuffer<unsigned> marks(stream, mark_words(pixels)), count(stream, 1);
  BACKLIT_CUDA(cudaMemsetAsync(count.data(), 0, count.bytes(), stream));
  stream.launch("means", dim3(blocks(pixels, 128)), dim3(128), 0, means, all, both.data(), both.data() + pixels);
  const Images two{both.data(), all.columns, all.rows, 2};
  Roughness roughness(stream, two, 1, 2);
  roughness.of(stream, two);
  stream.launch("mark defects", dim3(blocks(pixels, 256)), dim3(256), 0, mark_defects,
                Images{roughness.rough.data(), all.columns, all.rows, 2}, o.defects, roughness.medians.data(),
                roughness.largest.data(), marks.data(), count.data());
  const std::int64_t found = fetch(stream, count);
  if (found > 0 && found < pixels) fill_missing(stream, all, {marks.data(), 0});
  watch.end();
  return count_text(found, "pixel");
}

Done replace_zingers(CudaViews& views, const CorrectionOptions& o, const CorrectionInput&, const Watch& watch) {
  Stream& stream = views.stream();
  const Images all = views.images();
  if (all.count < 2) return count_text(0, "reading");
  const std::int64_t pixels = all.pixels(), words = mark_words(pixels), bytes = pixels * 4;
  watch.begin("zingers", all.count, "views");
  PoolBuffer<unsigned> marks(stream, words * all.count), count(stream, 1);
  BACKLIT_CUDA(cudaMemsetAsync(count.data(), 0, count.bytes(), stream));
  const std::int64_t at_once = cached(bytes, all.count);
  Roughness roughness(stream, all, noise_step(pixels), at_once);
  PoolBuffer<float> limits(stream, at_once);
  for_cached(bytes, all.count, [&](std::int64_t first, std::int64_t n) {
    roughness.of(stream, all.some(first, n));
    stream.launch("mark zingers", dim3(blocks(n, 64)), dim3(64), 0, zinger_limits, o.zingers, roughness.medians.data(),
                  roughness.largest.data(), n, limits.data());
    stream.launch("mark zingers", dim3(blocks(pixels, 1024), static_cast<unsigned>(n)), dim3(256), 0, mark_zingers, all,
                  first, o.zingers, limits.data(), marks.data(), count.data());
    watch.advance(n);
  });
  const std::int64_t found = fetch(stream, count);
  if (found > 0) fill_missing(stream, all, {marks.data(), words});
  watch.end();
  return count_text(found, "reading");
}

}  // namespace backlit::cuda
