// The ways to backproject on the graphics pipeline, each by name.
#pragma once

#include <cstdint>
#include <string>

namespace backlit::gl {

/// Written "transform=vertex,accumulate=ping_pong,views=8"; what is left out keeps its default.
struct BackprojectionVariant {
  /// vertex: the rasteriser interpolates detector coordinates from the polygon's corners (Xu & Mueller's AG-GPU);
  /// fragment: the matrix is applied at every fragment (MP-GPU).
  enum class Transform { vertex, fragment };
  /// ping_pong: a pass reads what earlier ones left from one volume texture and writes another;
  /// blend: the blend unit adds to the volume; loop: one pass over all views, in the fragment shader.
  enum class Accumulate { ping_pong, blend, loop };

  /// slices: drawn, by what the other keys say; compute: the same arithmetic in a compute shader.
  enum class Draw { slices, compute };

  Draw draw = Draw::slices;
  Transform transform = Transform::vertex;
  Accumulate accumulate = Accumulate::blend;  ///< measured faster on llvmpipe, and half the memory
  std::int64_t views = 0;                     ///< a pass, at most; 0 takes the best known. Not for loop.

  /// As above, complete.
  std::string name() const;
  /// Throws InputError naming keys and values there are.
  static BackprojectionVariant parse(const std::string& text);
};

}  // namespace backlit::gl
