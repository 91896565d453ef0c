// A block has a tile of orbits and some slices of the upper half. A warp has some of these columns; their sums stay in
// registers: up to 16 units of 128 voxels, four of each unit in a lane. The loop runs over groups of views and the
// orbits' four points. Two instructions copy the block's window of the detector to shared memory, while the block works
// on the previous windows.
//
// A unit of work is 128 updates: the interpolation of eight slices of a column for 16 lines. Matrix A (16 x 16) has the
// values of eight rows of two detector columns for 16 lines, as ldmatrix reads them. Matrix B (16 x 8) has the slices'
// weights for these, computed each time. A weight is a hat function along the rows times the column's share and FDK's
// weight.
#include <algorithm>
#include <cstdint>
#include <utility>

#include <backlit/core/error.hpp>
#include "cuda/voxel_driven/device.cuh"
#include "study/cuda/orbit_mma.hpp"
#include "study/cuda/tensor_core.cuh"
#include "study/orbit_lines/matrix_fragment.hpp"

namespace backlit::cuda {
namespace {

constexpr int warps = 16, most_batch = 8;
constexpr int texel_bytes = sizeof(LineTexel);
constexpr int header = 8;  // texels: row counts and barriers of both stages
static_assert(header * texel_bytes >= 2 * (most_batch * sizeof(int) + sizeof(std::uint64_t)));
constexpr int copied_at = 8;  // alignment of windows in texels

#if BACKLIT_TENSOR_CORES
/// A column of the tile in one view, prepared for the inner loop.
struct alignas(16) Sampled {
  unsigned at;     ///< shared memory address of its left texel in window row 0, less offset_of_zero
  __half2 shares;  ///< weights of the left and right column, times FDK's weight
  float row, step;
};

/// Leaves the whole part of x >= 0 in the low bits of a float: adding 2^23 removes the fraction.
constexpr float whole_bits = 0x1p23f;
__device__ inline float with_whole_bits(float x) { return __fadd_rd(x, whole_bits); }
__device__ inline unsigned row_offset(float with_bits) { return __float_as_uint(with_bits) << 4; }
__device__ inline unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
/// Makes the compiler keep a sum: otherwise it would split the sum and add its parts to the offset of every row.
__device__ inline void keep(unsigned& sum) { asm("" : "+r"(sum)); }
constexpr unsigned offset_of_zero = 0x4b000000u << 4;  // wraps around, like the sum that it is subtracted from
static_assert(texel_bytes == 1 << 4);

struct Stage {
  unsigned barrier;   ///< completes when the copies have arrived
  int* rows;          ///< [group]: line_rows() of the tile; 0 if none of its rows is visible
  Sampled* sampled;   ///< [group][column]
  LineTexel* texels;  ///< [group][side][column][row]
};

__device__ inline LineWindow window_of(const LineScan& s, const LineSetup& setup, float2 d, const LineTile& tile, int j,
                                       int lane) {
  const LineWindow w = line_corner(s, d.x, d.y, tile, j, lane & 3);
  const int column = __reduce_min_sync(~0u, w.column), row = __reduce_min_sync(~0u, w.row);
  return {column, row, min(__reduce_max_sync(~0u, w.column + w.columns) - column, setup.columns),
          min(__reduce_max_sync(~0u, w.row + w.rows) - row, setup.rows),
          __int_as_float(__reduce_max_sync(~0u, __float_as_int(w.step)))};  // positive floats compare like their bits
}

/// Starts the copies of a batch of groups, and computes their columns. Each group is the task of some warps.
__device__ inline void fill(const Stage& stage, const CUtensorMap& lines, const LineScan& s, const LineSetup& setup,
                            const OrbitGroups& groups, const LineTile& tile, int j, int first, bool weighted) {
  const int lane = threadIdx.x % 32, sharers = warps / setup.batch;
  const int of_batch = threadIdx.x / 32 / sharers, part = threadIdx.x / 32 % sharers, group = first + of_batch;
  const bool copies = part == 0 && lane == 0;
  const LineWindow w = window_of(s, setup, groups.direction[min(group, groups.count - 1)], tile, j, lane);
  const bool seen = group < groups.count && w.row < s.stored_rows && w.row + w.rows > 0 &&
                    w.column < s.stored_columns && w.column + w.columns > 0;
  if (copies) {
    stage.rows[of_batch] = seen ? static_cast<int>(ceilf(line_rows(w.step))) : 0;
    arrive(stage.barrier, seen ? 2 * setup.columns * setup.rows * texel_bytes : 0);
  }
  if (!seen) return;
  LineTexel* const texels = stage.texels + of_batch * 2 * setup.texels;
  if (copies)
    for (int side = 0; side < 2; ++side)
      copy_box(shared_address(texels + side * setup.texels), lines, 2 * w.row, w.column,
               2 * (groups.first_layer + group) + side, stage.barrier);
  const float2 d = groups.direction[group];
  const int columns = tile.side * tile.side;
  for (int c = 32 * part + lane; c < columns; c += 32 * sharers) {
    const LineColumn l = line_column(s, d.x, d.y, tile, w, c, j);
    const float weight = weighted ? l.weight : 1.0f;
    stage.sampled[of_batch * columns + c] = {shared_address(texels + l.column * setup.rows) - offset_of_zero,
                                             __floats2half2_rn(weight * (1 - l.share), weight * l.share), l.row,
                                             l.step};
  }
}

__device__ inline Sampled read_column(const Sampled* from) {
  const uint4 v = read_anew(from);
  return {v.x, reinterpret_cast<const __half2&>(v.y), __uint_as_float(v.z), __uint_as_float(v.w)};
}

/// Adds one group's contribution to a column's sums, from rows low to low + 7 of those that a unit's eight slices
/// reach.
template <int units>
__device__ inline void add_column(float (&sum)[units][4], const Sampled& c, unsigned lane_at, int lane, int low) {
  const MatrixPlace b = fragment_b(lane, 0, 0);
  const __half2 left = __low2half2(c.shares), right = __high2half2(c.shares);
  const float slope = line_slope(c.step, b.column, b.row + low);
  const __half2 slopes = __floats2half2_rn(slope, slope - 1);
  unsigned at = c.at + lane_at + low * texel_bytes;
  keep(at);
#pragma unroll
  for (int unit = 0; unit < units; ++unit) {
    const float row = fmaf(c.step, 8 * unit, c.row), lower = with_whole_bits(row);
    const __half2 weights = hat(__hadd2(__float2half2_rn(row - (lower - whole_bits)), slopes));
    unsigned a[4];
    load_transposed(a, at + row_offset(lower));
    multiply_add(sum[unit], a, __hmul2(weights, left), __hmul2(weights, right));
  }
}

#endif  // BACKLIT_TENSOR_CORES

/// Channel c of point j belongs to voxel (j + c) mod 4: before the next point, each lane takes the sums of its
/// neighbour.
template <int columns, int units>
__device__ inline void turn(float (&sum)[columns][units][4], int lane) {
  const int from = (lane & 16) | ((lane + 4) & 15);
#pragma unroll
  for (auto& column : sum)
#pragma unroll
    for (auto& unit : column)
#pragma unroll
      for (float& x : unit) x = __shfl_sync(~0u, x, from);
}

/// Writes through shared memory, so that adjacent voxels of a row are written together.
constexpr int exchange_stride(int side) { return side * side + 1; }
constexpr std::size_t exchange_bytes(int side) { return sizeof(float) * 16 * 8 * exchange_stride(side); }
template <int side, int columns, int units>
__device__ inline void write(float* exchange, const float (&sum)[columns][units][4], const LineTile& tile,
                             const VolumeSlab& slab, float unit_value) {
  constexpr int stride = exchange_stride(side), in_slice = side * side;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int unit = 0; unit < units; ++unit) {
    __syncthreads();
#pragma unroll
    for (int c = 0; c < columns; ++c)
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        const MatrixPlace d = fragment_d(lane, r);
        exchange[(d.row * 8 + d.column) * stride + columns * warp + c] = sum[c][unit][r];
      }
    __syncthreads();
    for (int i = threadIdx.x; i < 16 * 8 * in_slice; i += blockDim.x) {
      const int line = i / (8 * in_slice), slice = i / in_slice % 8, at = i % in_slice;
      // At points 0 and 2, p runs along x; at points 1 and 3, q does.
      const int p = line & 1 ? at / side : at % side, q = line & 1 ? at % side : at / side;
      LineVoxel to;
      if (!line_voxel(tile.p + p, tile.q + q, tile.first + 8 * unit + slice, line, slab.nx, slab.nz, to)) continue;
      float* const voxel = slab.voxels + (std::int64_t{to.k} * slab.nx + to.j) * slab.nx + to.i;
      const float value = unit_value * exchange[(line * 8 + slice) * stride + q * side + p];
      *voxel = slab.accumulate ? *voxel + value : value;
    }
  }
}

