// CUDA kernels that only bench and study run.
#pragma once

namespace backlit {

/// Makes these kernels available to --variant of bench and study, and lets studies probe CUDA devices.
void register_cuda_studies();

}  // namespace backlit
