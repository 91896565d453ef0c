// The projectors of cpu and gl: one line each, and a function in the projector's folder that describes it.
#pragma once

#include <backlit/projectors/projector.hpp>

#define BACKLIT_PROJECTORS(of)                                                                            \
  of(voxel_driven_cpu) of(joseph_cpu) of(raycast_cpu) of(siddon_cpu) of(blob_cpu) of(distance_driven_cpu) \
      of(emission_cpu) of(lines_of_response_cpu) of(sart_in_place_cpu) of(voxel_driven_gl) of(joseph_gl)  \
          of(raycast_gl) of(siddon_gl) of(blob_gl) of(branchless_dd_gl) of(emission_gl) of(lines_of_response_gl)

namespace backlit {

#define BACKLIT_DECLARE(projector) ProjectorInfo projector();
BACKLIT_PROJECTORS(BACKLIT_DECLARE)
#undef BACKLIT_DECLARE

}  // namespace backlit
