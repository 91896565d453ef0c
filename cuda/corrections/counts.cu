#include "cuda/corrections/counts.hpp"
#include "cuda/filter/weigh.cuh"

namespace backlit::cuda {
namespace {

__global__ void integrals(Counts counts, FilterRows size, int first, Images out) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), row = static_cast<int>(blockIdx.y),
            view = static_cast<int>(blockIdx.z);
  if (column < out.columns) out.image(view)[row * out.columns + column] = counts(view, first + view, row, column, size);
}

}  // namespace

void integrals_of(Stream& stream, const std::uint16_t* counts, const CountTables& tables, std::int64_t first,
                  const Images& out) {
  const FilterRows size{out.rows, out.columns, 0, out.columns, 0};
  const dim3 grid(blocks(out.columns, 128), static_cast<unsigned>(out.rows), static_cast<unsigned>(out.count));
  stream.launch("counts", grid, dim3(128), 0, integrals, Counts{counts, tables}, size, static_cast<int>(first), out);
}

}  // namespace backlit::cuda