/// The kernel is empty in code for older cards; require_tensor_cores() refuses those.
template <int side, int units>
__global__ void __launch_bounds__(32 * warps, 1)
    orbit_mma(__grid_constant__ const CUtensorMap lines, const float* __restrict__ unit, bool weighted,
              __grid_constant__ const LineScan s, __grid_constant__ const LineSetup setup,
              __grid_constant__ const OrbitGroups groups, __grid_constant__ const VolumeSlab slab) {
#if BACKLIT_TENSOR_CORES
  constexpr int in_tile = side * side, columns = in_tile / warps;
  extern __shared__ __align__(128) LineTexel shared[];
  const LineTile tile{static_cast<int>(blockIdx.x) * side, static_cast<int>(blockIdx.y) * side,
                      static_cast<int>(blockIdx.z) * 8 * units, side, 8 * units};
  if (tile.q > tile.p) return;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // Rows past a window's end are read with weight 0, so they must not hold NaN: clear the memory.
  for (std::size_t i = threadIdx.x; i < setup.bytes / texel_bytes; i += blockDim.x) shared[i] = {};
  __syncthreads();
  auto* const barriers = reinterpret_cast<std::uint64_t*>(shared);
  if (threadIdx.x < 2) make_barrier(shared_address(barriers + threadIdx.x), setup.batch);
  before_copies();
  __syncthreads();
  const auto stage = [&](int n) {
    const int which = n & 1, sampled = setup.batch * in_tile;
    return Stage{shared_address(barriers + which), reinterpret_cast<int*>(barriers + 2) + which * most_batch,
                 reinterpret_cast<Sampled*>(shared + header) + which * sampled,
                 shared + header + 2 * sampled + which * setup.batch * 2 * setup.texels};
  };
  const int batches = (groups.count + setup.batch - 1) / setup.batch;
  const auto fill_batch = [&](int n) {
    if (n < 4 * batches)
      fill(stage(n), lines, s, setup, groups, tile, n / batches, n % batches * setup.batch, weighted);
  };
  // Address of this lane's row of A: matrix lane / 8 is of side 0, 1 in the left column, then in the right one.
  unsigned lane_at = texel_bytes * ((lane >> 3 & 1) * setup.texels + (lane >> 4) * setup.rows + (lane & 7));
  keep(lane_at);
  float sum[columns][units][4] = {};
  fill_batch(0);
#pragma unroll 1
  for (int n = 0; n < 4 * batches; ++n) {
    __syncthreads();  // data of fill_batch(n) are visible, and the other stage is free
    fill_batch(n + 1);
    const Stage now = stage(n);
    wait(now.barrier, n >> 1 & 1);
    const int count = min(setup.batch, groups.count - n % batches * setup.batch);
#pragma unroll 1
    for (int g = 0; g < count; ++g) {
      const Sampled* const sampled = now.sampled + g * in_tile + columns * warp;
      const int rows = now.rows[g];
#pragma unroll 1
      for (int low = 0; low < rows; low += 8)
#pragma unroll
        for (int c = 0; c < columns; ++c) add_column(sum[c], read_column(sampled + c), lane_at, lane, low);
    }
    if ((n + 1) % batches == 0) turn(sum, lane);
  }
  write<side>(reinterpret_cast<float*>(shared + header), sum, tile, slab, *unit);
#endif
}

