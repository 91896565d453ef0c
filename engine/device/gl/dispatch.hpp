// What compute passes share.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gl/handles.hpp"
#include "gl/opengl.hpp"

namespace backlit::gl {

/// After image stores, before anything else touches the textures.
inline constexpr GLbitfield everything_that_reads = GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                                                    GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT;

/// Work groups of `size` that cover n.
inline GLuint groups(std::int64_t n, std::int64_t size) { return static_cast<GLuint>((n + size - 1) / size); }

/// What a pass of `views` does to all texels, for Context::pace().
inline double updates(const Texture& texels, std::int64_t views) {
  return static_cast<double>(texels.width() * texels.height() * texels.depth() * views);
}

/// Views that one pass may take which makes so many updates for each: some seconds of a slow device, which cannot be
/// waited for half way (Context::pace()).
inline std::int64_t most_views(std::int64_t updates_a_view) {
  return std::max<std::int64_t>(1, 50'000'000'000 / updates_a_view);
}

}  // namespace backlit::gl
