// BACKLIT_HD marks arithmetic that the CPU reference and the CUDA kernels both compile.
#pragma once

#if defined(__CUDACC__)
#define BACKLIT_HD __host__ __device__
#else
#define BACKLIT_HD
#endif
