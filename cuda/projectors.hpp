// The projectors of CUDA: one line each, and a function in the projector's folder that describes it.
#pragma once

#include <backlit/projectors/projector.hpp>

#define BACKLIT_CUDA_PROJECTORS(of)                                                                      \
  of(voxel_driven_cuda) of(joseph_cuda) of(raycast_cuda) of(distance_driven_cuda) of(branchless_dd_cuda) \
      of(lines_of_response_cuda) of(sart_in_place_cuda)

namespace backlit::cuda {

#define BACKLIT_DECLARE(projector) ProjectorInfo projector();
BACKLIT_CUDA_PROJECTORS(BACKLIT_DECLARE)
#undef BACKLIT_DECLARE

inline void register_projectors() {
#define BACKLIT_REGISTER(projector) register_projector(projector());
  BACKLIT_CUDA_PROJECTORS(BACKLIT_REGISTER)
#undef BACKLIT_REGISTER
}

}  // namespace backlit::cuda
