// Kernels of CUDA that only bench and study run.
#pragma once

namespace backlit {

/// From now on --variant of bench and study reaches them, and studies probe CUDA devices.
void register_cuda_studies();

}  // namespace backlit
