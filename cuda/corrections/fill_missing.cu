#include <vector>

#include "cuda/corrections/fill_missing.hpp"
#include "cuda/shared/pool_buffer.hpp"

namespace backlit::cuda {
namespace {

/// Marked pixels become the mean of their good neighbours. `left`: marks of those that have none.
__global__ void fill_fringe(Images images, Marks marks, unsigned* left, std::int64_t words, unsigned* any_left) {
  const std::int64_t word = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, n = blockIdx.y;
  if (word >= words) return;
  unsigned rest = marks.bits[n * marks.stride + word], unfilled = 0;
  float* const image = images.image(n);
  for (; rest; rest &= rest - 1) {
    const int bit = __ffs(static_cast<int>(rest)) - 1;
    const auto pixel = static_cast<int>(32 * word + bit), row = pixel / images.columns, column = pixel % images.columns;
    double sum = 0;
    int known = 0;
    for (int r = max(0, row - 1); r < min(images.rows, row + 2); ++r)
      for (int c = max(0, column - 1); c < min(images.columns, column + 2); ++c)
        if (const int q = r * images.columns + c; !marks.at(n, q)) {
          sum += static_cast<double>(image[q]);
          ++known;
        }
    if (known > 0)
      image[pixel] = static_cast<float>(sum / known);
    else
      unfilled |= 1u << bit;
  }
  left[n * words + word] = unfilled;
  if (unfilled) *any_left = 1;
}

/// A level of the pyramid of one image: pixels half as fine as the level before. NaN: not known.
struct Level {
  float* values;
  int columns, rows;
  __device__ float* image(std::int64_t n) const { return values + n * columns * rows; }
};

/// The finest level: the image itself, but for the pixels that are left.
struct Finest {
  Images images;
  Marks left;
  int columns, rows;
  __device__ bool known(std::int64_t n, int row, int column, float* value) const {
    const int pixel = row * columns + column;
    *value = images.image(n)[pixel];
    return !left.at(n, pixel);
  }
};
struct Finer {
  Level level;
  int columns, rows;
  __device__ bool known(std::int64_t n, int row, int column, float* value) const {
    *value = level.image(n)[row * columns + column];
    return !isnan(*value);
  }
};

template <class Fine>
__global__ void halve(Fine fine, Level coarse) {
  const int pixel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (pixel >= coarse.columns * coarse.rows) return;
  const int row = pixel / coarse.columns, column = pixel % coarse.columns;
  double sum = 0;
  int known = 0;
  for (int r = 2 * row; r < min(fine.rows, 2 * row + 2); ++r)
    for (int c = 2 * column; c < min(fine.columns, 2 * column + 2); ++c)
      if (float value; fine.known(blockIdx.y, r, c, &value)) {
        sum += static_cast<double>(value);
        ++known;
      }
  coarse.image(blockIdx.y)[pixel] = known > 0 ? static_cast<float>(sum / known) : nanf("");
}

/// Bilinear at a pixel of the level twice as fine.
__device__ float at_finer(const float* coarse, const Level& size, int row, int column) {
  const auto other = [](int fine, int n) {
    const int at = fine % 2 == 0 ? fine / 2 - 1 : fine / 2 + 1;
    return min(max(at, 0), n - 1);
  };
  const auto value = [&](int r, int c) {
    const float v = coarse[r * size.columns + c];
    return isnan(v) ? 0.0f : v;  // of an image without a good pixel
  };
  const int r0 = row / 2, r1 = other(row, size.rows), c0 = column / 2, c1 = other(column, size.columns);
  return 0.5625f * value(r0, c0) + 0.1875f * (value(r0, c1) + value(r1, c0)) + 0.0625f * value(r1, c1);
}

__global__ void complete(Level fine, Level coarse) {
  const int pixel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (pixel >= fine.columns * fine.rows) return;
  float* const value = fine.image(blockIdx.y) + pixel;
  if (isnan(*value)) *value = at_finer(coarse.image(blockIdx.y), coarse, pixel / fine.columns, pixel % fine.columns);
}

__global__ void complete_finest(Finest fine, Level coarse) {
  const int pixel = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (pixel >= fine.columns * fine.rows || !fine.left.at(blockIdx.y, pixel)) return;
  fine.images.image(blockIdx.y)[pixel] =
      at_finer(coarse.image(blockIdx.y), coarse, pixel / fine.columns, pixel % fine.columns);
}

/// Fills what is left from coarser pixels.
void fill_from_coarser(Stream& stream, const Images& images, const Marks& left) {
  const Finest finest{images, left, images.columns, images.rows};
  std::vector<PoolBuffer<float>> memory;
  std::vector<Level> levels;
  const auto grid = [&](int columns, int rows) {
    return dim3(blocks(std::int64_t{columns} * rows, block_threads), static_cast<unsigned>(images.count));
  };
  for (int columns = images.columns, rows = images.rows; columns * rows > 1;) {
    columns = (columns + 1) / 2;
    rows = (rows + 1) / 2;
    const Level level{memory.emplace_back(stream, images.count * columns * rows).data(), columns, rows};
    if (levels.empty())
      stream.launch("fill", grid(columns, rows), dim3(block_threads), 0, halve<Finest>, finest, level);
    else
      stream.launch("fill", grid(columns, rows), dim3(block_threads), 0, halve<Finer>,
                    Finer{levels.back(), levels.back().columns, levels.back().rows}, level);
    levels.push_back(level);
  }
  if (levels.empty()) return;
  for (std::size_t i = levels.size() - 1; i-- > 0;)
    stream.launch("fill", grid(levels[i].columns, levels[i].rows), dim3(block_threads), 0, complete, levels[i],
                  levels[i + 1]);
  stream.launch("fill", grid(images.columns, images.rows), dim3(block_threads), 0, complete_finest, finest, levels[0]);
}

}  // namespace

void fill_missing(Stream& stream, const Images& images, const Marks& marks) {
  const std::int64_t words = mark_words(images.pixels()), most = 32768;  // most: limit of a kernel grid's second side
  PoolBuffer<unsigned> left(stream, words * images.count), any(stream, 1);
  BACKLIT_CUDA(cudaMemsetAsync(any.data(), 0, sizeof(unsigned), stream));
  for (std::int64_t first = 0; first < images.count; first += most) {
    const std::int64_t n = std::min(most, images.count - first);
    stream.launch("fill", dim3(blocks(words, 128), static_cast<unsigned>(n)), dim3(128), 0, fill_fringe,
                  images.some(first, n), Marks{marks.bits + first * marks.stride, marks.stride},
                  left.data() + first * words, words, any.data());
  }
  unsigned some = 0;
  BACKLIT_CUDA(cudaMemcpyAsync(&some, any.data(), sizeof some, cudaMemcpyDeviceToHost, stream));
  stream.wait();
  if (some == 0) return;
  for_cached(images.pixels() * 4, images.count, [&](std::int64_t first, std::int64_t n) {
    fill_from_coarser(stream, images.some(first, n), {left.data() + first * words, words});
  });
}

}  // namespace backlit::cuda