__global__ void pack(const float* __restrict__ views, int columns, int rows, const int* __restrict__ order,
                     __grid_constant__ const LineScan s, __grid_constant__ const LineSources from,
                     const float* __restrict__ unit, LineTexel* lines) {
  const int column = blockIdx.x * 8 + threadIdx.x % 8, row = blockIdx.y * 32 + threadIdx.x / 8, image = blockIdx.z;
  if (column >= s.stored_columns || row >= s.stored_rows) return;
  const float per_unit = 1.0f / *unit;
  alignas(LineTexel) __half values[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const LinePixel at = line_pixel(from, image & 1, i >> 2, column, row);
    const bool inside = at.column >= 0 && at.column < columns && at.row >= 0 && at.row < rows;
    const std::int64_t view = order[4 * image + (i & 3)];
    values[i] = __float2half_rn(inside ? per_unit * views[(view * rows + at.row) * columns + at.column] : 0.0f);
  }
  lines[(std::int64_t{image} * s.stored_columns + column) * s.stored_rows + row] =
      reinterpret_cast<const LineTexel&>(values);
}

}  // namespace

void pack_lines(Stream& stream, const float* views, const Detector& d, const int* order, int groups, const LineScan& s,
                const LineSources& from, const float* unit, LineTexel* lines) {
  const dim3 grid(blocks(s.stored_columns, 8), blocks(s.stored_rows, 32), 2u * static_cast<unsigned>(groups));
  stream.launch("pack lines", grid, dim3(256), 0, pack, views, static_cast<int>(d.columns), static_cast<int>(d.rows),
                order, s, from, unit, lines);
}

