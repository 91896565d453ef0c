// Bitonic sort (Batcher 1968), a block a column: 16 readings a thread in registers. Near ones are exchanged within the
// thread, others within the warp, the farthest through shared memory.
#include "cuda/corrections/float_order.cuh"
#include "cuda/corrections/sinogram.hpp"

namespace backlit::cuda {
namespace {

constexpr int per_thread = 16, most_threads = 1024;
using Key = unsigned long long;  ///< a reading in the upper half, its view in the lower

__device__ __forceinline__ void exchange(Key& a, Key& b, bool ascending) {
  const bool swap = (a > b) == ascending;
  const Key low = swap ? b : a;
  b = swap ? a : b;
  a = low;
}

/// Of places `stride` apart, both in this thread. Place i of the thread is place 16 t + i of the column.
template <int stride>
__device__ __forceinline__ void in_thread(Key (&a)[per_thread], int first, int size) {
#pragma unroll
  for (int i = 0; i < per_thread; ++i)
    if ((i & stride) == 0) exchange(a[i], a[i + stride], ((first + i) & size) == 0);
}

template <int stride>
__device__ __forceinline__ void down_from(Key (&a)[per_thread], int first, int size) {
  in_thread<stride>(a, first, size);
  if constexpr (stride > 1) down_from<stride / 2>(a, first, size);
}

__global__ void __launch_bounds__(most_threads) sort(Sinograms s, std::uint16_t* order) {
  extern __shared__ Key room[];
  const int t = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x), n = per_thread * threads;
  float* const column = s.line(blockIdx.y, blockIdx.x);
  Key a[per_thread];
#pragma unroll
  for (int i = 0; i < per_thread; ++i) {
    const int view = i * threads + t;
    a[i] = view < s.readings ? Key{in_order(column[view])} << 32 | static_cast<unsigned>(view) : ~Key{0};
  }
  const int first = per_thread * t;
  down_from<1>(a, first, 2);
  down_from<2>(a, first, 4);
  down_from<4>(a, first, 8);
  down_from<8>(a, first, 16);
  for (int size = 2 * per_thread; size <= n; size *= 2) {
    const bool ascending = (first & size) == 0;
    for (int stride = size / 2; stride >= per_thread; stride /= 2) {
      const int other = stride / per_thread;  // the distance in threads
      const bool small = ((t & other) == 0) == ascending;
      if (other >= 32) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < per_thread; ++i) room[i * threads + t] = a[i];
        __syncthreads();
      }
#pragma unroll
      for (int i = 0; i < per_thread; ++i) {
        const Key b = other >= 32 ? room[i * threads + (t ^ other)] : __shfl_xor_sync(0xffffffffu, a[i], other);
        a[i] = (a[i] < b) == small ? a[i] : b;
      }
    }
    down_from<per_thread / 2>(a, first, size);
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < per_thread; ++i) room[(per_thread + 1) * t + i] = a[i];  // a gap against conflicts of banks
  __syncthreads();
  std::uint16_t* const views = order + (column - s.values);
  for (int i = t; i < s.readings; i += threads) {
    const Key key = room[i + i / per_thread];
    column[i] = from_order(static_cast<unsigned>(key >> 32));
    views[i] = static_cast<std::uint16_t>(key);
  }
}

int threads_for(std::int64_t readings) {
  int threads = 32;
  while (per_thread * threads < readings) threads *= 2;
  return threads;
}

std::size_t room_for(int threads) { return static_cast<std::size_t>(per_thread + 1) * threads * sizeof(Key); }

}  // namespace

bool sorts(std::int64_t readings) {
  if (readings > per_thread * most_threads) return false;
  int device = 0, most = 0;
  BACKLIT_CUDA(cudaGetDevice(&device));
  BACKLIT_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return room_for(threads_for(readings)) <= static_cast<std::size_t>(most);
}

void sort_columns(Stream& stream, const Sinograms& s, std::uint16_t* order) {
  const int threads = threads_for(s.readings);
  const std::size_t room = room_for(threads);
  if (room > 40 * 1024)  // of 48 KiB, with what kernels declare
    BACKLIT_CUDA(cudaFuncSetAttribute(sort, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(room)));
  stream.launch("sort", dim3(static_cast<unsigned>(s.columns), static_cast<unsigned>(s.rows)),
                dim3(static_cast<unsigned>(threads)), room, sort, s, order);
}

}  // namespace backlit::cuda
