// Volumes of the CUDA backend in OpenGL's textures, without a detour through the host where CUDA can map them.
#pragma once

namespace backlit::cuda {

/// Makes GlDisplayVolume take arrays of this backend. Where OpenGL runs on another GPU, or the driver cannot share,
/// they go through the host, which is said once.
void register_shared_volumes();

}  // namespace backlit::cuda
