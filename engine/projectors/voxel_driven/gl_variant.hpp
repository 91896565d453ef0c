// The variants of backprojection on the graphics pipeline.
#pragma once

#include <cstdint>
#include <string>

#include <backlit/projectors/ct_options.hpp>
#include "gl/limits.hpp"

namespace backlit::gl {

/// Programs choose by CtOptions (of()); studies also set what only they compare (app/study/variants).
struct BackprojectionVariant {
  /// slices: drawn as the other members say; compute: the same arithmetic in a compute shader; best: the faster one of
  /// our measurements.
  enum class Draw { slices, compute, best };
  /// vertex: the rasteriser interpolates detector coordinates from the polygon's corners (Xu & Mueller's AG-GPU);
  /// fragment: the matrix is applied at every fragment (MP-GPU).
  enum class Transform { vertex, fragment };
  /// ping_pong: a pass reads the sum so far from one volume texture and writes another. blend: the blend unit adds to
  /// the volume. loop: one pass over all views, in the fragment shader. load: the fragment reads and writes the same
  /// texel (target image only).
  enum class Accumulate { ping_pong, blend, loop, load };
  /// Target of fragments. layered: one draw for all slices. slice: one draw per slice, for older hardware. image: image
  /// stores, without a colour attachment.
  enum class Target { layered, slice, image };
  /// Kills fragments in the stencil or depth test, before the fragment shader (AG-GPU+): those outside the field of
  /// view (the circle that every view's columns cover), and those that no view sees. Their voxels get nothing.
  enum class Kill { none, stencil, early_z };
  /// nearest: the course's box.
  enum class Interpolation { linear, nearest };

  /// Default number of views a pass. More views mean less traffic of the volume, until registers run out. Packed by
  /// quarter turns, four views are a group.
  static constexpr std::int64_t best_views = 16, best_packed_views = 32;

  Draw draw = Draw::best;
  Transform transform = Transform::vertex;
  Accumulate accumulate = Accumulate::blend;  ///< measured faster on llvmpipe, and half the memory
  Target target = Target::layered;
  Kill kill = Kill::none;
  Interpolation interpolation = Interpolation::linear;
  std::string texel{};     ///< fetched format: r32f, r16f, packing orbit rgba32f, rgba16f; empty: by precision
  std::int64_t views = 0;  ///< a pass, at most; 0: the fastest known. Not for loop; fours with packing orbit.
  bool unpacked = false;   ///< an option is set that packed views lack, so packing auto must not pack

  /// Throws InputError for choices that exclude each other.
  static BackprojectionVariant of(const CtOptions&);
  /// Replaces `best` by `usual` and sets the texel. Throws InputError for values that exclude each other, and for a
  /// texel that does not fit the precision.
  BackprojectionVariant completed(Precision, bool orbit, Draw usual) const;
  /// All values by name; call it on a completed variant. The course's 8 views a pass are marked "views=8(course)".
  std::string name() const;

  /// The faster choice: compute shaders on hardware (they use all processors, while fragments use few on some devices),
  /// drawn slices where a CPU does either (docs/notebook/voxel-driven-backprojection.md).
  static Draw usual(const Limits& limits) { return limits.software ? Draw::slices : Draw::compute; }
  /// The same for packing by quarter turns, which draws a quarter of each slice: on a CPU small quarters keep only one
  /// thread busy.
  static Draw usual_packed(const Limits& limits, std::int64_t slice_side) {
    return limits.software && slice_side >= 192 ? Draw::slices : Draw::compute;
  }
};

}  // namespace backlit::gl