std::size_t require_tensor_cores() {
  cudaFuncAttributes code{};
  BACKLIT_CUDA(cudaFuncGetAttributes(&code, orbit_mma<8, 4>));
  if (code.ptxVersion < 90)
    throw Unsupported("variant orbit_mma", "needs compute capability 9.0", "use --variant orbit");
  int device = 0, bytes = 0;
  BACKLIT_CUDA(cudaGetDevice(&device));
  BACKLIT_CUDA(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return static_cast<std::size_t>(bytes);
}

LineSetup choose_setup(const OrbitLines& lines, std::int64_t slices_of_grid, std::size_t most_bytes) {
  constexpr int past_the_end = 16;  // texels read with weight 0
  constexpr int most_copied = 256;  // limit of one instruction along each axis; texels count twice along the rows
  for (const auto& [side, slices] : {std::pair{8, 32}, {16, 8}, {8, 16}}) {
    const LineRoom room = line_room(lines, side, slices, static_cast<int>((slices_of_grid + 1) / 2));
    for (const int batch : {8, 4, 2, 1}) {
      const int window = (room.columns * room.rows + copied_at - 1) / copied_at * copied_at;
      const auto texels = static_cast<std::size_t>(2 * batch * (side * side + 2 * window) + past_the_end);
      const std::size_t bytes = header * texel_bytes + std::max(texels * texel_bytes, exchange_bytes(side));
      if (bytes <= most_bytes && room.columns <= most_copied && 2 * room.rows <= most_copied)
        return {side, slices, batch, room.columns, room.rows, window, bytes};
    }
  }
  throw Unsupported("variant orbit_mma", "what 8 x 8 x 16 voxels fall on exceeds a multiprocessor's shared memory",
                    "use --variant orbit");
}

namespace {

/// The map's elements: two values for each texel along the rows, then columns, then images. Boxes are windows.
CUtensorMap map_of(const LineTexel* lines, int groups, const LineScan& s, const LineSetup& setup) {
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
  BACKLIT_CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
#else
  BACKLIT_CUDA(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &encode, cudaEnableDefault, &found));
#endif
  const auto rows = static_cast<cuuint64_t>(s.stored_rows), columns = static_cast<cuuint64_t>(s.stored_columns);
  const cuuint64_t size[]{2 * rows, columns, 2 * static_cast<cuuint64_t>(groups)};
  const cuuint64_t strides[]{texel_bytes * rows, texel_bytes * rows * columns};
  const cuuint32_t box[]{2 * static_cast<cuuint32_t>(setup.rows), static_cast<cuuint32_t>(setup.columns), 1};
  const cuuint32_t each[]{1, 1, 1};
  CUtensorMap map;
  if (found != cudaDriverEntryPointSuccess ||
      reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
          &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 3, const_cast<LineTexel*>(lines), size, strides, box, each,
          CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
          CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    throw Unsupported("variant orbit_mma", "the driver does not describe packed views to the device",
                      "use --variant orbit");
  return map;
}

}  // namespace

void backproject_lines(Stream& stream, const LineTexel* lines, const float* unit, bool weighted, const LineScan& s,
                       const LineSetup& setup, const OrbitGroups& groups, const VolumeSlab& slab) {
  const CUtensorMap map = map_of(lines, groups.first_layer + groups.count, s, setup);
  const unsigned tiles = blocks(s.side, setup.side);
  const dim3 grid(tiles, tiles, blocks((slab.nz + 1) / 2, setup.slices));
  const auto run = [&](auto kernel) {
    BACKLIT_CUDA(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(setup.bytes)));
    stream.launch("backproject orbit mma", grid, dim3(32 * warps), setup.bytes, kernel, map, unit, weighted, s, setup,
                  groups, slab);
  };
  if (setup.side == 16)
    run(orbit_mma<16, 1>);
  else
    setup.slices == 32 ? run(orbit_mma<8, 4>) : run(orbit_mma<8, 2>);
}

}  // namespace backlit::cuda
