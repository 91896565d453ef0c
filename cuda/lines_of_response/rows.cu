#include "cuda/lines_of_response/project.hpp"

namespace backlit::cuda {
namespace {

constexpr int row_threads = 512;

__global__ void take_rows_kernel(RowsOf rows, const float* all, float* y, bool accumulate) {
  const std::int64_t i = blockIdx.x * std::int64_t{row_threads} + threadIdx.x;
  if (i >= rows.count) return;
  const std::int64_t row = rows.first + i * rows.stride;
  float& to = y[rows.compact ? i : row];
  to = accumulate ? to + all[row] : all[row];
}

__global__ void spread_rows_kernel(RowsOf rows, const float* y, float* all) {
  const std::int64_t i = blockIdx.x * std::int64_t{row_threads} + threadIdx.x;
  if (i >= rows.count) return;
  const std::int64_t row = rows.first + i * rows.stride;
  all[row] = y[rows.compact ? i : row];
}

}  // namespace

void take_rows(Stream& stream, const RowsOf& rows, const float* all, float* y, bool accumulate) {
  if (rows.count > 0)
    stream.launch("take rows", blocks(rows.count, row_threads), row_threads, 0, take_rows_kernel, rows, all, y,
                  accumulate);
}

void spread_rows(Stream& stream, const RowsOf& rows, const float* y, float* all, std::int64_t count) {
  BACKLIT_CUDA(cudaMemsetAsync(all, 0, static_cast<std::size_t>(count) * sizeof(float), stream));
  if (rows.count > 0)
    stream.launch("spread rows", blocks(rows.count, row_threads), row_threads, 0, spread_rows_kernel, rows, y, all);
}

}  // namespace backlit::cuda
