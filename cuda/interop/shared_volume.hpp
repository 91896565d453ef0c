// Volumes of the CUDA backend in OpenGL's textures, without a detour through the host where CUDA can map them.
#pragma once

#include <functional>
#include <memory>

#include "cuda/interop/shared_gl.hpp"

namespace backlit::cuda {

/// Makes an array texture known to CUDA; throws Failure where it cannot be.
using ShareTexture = std::function<std::unique_ptr<SharedTexture>(const gl::Texture&)>;
std::unique_ptr<SharedTexture> share_array_texture(const gl::Texture&);

/// Makes GlDisplayVolume take arrays of this backend. Where OpenGL runs on another GPU, or the driver cannot share,
/// they go through the host, which is said once.
void register_shared_volumes(ShareTexture share = share_array_texture);

}  // namespace backlit::cuda
