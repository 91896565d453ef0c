// Volumes of the CUDA backend in OpenGL's textures, without a copy through the host where CUDA can map them.
#pragma once

#include <functional>
#include <memory>

#include "cuda/interop/shared_gl.hpp"

namespace backlit::cuda {

/// Registers an array texture with CUDA; throws Failure where that is not possible.
using ShareTexture = std::function<std::unique_ptr<SharedTexture>(const gl::Texture&)>;
std::unique_ptr<SharedTexture> share_array_texture(const gl::Texture&);

/// Makes GlDisplayVolume take arrays of this backend. Where OpenGL runs on another GPU, or the driver cannot share,
/// volumes go through the host; one message reports this.
void register_shared_volumes(ShareTexture share = share_array_texture);

}  // namespace backlit::cuda
