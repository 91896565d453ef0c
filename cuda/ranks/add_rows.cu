#include "cuda/ranks/row_link.hpp"

namespace backlit::cuda {
namespace {

__global__ void sum_parts(float* images, std::int64_t columns, std::int64_t rows, std::int64_t values,
                          const RankRows* parts, int count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= values) return;
  const std::int64_t row = i / columns % rows, view = i / columns / rows;
  const float own = images[i];
  float sum = 0;
  for (int p = 0; p < count; ++p) {
    const RankRows part = parts[p];
    if (!part.data)
      sum += own;
    else if (row >= part.rows.first && row < part.rows.first + part.rows.count)
      sum += part.data[(view * part.rows.count + row - part.rows.first) * columns + i % columns];
  }
  images[i] = sum;
}

}  // namespace

void add_rows(Stream& stream, float* images, std::int64_t columns, std::int64_t rows, std::int64_t views,
              const RankRows* parts, int count) {
  constexpr int block = 256;
  const std::int64_t values = columns * rows * views;
  stream.launch("add rows of other ranks", blocks(values, block), block, 0, sum_parts, images, columns, rows, values,
                parts, count);
}

}  // namespace backlit::cuda
