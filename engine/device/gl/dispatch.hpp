// Constants and counts for compute passes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gl/handles.hpp"
#include "gl/opengl.hpp"

namespace backlit::gl {

/// Barrier after image stores, before anything else reads the textures.
inline constexpr GLbitfield everything_that_reads = GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                                                    GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT;

/// A size as shaders take it.
inline int whole(std::int64_t n) { return static_cast<int>(n); }

/// Number of work groups of `size` that cover n.
inline GLuint groups(std::int64_t n, std::int64_t size) { return static_cast<GLuint>((n + size - 1) / size); }

/// Number of updates when a pass of `views` views updates all texels, for Context::pace().
inline double updates(const Texture& texels, std::int64_t views) {
  return static_cast<double>(texels.width() * texels.height() * texels.depth() * views);
}

/// Number of views for one pass with `updates_a_view` updates per view: some seconds on a slow device. Context::pace()
/// cannot wait in the middle of a pass.
inline std::int64_t most_views(std::int64_t updates_a_view) {
  return std::max<std::int64_t>(1, 50'000'000'000 / updates_a_view);
}

}  // namespace backlit::gl
