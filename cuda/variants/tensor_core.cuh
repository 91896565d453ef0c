// Instructions that CUDA C++ has no name for; see projector/matrix_fragment.hpp for who holds what.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

/// Whether these instructions exist where device code is compiled for: compute capability 8.0 brought them.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define BACKLIT_TENSOR_CORES 1
#else
#define BACKLIT_TENSOR_CORES 0
#endif

namespace backlit::cuda {

/// Copies 16 bytes to shared memory in the background; zeros, and `from` is not read, where they do not exist.
__device__ inline void copy_16(unsigned to, const void* from, bool exists) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(exists ? 16 : 0));
}
__device__ inline void end_of_copies() { asm volatile("cp.async.commit_group;"); }
/// All but the last `pending` groups of copies of this thread have arrived.
template <int pending>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

/// 16 bytes of shared memory, read anew wherever this stands: what follows from them is then not kept in registers from
/// one round of a loop to the next.
__device__ inline uint4 read_anew(const void* from) {
  uint4 v;
  asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from)))
               : "memory");
  return v;
}

/// A in four registers from four transposed 8 x 8 matrices in shared memory.
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

/// max(0, 1 - |x|) of both, for |x| not too large.
__device__ inline __half2 hat(__half2 x) {
  return __hadd2_sat(__half2half2(__ushort_as_half(0x3c00)), __hneg2(__habs2(x)));
}

}  // namespace backlit::cuda
