// Kernels that only bench and study can name.
#pragma once

#include "study/variants/register.hpp"
#if defined(BACKLIT_HAVE_CUDA)
#include "study/cuda/register.hpp"
#endif

namespace backlit::cli {

inline void register_studied_kernels() {
  register_studied_variants();
#if defined(BACKLIT_HAVE_CUDA)
  register_cuda_studies();
#endif
}

}  // namespace backlit::cli
