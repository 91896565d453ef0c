// Instructions without names in CUDA C++; study/orbit_lines/matrix_fragment.hpp shows which lane holds which values.
#pragma once

#include <cuda.h>
#include <cuda_fp16.h>

#include <cstdint>

/// Whether the compiled device code has these instructions: the last of them came with compute capability 9.0.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define BACKLIT_TENSOR_CORES 1
#else
#define BACKLIT_TENSOR_CORES 0
#endif

namespace backlit::cuda {

/// Makes a barrier in shared memory, aligned to 8 bytes. Its phase ends after `arrivals` arrivals and when all
/// announced bytes have been copied.
__device__ inline void make_barrier(unsigned barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
/// Orders this thread's writes to shared memory, barriers included, before copies that others start after the block's
/// next __syncthreads().
__device__ inline void before_copies() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void arrive(unsigned barrier, int bytes_to_come) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes_to_come) : "memory");
}
/// Waits until the phase of this parity has ended. Phases count from 0.
__device__ inline void wait(unsigned barrier, int parity) {
  unsigned ended;
  do {
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(ended)
                 : "r"(barrier), "r"(parity)
                 : "memory");
  } while (!ended);
}
/// Copies the map's box at (x, y, z) to shared memory, aligned to 128 bytes, in the background; zeros outside the map.
__device__ inline void copy_box(unsigned to, const CUtensorMap& from, int x, int y, int z, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], "
      "[%5];" ::"r"(to),
      "l"(&from), "r"(x), "r"(y), "r"(z), "r"(barrier)
      : "memory");
}

/// Reads 16 bytes of shared memory at each call: values derived from them are then not kept in registers from one
/// iteration of a loop to the next.
__device__ inline uint4 read_anew(const void* from) {
  uint4 v;
  asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from)))
               : "memory");
  return v;
}

/// Loads A into four registers from four transposed 8 x 8 matrices in shared memory.
__device__ inline void load_transposed(unsigned (&a)[4], unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(from)
               : "memory");
}

/// D += A B.
__device__ inline void multiply_add(float (&d)[4], const unsigned (&a)[4], __half2 b0, __half2 b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(reinterpret_cast<unsigned&>(b0)),
        "r"(reinterpret_cast<unsigned&>(b1)));
}

/// max(0, 1 - |x|) of both halves, for |x| not too large.
__device__ inline __half2 hat(__half2 x) {
  return __hadd2_sat(__half2half2(__ushort_as_half(0x3c00)), __hneg2(__habs2(x)));
}

}  // namespace backlit::cuda
